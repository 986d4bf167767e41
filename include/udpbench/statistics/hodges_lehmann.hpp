/** @file
    Where a series has its middle, by another estimator than the median: the Hodges-Lehmann
    estimate. Where the two disagree, the series is skewed or has several heights.

    Source: Hodges & Lehmann 1963; Walsh 1949 (the averages).

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>

namespace udpbench::statistics {

namespace detail {

/** A whole number for each finite double, in the same order and without gaps. */
inline std::int64_t place_in_order(double value) noexcept {
  // By its bits a positive double is ordered already, and a negative one in reverse (IEEE 754).
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

inline double value_at_place(std::int64_t place) noexcept {
  return std::bit_cast<double>(place < 0 ? std::numeric_limits<std::int64_t>::min() - place
                                         : place);
}

/** How many of the averages (x_i + x_j) / 2, i <= j, are at most `limit`. */
inline std::size_t walsh_averages_up_to(std::span<const double> ascending, double limit) {
  std::size_t count = 0;
  std::size_t end = ascending.size(); // partners of x_i lie below it; it falls as x_i rises
  for (std::size_t i = 0; i < end; ++i) {
    while (end > i && (ascending[i] + ascending[end - 1]) / 2 > limit) --end;
    count += end - i;
  }
  return count;
}

} // namespace detail

/** The median of all averages of two values, each value with itself among them.

    The averages are counted, never stored: a search over the doubles between the smallest and the
    largest value, 64 steps at most, of n each. 10,000 values have 50 million averages and take a
    few milliseconds and 80 KB; there is no bound on n.
    @return in the unit of the values. Of log ratios it is a log ratio.
    Errors: throws `std::invalid_argument` if there is no value or one is not finite, and
    `std::overflow_error` if a sum of two is beyond a double.   Threads: any. */
inline double hodges_lehmann(std::span<const double> values) {
  require_finite(values, "hodges_lehmann: values");
  if (values.empty()) throw std::invalid_argument("hodges_lehmann of no values");
  const auto ascending = sorted(values);
  const auto smallest = ascending.front();
  const auto largest = ascending.back();
  if (!std::isfinite(smallest + smallest) || !std::isfinite(largest + largest))
    throw std::overflow_error("hodges_lehmann: a sum is beyond a double");

  // Rounding keeps order, so the average of a rank is the first double that so many do not exceed.
  const auto of_rank = [&](std::size_t rank) {
    auto low = detail::place_in_order(smallest);
    auto high = detail::place_in_order(largest);
    while (low < high) {
      const auto middle = std::midpoint(low, high); // rounds towards low
      if (detail::walsh_averages_up_to(ascending, detail::value_at_place(middle)) >= rank)
        high = middle;
      else
        low = middle + 1;
    }
    return detail::value_at_place(low);
  };
  const auto averages = ascending.size() * (ascending.size() + 1) / 2;
  const auto lower = of_rank((averages + 1) / 2);
  return averages % 2 == 1 ? lower : std::midpoint(lower, of_rank(averages / 2 + 1));
}

} // namespace udpbench::statistics
