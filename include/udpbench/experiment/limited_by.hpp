/** @file
    What held the rate of a round.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/record/run.hpp>

#include <optional>

namespace udpbench::experiment {

/** Share of the time in which the receiving thread ran, from which on it counts as saturated; the rest is the start of each
    burst, for which it had to be woken. */
inline constexpr double busy_share = 0.9;

/** Loss from which on the receiver counts as overrun, whatever its thread did on average: bursts were longer than its buffer and
    it together could take. */
inline constexpr double overrun_loss = 0.001;

/** Decides from what was offered, dropped, and how busy the receiving thread was:
    both ends on one cpu → `shared_cpu`; datagrams dropped from the receive buffer, or a receiving thread that hardly ever
    waited → `receiver`; else it waited for more than it got → `sender`. On loopback nothing else lies between them. */
inline record::limit limited_by(const sample& s, bool shared_cpu) noexcept {
  if (shared_cpu) return record::limit::shared_cpu;
  const auto dropped = static_cast<double>(s.kernel_dropped.value_or(0));
  if (dropped > overrun_loss * static_cast<double>(s.sent.sent) || s.cpu_share >= busy_share)
    return record::limit::receiver;
  return record::limit::sender;
}

/** Share of its time that a sender waits for room in its window, from which on the receiver counts as what holds the rate. */
inline constexpr double waiting_share = 0.5;

/** The same where the sender's pacing has more to tell. A schedule is itself what holds the rate, so nothing is the limit where it was
    kept and nothing was lost; what a late sender makes up for comes in bursts, so a loss then is its doing. Under a window the receiver is rarely busy and never overrun: who waited decides. */
inline std::optional<record::limit> limited_by(const sample& s, const pacing_report& pacing,
                                               bool shared_cpu) noexcept {
  const auto usual = limited_by(s, shared_cpu);
  if (shared_cpu) return usual;
  const auto dropped = static_cast<double>(s.kernel_dropped.value_or(0));
  const bool overrun = dropped > overrun_loss * static_cast<double>(s.sent.sent);
  if (pacing.schedule) {
    if (pacing.schedule->behind()) return record::limit::sender;
    return overrun ? std::optional(record::limit::receiver) : std::nullopt;
  }
  if (pacing.waited_share && *pacing.waited_share >= waiting_share) return record::limit::receiver;
  return usual;
}

} // namespace udpbench::experiment
