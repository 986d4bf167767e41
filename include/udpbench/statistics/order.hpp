/** @file
    Where a series has its middle.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace udpbench::statistics {

/** The values in ascending order, as a copy.
    Errors: throws `std::invalid_argument` at a NaN or an infinity, which have no place in an order.
    Threads: any. */
inline std::vector<double> sorted(std::span<const double> values) {
  require_finite(values, "sorted: values");
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

/** The value of a rank in an ascending series: rank 1 is the smallest.
    Errors: throws `std::out_of_range` for rank 0 and above the size.   Threads: any. */
inline double order_statistic(std::span<const double> ascending, std::size_t rank) {
  if (rank == 0 || rank > ascending.size())
    throw std::out_of_range("no rank " + std::to_string(rank) + " among " +
                            std::to_string(ascending.size()) + " values");
  return ascending[rank - 1];
}

/** The median of an ascending series: the middle value, or halfway between the two in the middle.
    Errors: throws `std::invalid_argument` if it is empty or not finite.   Threads: any. */
inline double median_of_sorted(std::span<const double> ascending) {
  require_finite(ascending, "median: values");
  if (ascending.empty()) throw std::invalid_argument("median of no values");
  const auto n = ascending.size();
  return std::midpoint(order_statistic(ascending, (n + 1) / 2),
                       order_statistic(ascending, n / 2 + 1));
}

/** The median of a series in any order, which stays as it is. Unit: that of the values.
    Errors: throws `std::invalid_argument` if it is empty or not finite.   Threads: any. */
inline double median(std::span<const double> values) { return median_of_sorted(sorted(values)); }

/** The arithmetic mean. Unit: that of the values.
    Errors: throws `std::invalid_argument` if there is none or one is not finite, and
    `std::overflow_error` if their sum is beyond a double.   Threads: any. */
inline double mean(std::span<const double> values) {
  require_finite(values, "mean: values");
  if (values.empty()) throw std::invalid_argument("mean of no values");
  const auto sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (!std::isfinite(sum)) throw std::overflow_error("mean: the sum is beyond a double");
  return sum / static_cast<double>(values.size());
}

} // namespace udpbench::statistics
