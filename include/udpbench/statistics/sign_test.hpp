/** @file
    An interval for a median that assumes nothing but independence: two order statistics, chosen
    by the exact sign test.

    Each value falls below the true median with probability 1/2, whatever the distribution. How
    many do is binomial, and so is the chance that the median lies between two ranks.

    Source: the sign test (Arbuthnott 1710) inverted, as Thompson 1936 gives it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>

#include <boost/math/special_functions/beta.hpp>

#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

namespace udpbench::statistics {

/** Two places in an ascending series; 1 is the smallest value's. */
struct ranks {
  std::size_t low;  ///< At least 1.
  std::size_t high; ///< Likewise.
  /** Both ends are the same. */
  friend bool operator==(const ranks&, const ranks&) = default;
};

/** A closed interval. Unit: that of its source. */
struct interval {
  double low;  ///< Belongs to it.
  double high; ///< Likewise.
  /** Both ends are the same. */
  friend bool operator==(const interval&, const interval&) = default;
};

/** Whether `value` lies outside; an end belongs to the interval. */
constexpr bool excludes(const interval& i, double value) noexcept {
  return value < i.low || value > i.high;
}

/** Whether `inner` lies in `outer`, ends included. */
constexpr bool inside(const interval& inner, const interval& outer) noexcept {
  return outer.low <= inner.low && inner.high <= outer.high;
}

/** The probability that the median of a continuous distribution lies between these order
    statistics of n independent values. Ties only ever add to it.
    Errors: throws `std::invalid_argument` unless 1 <= low <= high <= n.   Threads: any. */
inline double sign_coverage(std::size_t n, ranks r) {
  if (r.low == 0 || r.low > r.high || r.high > n)
    throw std::invalid_argument("sign_coverage: the ranks are not in order within 1 and n");
  // P(B <= k-1) and P(B >= k) for B ~ binomial(n, 1/2) are incomplete beta functions at 1/2.
  const auto below = [n](std::size_t k) {
    return boost::math::ibeta(static_cast<double>(n - k + 1), static_cast<double>(k), 0.5);
  };
  const auto at_least = [n](std::size_t k) {
    return boost::math::ibeta(static_cast<double>(k), static_cast<double>(n - k + 1), 0.5);
  };
  return 1 - below(r.low) - at_least(r.high);
}

/** The narrowest symmetric pair of ranks, k and n+1-k, that covers the median with at least this
    confidence.
    @param n  values.
    @param confidence  a share of 1.
    @return empty where even the smallest and the largest value do not cover it so often: for 90 %
    below n = 5, for 95 % below 6, for 99 % below 8.
    Errors: throws `std::invalid_argument` unless 0 < confidence < 1.   Threads: any. */
inline std::optional<ranks> sign_ranks(std::size_t n, double confidence) {
  require_confidence(confidence);
  std::size_t reaches = 0;       // 0 stands for the whole line, which covers always
  std::size_t fails = n / 2 + 1; // from here on the pair is empty or one point
  while (fails - reaches > 1) {
    const auto k = std::midpoint(reaches, fails);
    (sign_coverage(n, {k, n + 1 - k}) >= confidence ? reaches : fails) = k;
  }
  if (reaches == 0) return std::nullopt;
  return ranks{reaches, n + 1 - reaches};
}

/** The interval of `sign_ranks` in an ascending series. Unit: that of the values.
    Errors: throws `std::invalid_argument` at a NaN or an infinity, or unless 0 < confidence < 1.
    Threads: any. */
inline std::optional<interval> sign_interval_of_sorted(std::span<const double> ascending,
                                                       double confidence) {
  require_finite(ascending, "sign interval: values");
  const auto r = sign_ranks(ascending.size(), confidence);
  if (!r) return std::nullopt;
  return interval{order_statistic(ascending, r->low), order_statistic(ascending, r->high)};
}

/** The same for a series in any order, which stays as it is.
    Errors: as those of `sign_interval_of_sorted`.   Threads: any. */
inline std::optional<interval> sign_interval(std::span<const double> values, double confidence) {
  return sign_interval_of_sorted(sorted(values), confidence);
}

} // namespace udpbench::statistics
