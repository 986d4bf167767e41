/** @file
    Two series that have nothing to do with each other: does one tend to lie above the other?

    Only for series that can't be paired: two files, or two halves of a run. Blocks of one run are
    paired, and `paired_ratio.hpp` sees far more in them.

    Source: Mann & Whitney 1947; Wilcoxon 1945. Ties by mid-ranks (Lehmann 1975).

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace udpbench::statistics {

/** What the test found of a series a against a series b. */
struct mann_whitney_result {
  double share = 0.5; ///< Of all pairs, those in which a's value is the larger; ties count half.
  double p = 1; ///< From both sides: how often mere chance divides the values at least so unevenly.
  bool exact = false; ///< By counting all divisions; else by the normal law.
};

/** Up to this many values in both series together the p value is counted, ties or not. */
inline constexpr std::size_t most_counted_divisions = 50;

namespace detail {

/** Twice the mid-rank of each value, in ascending order of the values: a whole number. */
inline std::vector<std::size_t> doubled_ranks(std::span<const double> ascending) {
  std::vector<std::size_t> ranks;
  while (ranks.size() != ascending.size()) {
    const auto begin = ranks.size();
    auto end = begin;
    while (end != ascending.size() && ascending[end] == ascending[begin]) ++end;
    ranks.insert(ranks.end(), end - begin, begin + 1 + end);
  }
  return ranks;
}

/** How many of the ways to take `taken` of the ranks have which sum: 50 values give 1.3e14 ways at
    most, so that no count overflows. */
inline std::vector<std::uint64_t> ways_by_sum(std::span<const std::size_t> ranks,
                                              std::size_t taken) {
  std::size_t largest = 0;
  for (const auto rank : ranks.last(taken)) largest += rank;
  std::vector<std::vector<std::uint64_t>> ways(taken + 1, std::vector<std::uint64_t>(largest + 1));
  ways[0][0] = 1;
  for (std::size_t seen = 0; seen != ranks.size(); ++seen)
    for (auto k = std::min(seen + 1, taken); k != 0; --k)
      for (auto sum = ranks[seen]; sum <= largest; ++sum)
        ways[k][sum] += ways[k - 1][sum - ranks[seen]];
  return ways[taken];
}

/** The share of divisions whose sum is at least as far from the expected one. */
inline double counted_p(std::span<const std::size_t> ranks, std::size_t taken, std::size_t sum) {
  const auto expected = taken * (ranks.size() + 1); // of doubled ranks
  const auto distance = [&](std::size_t s) { return s < expected ? expected - s : s - expected; };
  const auto ways = ways_by_sum(ranks, taken);
  std::uint64_t all = 0;
  std::uint64_t as_far = 0;
  for (std::size_t s = 0; s != ways.size(); ++s) {
    all += ways[s];
    if (distance(s) >= distance(sum)) as_far += ways[s];
  }
  return static_cast<double>(as_far) / static_cast<double>(all);
}

/** By the normal law, with the variance that ties leave and a correction for continuity. */
inline double normal_p(std::span<const std::size_t> ranks, std::size_t taken, std::size_t sum) {
  const auto n = static_cast<double>(ranks.size());
  const auto a = static_cast<double>(taken);
  const auto expected = a * (n + 1) / 2;
  // The sum of a random division has the variance of its ranks, drawn without replacement.
  double squares = 0;
  for (const auto rank : ranks) {
    const auto off = static_cast<double>(rank) / 2 - (n + 1) / 2;
    squares += off * off;
  }
  if (squares == 0) return 1;
  const auto deviation = std::sqrt(a * (n - a) / (n * (n - 1)) * squares);
  const auto distance = std::abs(static_cast<double>(sum) / 2 - expected);
  const boost::math::normal law;
  return 2 * cdf(complement(law, std::max(0.0, distance - 0.5) / deviation));
}

} // namespace detail

/** The test of a against b, from both sides.
    @return empty if one has no value. Where all values are the same p is 1.
    Errors: throws `std::invalid_argument` if one is not finite.   Threads: any. */
inline std::optional<mann_whitney_result> mann_whitney(std::span<const double> a,
                                                       std::span<const double> b) {
  require_finite(a, "mann_whitney: first series");
  require_finite(b, "mann_whitney: second series");
  if (a.empty() || b.empty()) return std::nullopt;

  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  const auto ascending = sorted(all);
  const auto ranks = detail::doubled_ranks(ascending);
  std::size_t sum = 0;
  for (const auto value : a) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), value);
    sum += ranks[static_cast<std::size_t>(at - ascending.begin())];
  }

  mann_whitney_result result;
  const auto pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  const auto above = sum - a.size() * (a.size() + 1); // twice the pairs that a wins
  result.share = static_cast<double>(above) / 2 / pairs;
  result.exact = all.size() <= most_counted_divisions;
  result.p = result.exact ? detail::counted_p(ranks, a.size(), sum)
                          : detail::normal_p(ranks, a.size(), sum);
  return result;
}

} // namespace udpbench::statistics
