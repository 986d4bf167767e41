/** @file
    Whether a run's first half and its second half measured the same machine.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/mann_whitney.hpp>
#include <udpbench/statistics/order.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>

namespace udpbench::statistics {

/** How seldom independent blocks give a false alarm, at most. */
inline constexpr double drift_level = 0.01;

/** The second half of a series against its first. */
struct drift {
  double ratio = 1;   ///< exp(difference of the halves' medians): the second half over the first.
  double p = 1;       ///< Mann-Whitney, from both sides.
  bool alarm = false; ///< p and ratio both say that something changed.
};

/** Compares the halves of a series of log figures: of one receiver (did the machine change?), or of
    log ratios (did the comparison change?). An alarm needs both: p at most `drift_level`, and
    medians further apart than the margin, since in a long run any trifle has a small p.

    Independent blocks alarm in at most 1 % of the series, however noisy, and hardly ever where their
    deviation is below half the margin. Where neighbours correlate by 0.3, 20 blocks alarm in 4 %. A
    shift of 5 % in the middle of 20 blocks is found in 98 % at a deviation of 2 %, in 72 % at 3 %.
    For m receivers the false alarms add up: m % at most.
    @param d  log figures in the order in which they were measured. The one in the middle of an odd
    number belongs to neither half.
    @param margin  0.02 is 2 %.
    @return empty below 10 values: the halves' 4 and 4 can't be apart at 1 %.
    Errors: throws `std::invalid_argument` unless margin > 0, and if a value is not finite.
    Threads: any. */
inline std::optional<drift> find_drift(std::span<const double> d, double margin) {
  require_finite(d, "find_drift: values");
  require_finite(margin, "margin");
  if (margin <= 0) throw std::invalid_argument("find_drift: the margin is not above 0");
  if (d.size() < 10) return std::nullopt;

  const auto first = d.first(d.size() / 2);
  const auto second = d.last(d.size() / 2);
  const auto shift = median(second) - median(first);
  const auto p = mann_whitney(second, first)->p;
  return drift{std::exp(shift), p, p <= drift_level && std::abs(shift) > std::log1p(margin)};
}

} // namespace udpbench::statistics
