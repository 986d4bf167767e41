/** @file
    What held the rate of a round.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/reference.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/record/run.hpp>

#include <chrono>
#include <optional>

namespace udpbench::experiment {

/** Share of the time in which the receiving thread ran, or would have had to run, from which on it counts as saturated; the rest is
    the start of each burst, for which it had to be woken. */
inline constexpr double busy_share = 0.9;

/** Share of the time from which on nothing is left for waiting, not even that. */
inline constexpr double always_share = 0.97;

/** Loss from which on datagrams count as lost for want of something, and not by a single late wake-up. */
inline constexpr double overrun_loss = 0.001;

/** A receiver that takes so much of what one without work takes is as good as that one: the rest is noise. */
inline constexpr double as_good_as_bare = 0.9;

/** Whether more was dropped from the receive buffer than that. */
inline bool overrun(const sample& s) noexcept {
  return static_cast<double>(s.kernel_dropped.value_or(0)) >
         overrun_loss * static_cast<double>(s.sent.sent);
}

/** What the receiving thread would have needed of its cpu to take all that was offered, at its own measured cost per datagram: 1 is all
    of it; of several threads, what the busiest would have. Empty where the cost or the time of sending wasn't measured. */
inline std::optional<double> demand(const sample& s) noexcept {
  const auto offered = offered_per_second(s);
  if (!offered || s.during == 0 || s.cpu.count() <= 0) return {};
  return std::chrono::duration<double>(s.cpu).count() / static_cast<double>(s.during) * *offered /
         s.cpus;
}

/** The share of the time in which the receiving thread ran, of several the busiest. */
inline double running(const sample& s) noexcept { return s.cpu_share / s.cpus; }

/** What a round of an open loop shows by itself, of a receiver that sleeps while nothing comes:
    - it took what was offered as fast as that came, lost nothing and had time to wait → `sender`;
    - it never waited, and datagrams were dropped → `receiver`.
    Empty where neither is so: where datagrams were dropped beside a thread that often didn't run, its sink may have held it, or others may
    have had its cpu, or bursts may have been longer than the buffer; and one that ran all the time and lost nothing may have been just
    quick enough. Empty, too, of a receiver that never sleeps, whose running tells nothing. */
inline std::optional<record::limit> shown_by(const sample& s) noexcept {
  using record::limit;
  if (s.never_sleeps) return {};
  if (overrun(s)) return running(s) >= always_share ? std::optional(limit::receiver) : std::nullopt;
  const bool kept_up = part_taken(s).value_or(1) >= as_good_as_bare;
  return kept_up && running(s) < busy_share ? std::optional(limit::sender) : std::nullopt;
}

/** Decides what held the rate of an open loop. Where the round doesn't show it, it is held against rounds without the receiver's work: one
    that takes nearly the part of what is offered that a bare receiver takes gets what was sent, and the `sender` is the limit; one that
    takes less is the limit itself.
    Without such rounds (`bare` is empty) it is an estimate: for all that was offered the thread would have needed its whole cpu →
    `receiver`, else `sender`; one that never sleeps is held against all that was offered.
    On loopback nothing else lies between the two. Both on one cpu → `shared_cpu`.
    A bare receiver, and not the sender alone: a socket that nobody reads takes a sender less time than one that is read, whoever reads it,
    since what finds no room is freed at once and nobody is woken. And bursts and a busy machine beat a bare receiver as any other. */
inline record::limit limited_by(const sample& s, bool shared_cpu,
                                const std::optional<record::without_work>& bare = {}) noexcept {
  using record::limit;
  if (shared_cpu) return limit::shared_cpu;
  if (const auto shown = shown_by(s)) return *shown;
  const auto part = part_taken(s);
  if (part && (bare || s.never_sleeps)) {
    const double possible = bare ? bare->part_taken : 1;
    return *part >= as_good_as_bare * possible ? limit::sender : limit::receiver;
  }
  const double needed = overrun(s) ? demand(s).value_or(1) : running(s);
  return needed >= busy_share ? limit::receiver : limit::sender;
}

/** Share of its time that a sender waits for room in its window, from which on the receiver counts as what holds the rate. */
inline constexpr double waiting_share = 0.5;

/** Whether a round doesn't show what its limit was, and a bare receiver would: only of an open loop without a schedule. */
inline bool needs_reference(const sample& s, const pacing_report& pacing,
                            bool shared_cpu) noexcept {
  return !shared_cpu && !pacing.schedule && !pacing.waited_share && part_taken(s) && !shown_by(s);
}

/** The same where the sender's pacing has more to tell. A schedule is itself what holds the rate, so nothing is the limit where it was
    kept and nothing was lost; what a late sender makes up for comes in bursts, so a loss then is its doing. Under a window the receiver is
    rarely busy and never overrun: who waited decides. */
inline std::optional<record::limit>
limited_by(const sample& s, const pacing_report& pacing, bool shared_cpu,
           const std::optional<record::without_work>& bare = {}) noexcept {
  const auto usual = limited_by(s, shared_cpu, bare);
  if (shared_cpu) return usual;
  if (pacing.schedule) {
    if (pacing.schedule->behind()) return record::limit::sender;
    return overrun(s) ? std::optional(record::limit::receiver) : std::nullopt;
  }
  if (pacing.waited_share && *pacing.waited_share >= waiting_share) return record::limit::receiver;
  return usual;
}

/** What a network between both ends adds, where neither of them is busy: more datagrams than a late wake-up costs are missing, and were not
    dropped from the receive buffer; or a sender without a schedule or a window had to wait, while nothing waited for the receiver →
    `network`. Empty where it isn't so, and the ends have to tell.
    @param s  of a round over a network.
    @param pacing  of its sender.
    @param sender_cpu_share  of the time of sending, in which the sender's thread ran. */
inline std::optional<record::limit> limited_between(const sample& s, const pacing_report& pacing,
                                                    double sender_cpu_share) noexcept {
  // Without that count what is missing may have been the receiver's to lose.
  if (!s.kernel_dropped || overrun(s) || running(s) >= busy_share) return {};
  const auto sent = static_cast<double>(s.sent.sent);
  if (static_cast<double>(unexplained(s)) > overrun_loss * sent) return record::limit::network;
  const bool free_to_run = !pacing.schedule && !pacing.waited_share && !pacing.rests;
  return free_to_run && sender_cpu_share < busy_share ? std::optional(record::limit::network)
                                                      : std::nullopt;
}

} // namespace udpbench::experiment
