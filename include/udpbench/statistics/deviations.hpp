/** @file
    A series about its mean, in a unit in which no square can overflow or vanish.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace udpbench::statistics {

/** Each value less the mean of all, in units of the largest such deviation: -1 to 1.
    @param values  in any unit.
    @param name  what the caller is called in a message.
    @return empty where nothing deviates: no value, one, or all the same.
    Errors: throws `std::invalid_argument` if a value or a deviation is not finite, and as `mean`
    does.   Threads: any. */
inline std::vector<double> scaled_deviations(std::span<const double> values,
                                             const std::string& name) {
  require_finite(values, name + ": values");
  // Asked of the values: identical ones may all differ from their rounded mean, to the same side.
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    return {};

  const auto centre = mean(values);
  std::vector<double> deviations;
  double largest = 0;
  for (const auto value : values) {
    deviations.push_back(value - centre);
    largest = std::max(largest, std::abs(deviations.back()));
  }
  require_finite(largest, name + ": largest deviation");
  for (auto& deviation : deviations) deviation /= largest;
  return deviations;
}

} // namespace udpbench::statistics
