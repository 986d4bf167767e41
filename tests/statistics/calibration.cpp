/** @file
    How often the intervals hold the truth, exactly and in simulated runs.

    Each bar of a simulation lies three standard errors or more from the true share, which is given
    beside it, so that another generator of normal numbers passes too.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/merge.hpp>
#include <udpbench/statistics/paired_ratio.hpp>
#include <udpbench/statistics/pilot.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace statistics = udpbench::statistics;
using statistics::merge_dependent;
using statistics::paired_ratio;
using statistics::summarise;

namespace {

/** P(B = j) for j = 0 to n, B binomial of n and 1/2: by Pascal's triangle, which rounds nothing. */
std::vector<double> binomial(std::size_t n) {
  std::vector<double> p{1};
  for (std::size_t row = 0; row != n; ++row) {
    p.push_back(0);
    for (auto j = p.size() - 1; j != 0; --j) p[j] = (p[j] + p[j - 1]) / 2;
    p[0] /= 2;
  }
  return p;
}

/** The rank of the lower end of the 95 % interval of n values. */
std::size_t lower_rank(std::size_t n) {
  // Rank k of a ladder is (n+1)/2 - k steps below 0.
  const auto low = std::log(summarise(series::ladder(n, 0, 1e-6)).ci95.value().low) / 1e-6;
  return static_cast<std::size_t>(std::lround(static_cast<double>(n + 1) / 2 + low));
}

/** How often the median lies between the values of rank k and n+1-k: where k to n-k are below it. */
double exact_coverage(std::size_t n, std::size_t k) {
  const auto p = binomial(n);
  double covered = 0;
  for (auto j = k; j <= n - k; ++j) covered += p[j];
  return covered;
}

bool holds_no_difference(const paired_ratio& ratio) { return !excludes(ratio.ci95.value(), 1); }

/** A run to a precision of 1 %: a pilot of 20 blocks, and what it asks for. */
paired_ratio two_stages(series::engine& random, double deviation, double correlation) {
  const auto blocks = [&](std::size_t n, double last) {
    auto d = series::normal(random, n, 0, deviation);
    for (auto& value : d)
      last = value = correlation * last + std::sqrt(1 - correlation * correlation) * value;
    return d;
  };
  const auto ratio = [](const std::vector<double>& d) {
    const auto m = merge_dependent(d);
    return summarise(m.units, m.blocks_per_unit);
  };
  auto d = blocks(20, series::normal(random, 1, 0, deviation).front());
  const std::vector pilot{ratio(d)};
  const auto length = statistics::length_after_pilot(pilot, d.size(), 0.01, 10'000);
  const auto rest = blocks(length.blocks - d.size(), d.back());
  d.insert(d.end(), rest.begin(), rest.end());
  return ratio(d);
}

} // namespace

TEST_CASE("calibration: from 6 to 100 blocks the 95 % interval holds the median in at least 95 %",
          "[statistics]") {
  for (std::size_t n = 6; n <= 100; ++n) {
    CAPTURE(n);
    CHECK(exact_coverage(n, lower_rank(n)) >= 0.95);
    CHECK(exact_coverage(n, lower_rank(n) + 1) < 0.95); // nor is it wider than it has to be
  }
}

TEST_CASE("calibration: simulated runs hold the median as often as computed, within 0.7 points",
          "[statistics]") {
  series::engine random{20071};
  const auto n = GENERATE(std::size_t{6}, std::size_t{12}, std::size_t{20}, std::size_t{52});
  CAPTURE(n);
  CHECK(series::share(8'000, [&] {
          return holds_no_difference(summarise(series::normal(random, n, 0, 0.02)));
        }) == Approx(exact_coverage(n, lower_rank(n))).margin(0.007).epsilon(0));
}

TEST_CASE("calibration: neighbours that correlate by 0.3 leave 94 % after merging, and less before",
          "[statistics]") {
  series::engine random{20072};
  int plain = 0;
  int merged = 0;
  constexpr int runs = 100'000;
  for (int run = 0; run != runs; ++run) {
    const auto d = series::drifting(random, 20, 0.3);
    plain += excludes(statistics::sign_interval(d, 0.95).value(), 0) ? 0 : 1;
    const auto units = merge_dependent(d).units;
    merged += excludes(statistics::sign_interval(units, 0.95).value(), 0) ? 0 : 1;
  }
  CAPTURE(plain, merged);
  CHECK(plain < 0.91 * runs);   // 89.8 %
  CHECK(merged >= 0.94 * runs); // 94.3 %, four standard errors
}

TEST_CASE("calibration: a run whose length a pilot decides holds the truth in 93 %",
          "[statistics]") {
  series::engine random{20073};
  const auto deviation = GENERATE(0.01, 0.02, 0.03);
  CAPTURE(deviation);
  CHECK(series::share(2'000, [&] {
          return holds_no_difference(two_stages(random, deviation, 0));
        }) >= 0.93); // 95 to 97 %
}

TEST_CASE("calibration: nearly so where neighbours correlate by 0.3 and are merged",
          "[statistics]") {
  series::engine random{20074};
  CHECK(series::share(8'000, [&] { return holds_no_difference(two_stages(random, 0.018, 0.3)); }) >=
        0.92); // 93.0 %, the least of all deviations; 88.8 % unmerged
}

TEST_CASE("calibration: three runs in five reach the precision that the pilot aimed at",
          "[statistics]") {
  series::engine random{20075};
  CHECK(series::share(300, [&] { return statistics::reaches(two_stages(random, 0.03, 0), 0.01); }) >
        0.6); // 71 %
}
