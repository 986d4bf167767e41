/** @file
    What held the rate of a round.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/record/run.hpp>

#include <optional>

namespace udpbench::experiment {

/** Share of the time in which the receiving thread ran, or would have had to run, from which on it counts as saturated; the rest is
    the start of each burst, for which it had to be woken. */
inline constexpr double busy_share = 0.9;

/** Loss from which on datagrams count as lost for want of something, and not by a single late wake-up. */
inline constexpr double overrun_loss = 0.001;

/** Whether more was dropped from the receive buffer than that. */
inline bool overrun(const sample& s) noexcept {
  return static_cast<double>(s.kernel_dropped.value_or(0)) >
         overrun_loss * static_cast<double>(s.sent.sent);
}

/** What the receiving thread would have needed of its cpu to take all that was offered, at its own measured cost per datagram: 1 is all
    of it; of several threads, what the busiest would have. Empty where the cost or the time of sending wasn't measured. */
inline std::optional<double> demand(const sample& s) noexcept {
  if (s.during == 0 || s.cpu.count() <= 0 || s.sending.count() <= 0) return {};
  const double cost = static_cast<double>(s.cpu.count()) / static_cast<double>(s.during);
  return cost * static_cast<double>(s.sent.sent) / static_cast<double>(s.sending.count()) / s.cpus;
}

/** Decides by what was measured in the round itself, with the receiver's work and without it:
    - both ends on one cpu → `shared_cpu`;
    - datagrams were dropped, and for all that was offered the receiver would have needed its whole cpu → `receiver`;
    - datagrams were dropped though that much work was not there → `sender`: its bursts were longer than the buffer, or the thread was
      kept from its cpu; a receiver without any work would have lost them, too;
    - nothing was dropped, and the receiving thread hardly ever waited → `receiver`, else it waited for more than it got → `sender`.
    On loopback nothing else lies between them. */
inline record::limit limited_by(const sample& s, bool shared_cpu) noexcept {
  if (shared_cpu) return record::limit::shared_cpu;
  const double needed = overrun(s) ? demand(s).value_or(1) : s.cpu_share / s.cpus;
  return needed >= busy_share ? record::limit::receiver : record::limit::sender;
}

/** Share of its time that a sender waits for room in its window, from which on the receiver counts as what holds the rate. */
inline constexpr double waiting_share = 0.5;

/** The same where the sender's pacing has more to tell. A schedule is itself what holds the rate, so nothing is the limit where it was
    kept and nothing was lost; what a late sender makes up for comes in bursts, so a loss then is its doing. Under a window the receiver is rarely busy and never overrun: who waited decides. */
inline std::optional<record::limit> limited_by(const sample& s, const pacing_report& pacing,
                                               bool shared_cpu) noexcept {
  const auto usual = limited_by(s, shared_cpu);
  if (shared_cpu) return usual;
  if (pacing.schedule) {
    if (pacing.schedule->behind()) return record::limit::sender;
    return overrun(s) ? std::optional(record::limit::receiver) : std::nullopt;
  }
  if (pacing.waited_share && *pacing.waited_share >= waiting_share) return record::limit::receiver;
  return usual;
}

} // namespace udpbench::experiment
