/** @file
    Series for the tests of `statistics/`: by hand, where a test names its interval, and by chance.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/judge.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace series {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/** Whether a verdict says that one is slower or faster than the other. */
inline bool directed(const udpbench::statistics::judgement& j) {
  using udpbench::statistics::verdict;
  return j.word == verdict::slower || j.word == verdict::faster;
}

/** n values, `step` apart, about `centre`. Rank k lies (n+1)/2 - k steps below the centre. With
    n = 20 the 90 and 95 % intervals reach 4.5 steps to either side and the 99 % interval 6.5; with
    n = 52 the 90 % interval reaches 6.5 and the 95 % interval 7.5. */
inline std::vector<double> ladder(std::size_t n, double centre, double step) {
  std::vector<double> d;
  for (std::size_t i = 0; i != n; ++i)
    d.push_back(centre + step * (static_cast<double>(i) - static_cast<double>(n - 1) / 2));
  return d;
}

/** A ratio of 20 blocks whose 95 % interval reaches `half_width` to either side of `centre` (in
 * logs). */
inline udpbench::statistics::paired_ratio twenty(double centre, double half_width) {
  return udpbench::statistics::summarise(ladder(20, centre, half_width / 4.5));
}

using engine = std::mt19937_64;

inline std::vector<double> normal(engine& random, std::size_t n, double mean, double deviation) {
  std::normal_distribution<double> distribution{mean, deviation};
  std::vector<double> d;
  while (d.size() != n) d.push_back(distribution(random));
  return d;
}

/** A series of mean 0 and deviation 1 in which each value keeps a share of its predecessor. */
inline std::vector<double> drifting(engine& random, std::size_t n, double correlation) {
  auto d = normal(random, n, 0, 1);
  for (std::size_t i = 1; i < n; ++i)
    d[i] = correlation * d[i - 1] + std::sqrt(1 - correlation * correlation) * d[i];
  return d;
}

/** How often `trial` is true in this many runs, as a share. */
template <class Trial>
double share(int runs, Trial trial) {
  int hits = 0;
  for (int run = 0; run != runs; ++run) hits += trial() ? 1 : 0;
  return static_cast<double>(hits) / runs;
}

/** What a refusal says; empty if `call` was not refused as an invalid argument. */
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace series
