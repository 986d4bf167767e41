/** @file
    How many times the baseline's figure a receiver's is, with the interval that belongs to it.

    Receiver and baseline are compared within a block, where both meet the same machine, and only
    then over blocks.

    Source: Kalibera & Jones 2013 (a ratio with its interval); nanobench (paired blocks, sign test).

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/sign_test.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace udpbench::statistics {

/** A ratio by paired blocks; `summarise` makes it. All figures are ratios, 1 being the baseline's
    own, but for `log_ratios`. The estimate is not the quotient of two medians and need not equal
    it. */
struct paired_ratio {
  double estimate = 1;             ///< exp(median of the log ratios).
  std::optional<interval> ci90;    ///< Empty below 5 units.
  std::optional<interval> ci95;    ///< Empty below 6 units.
  std::optional<interval> ci99;    ///< Empty below 8 units.
  std::size_t n = 0;               ///< Units: blocks, or blocks merged for their dependence.
  std::size_t blocks_per_unit = 1; ///< 1: none was merged.
  std::vector<double> log_ratios;  ///< One per unit, ascending.

  /** The interval at any other confidence, such as 1 - 0.05/m in a table of m comparisons.
      @return empty where n units cannot give it.
      Errors: throws `std::invalid_argument` unless 0 < confidence < 1.   Threads: any. */
  std::optional<interval> interval_at(double confidence) const {
    const auto logs = sign_interval_of_sorted(log_ratios, confidence);
    if (!logs) return std::nullopt;
    return interval{std::exp(logs->low), std::exp(logs->high)};
  }
};

/** Refuses a ratio that `summarise` can't have made: one put together by hand or read from afar.
    Errors: throws `std::invalid_argument` if a figure is no positive number or values are missing.
    Threads: any. */
inline void require_summarised(const paired_ratio& ratio) {
  const auto require_positive = [](double value) {
    require_finite(value, "ratio");
    if (value <= 0) throw std::invalid_argument("ratio of 0 or below");
  };
  require_positive(ratio.estimate);
  for (const auto& ci : {ratio.ci90, ratio.ci95, ratio.ci99})
    if (ci) {
      require_positive(ci->low);
      require_positive(ci->high);
    }
  require_finite(ratio.log_ratios, "ratio: log ratios");
  if (ratio.log_ratios.size() != ratio.n)
    throw std::invalid_argument("ratio without its log ratios");
}

/** Sums up the log ratios of a series of blocks.
    @param d  ln(receiver) - ln(baseline), one per unit; any order.
    @param blocks_per_unit  how many blocks one value stands for (`merged::blocks_per_unit`).
    Errors: throws `std::invalid_argument` if there are none, if one or its exponential is not
    finite, and for 0 blocks per unit.   Threads: any. */
inline paired_ratio summarise(std::span<const double> d, std::size_t blocks_per_unit = 1) {
  require_finite(d, "summarise: log ratios");
  if (blocks_per_unit == 0) throw std::invalid_argument("summarise: a unit of no blocks");
  for (const auto value : d)
    if (!std::isnormal(std::exp(value)))
      throw std::invalid_argument("summarise: exp(" + std::to_string(value) +
                                  ") is beyond a double");

  paired_ratio result;
  result.log_ratios = sorted(d);
  result.estimate = std::exp(median_of_sorted(result.log_ratios));
  result.n = d.size();
  result.blocks_per_unit = blocks_per_unit;
  result.ci90 = result.interval_at(0.90);
  result.ci95 = result.interval_at(0.95);
  result.ci99 = result.interval_at(0.99);
  return result;
}

} // namespace udpbench::statistics
