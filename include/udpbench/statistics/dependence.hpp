/** @file
    Two tests for values that lean on their neighbours: Ljung-Box asks whether close values are
    correlated, the runs test whether values above and below the median keep together. They are
    reported and decide nothing; `merge.hpp` acts on the correlation itself.

    Source: Ljung & Box 1978; Wald & Wolfowitz 1940; both as Boost.Math has them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/deviations.hpp>
#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>

#include <boost/math/statistics/ljung_box.hpp>
#include <boost/math/statistics/runs_test.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace udpbench::statistics {

/** Fewer values than this get no p value, since both laws are approximations for many: at 5 %
    Ljung-Box rejects 5.4 to 5.2 % of the independent series of 12 to 52 values, the runs test, which
    goes in steps, 2.6 to 6.7 %. Of 10 values it would reject 8.4 %. */
inline constexpr std::size_t fewest_for_dependence = 12;

/** The p value of the Ljung-Box test over the first ceil(ln n) lags; small where independent values
    would seldom be correlated so much.
    @param d  in the order in which they were measured.
    @return empty below `fewest_for_dependence` values and where all are the same.
    Errors: throws `std::invalid_argument` if one is not finite, and as `mean` does.
    Threads: any. */
inline std::optional<double> ljung_box_p(std::span<const double> d) {
  const auto deviations = scaled_deviations(d, "ljung_box_p");
  if (deviations.size() < fewest_for_dependence) return std::nullopt;
  return boost::math::statistics::ljung_box(deviations).second;
}

/** The p value of the runs test about the median, from both sides: small where independent values
    would seldom change sides so seldom, or so often. Values at the median belong to no side.
    @param d  in the order in which they were measured.
    @return empty below `fewest_for_dependence` values off the median, and where one side has none.
    Errors: throws `std::invalid_argument` if one is not finite.   Threads: any. */
inline std::optional<double> runs_p(std::span<const double> d) {
  require_finite(d, "runs_p: values");
  if (d.empty()) return std::nullopt;
  const auto middle = median(d);
  std::vector<double> off;
  std::copy_if(d.begin(), d.end(), std::back_inserter(off), [&](double v) { return v != middle; });
  const auto above = std::count_if(off.begin(), off.end(), [&](double v) { return v > middle; });
  // With an empty side Boost.Math answers 1, as if it had seen something.
  if (off.size() < fewest_for_dependence || above == 0 || above == std::ssize(off))
    return std::nullopt;
  return boost::math::statistics::runs_above_and_below_threshold(off, middle).second;
}

} // namespace udpbench::statistics
