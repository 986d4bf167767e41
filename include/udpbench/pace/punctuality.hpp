/** @file
    How well a sender kept its schedule.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/histogram.hpp>

#include <cstdint>

namespace udpbench::pace {

/** Three figures of a histogram, in ns. */
struct spread {
  std::uint64_t p50 = 0; ///< The median.
  std::uint64_t p99 = 0; ///< The 99th percentile.
  std::uint64_t max = 0; ///< The largest.
};

/** Of a histogram; zeros of one without values. */
inline spread spread_of(const measure::histogram& h) noexcept {
  return {h.percentile(50).value_or(0), h.percentile(99).value_or(0), h.max().value_or(0)};
}

/** One round of a sender with a schedule. It has two datagrams or more. */
struct punctuality {
  double period_ns = 0;   ///< From slot to slot, as the schedule has it.
  double mean_gap_ns = 0; ///< From send to send, over the whole round.
  spread lag;             ///< From a datagram's slot to its sending.
  spread gap;             ///< From one datagram's sending to the next one's.

  /** It fell behind: its rate was lower than the schedule's by more than 1 %. Single late datagrams don't make it so, since what is late
      is made up for. */
  bool behind() const noexcept { return mean_gap_ns > 1.01 * period_ns; }
};

} // namespace udpbench::pace
