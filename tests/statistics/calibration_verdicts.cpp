/** @file
    How often the verdicts are right, exactly and in simulated tables. The margin is 2 % where
    nothing else is said, and a deviation is that of d from block to block.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/judge.hpp>
#include <udpbench/statistics/merge.hpp>
#include <udpbench/statistics/processes.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace statistics = udpbench::statistics;
using series::directed;
using statistics::better;
using statistics::judge;
using statistics::judgement;
using statistics::merge_dependent;
using statistics::paired_ratio;
using statistics::summarise;
using statistics::verdict;
using logs = std::vector<double>;

namespace {

/** A baseline twice, as in a run, and receivers that are `effect` slower, all equally noisy. The
    noise of the baseline is in every d, so that the lines of a table depend on each other. */
struct bench {
  series::engine& random;
  double deviation; ///< Of a receiver's d.
  double effect = 0;
  double correlation = 0; ///< Of neighbouring blocks.
  double luck = 0;        ///< Deviation between the instances of a process.

  logs instance(std::size_t n, double centre) const {
    const auto own = centre + luck * series::normal(random, 1, 0, 1).front();
    auto x = series::drifting(random, n, correlation);
    // d is a figure less the mean of two: its variance is 1.5 times that of a figure.
    for (auto& value : x) value = own + deviation / std::sqrt(1.5) * value;
    return x;
  }

  struct series_of {
    logs control;
    std::vector<logs> receivers;
  };
  series_of run(std::size_t n, std::size_t receivers) const {
    const auto first = instance(n, 0);
    auto second = instance(n, 0);
    series_of result{second, {}};
    for (std::size_t i = 0; i != n; ++i) result.control[i] -= first[i];
    while (result.receivers.size() != receivers) {
      auto d = instance(n, effect);
      for (std::size_t i = 0; i != n; ++i) d[i] -= (first[i] + second[i]) / 2;
      result.receivers.push_back(d);
    }
    return result;
  }
};

paired_ratio merged_ratio(const logs& d) {
  const auto m = merge_dependent(d);
  return summarise(m.units, m.blocks_per_unit);
}

bool any_directed(const std::vector<paired_ratio>& table, std::size_t comparisons,
                  const std::optional<paired_ratio>& control) {
  for (const auto& ratio : table)
    if (directed(judge(ratio, 0.02, better::lower, comparisons, control))) return true;
  return false;
}

/** The chance that a normal d of this deviation about 0 has its 90 % interval, the 6th and the 15th
    of 20, within the margin: if at most 5 values lie beyond either end. */
double exact_equivalence(double deviation, double margin) {
  const auto beyond = std::erfc(std::log1p(margin) / deviation / std::sqrt(2.0)) / 2;
  double sum = 0;
  for (int low = 0; low <= 5; ++low)
    for (int high = 0; high <= 5; ++high)
      sum += std::exp(std::lgamma(21) - std::lgamma(low + 1) - std::lgamma(high + 1) -
                      std::lgamma(21 - low - high) + (low + high) * std::log(beyond) +
                      (20 - low - high) * std::log1p(-2 * beyond));
  return sum;
}

} // namespace

TEST_CASE("calibration: a table of ten equal receivers calls one different in at most 5 %",
          "[statistics]") {
  series::engine random{20081};
  const auto deviation = GENERATE(0.003, 0.01, 0.03, 0.08);
  int called = 0;
  int without_control = 0;
  int unadjusted = 0;
  constexpr int tables = 800;
  for (int t = 0; t != tables; ++t) {
    const auto run = bench{random, deviation}.run(20, 10);
    std::vector<paired_ratio> table;
    for (const auto& d : run.receivers) table.push_back(summarise(d));
    called += any_directed(table, 10, summarise(run.control)) ? 1 : 0;
    without_control += any_directed(table, 10, {}) ? 1 : 0;
    unadjusted += any_directed(table, 1, {}) ? 1 : 0;
  }
  CAPTURE(deviation, called, without_control, unadjusted);
  CHECK(called <= 0.05 * tables);          // 1 % at 8 %, less below
  CHECK(without_control <= 0.05 * tables); // 2.6 % at 8 %
  if (deviation > 0.05) CHECK(unadjusted > 0.1 * tables);
}

TEST_CASE("calibration: so does one whose neighbours correlate by 0.3, once they are merged",
          "[statistics]") {
  series::engine random{20082};
  CHECK(series::share(800, [&] {
          const auto run = bench{random, 0.03, 0, 0.3}.run(20, 10);
          std::vector<paired_ratio> table;
          for (const auto& d : run.receivers) table.push_back(merged_ratio(d));
          return any_directed(table, 10, merged_ratio(run.control));
        }) <= 0.05); // 1.9 %; 4.5 % unmerged
}

TEST_CASE("calibration: the luck of one process passes for a difference, that of twelve does not",
          "[statistics]") {
  series::engine random{20083};
  int one = 0;
  int twelve = 0;
  constexpr int tables = 150;
  for (int t = 0; t != tables; ++t) {
    std::vector<std::vector<logs>> d(10); // of each receiver, by process
    std::vector<logs> control;
    for (int process = 0; process != 12; ++process) {
      const auto run = bench{random, 0.01, 0, 0, 0.01}.run(20, 10);
      for (std::size_t i = 0; i != 10; ++i) d[i].push_back(run.receivers[i]);
      control.push_back(run.control);
    }
    std::vector<paired_ratio> first, all;
    for (const auto& receiver : d) {
      first.push_back(summarise(receiver.front()));
      all.push_back(statistics::summarise_processes(receiver));
    }
    one += any_directed(first, 10, summarise(control.front())) ? 1 : 0;
    twelve += any_directed(all, 10, statistics::summarise_processes(control)) ? 1 : 0;
  }
  CAPTURE(one, twelve);
  CHECK(one > 0.3 * tables); // 58 %: why an interval of one process says "this process"
  CHECK(twelve <= 0.05 * tables);
}

TEST_CASE("calibration: a difference of twice the deviation is found in 95 %", "[statistics]") {
  series::engine random{20084};
  struct row {
    double ratio, margin;
  };
  const auto r =
      GENERATE(Catch::Generators::values<row>({{1.05, 0.02}, {1.10, 0.02}, {1.02, 0.01}}));
  const auto e = std::log(r.ratio);
  int found = 0;
  constexpr int tables = 40;
  for (int t = 0; t != tables; ++t) {
    const auto run = bench{random, e / 2, e}.run(20, 10);
    for (const auto& d : run.receivers)
      found += judge(summarise(d), r.margin, better::lower, 10, summarise(run.control)).word ==
                       verdict::slower
                   ? 1
                   : 0;
  }
  CAPTURE(r.ratio, found);
  CHECK(found >= 0.95 * 10 * tables); // 99 %
}

TEST_CASE("calibration: four in five of those that the noise hid are found by the advised blocks",
          "[statistics]") {
  series::engine random{20085};
  struct row {
    double ratio, margin;
  };
  const auto r =
      GENERATE(Catch::Generators::values<row>({{1.05, 0.02}, {1.10, 0.02}, {1.02, 0.01}}));
  const auto e = std::log(r.ratio);
  const bench noisy{random, 1.5 * e, e};
  const auto judged = [&](std::size_t n) {
    const auto run = noisy.run(n, 1);
    return judge(summarise(run.receivers[0]), r.margin, better::lower, 4, summarise(run.control));
  };
  int advised = 0;
  int found = 0;
  for (int run = 0; run != 1'500; ++run) {
    const auto pilot = judged(20);
    if (!pilot.blocks_needed || *pilot.blocks_needed > 1'000) continue;
    ++advised;
    found += judged(*pilot.blocks_needed).word == verdict::slower ? 1 : 0;
  }
  CAPTURE(r.ratio, advised, found);
  CHECK(advised > 500);
  CHECK(found >= 0.8 * advised); // 85 to 86 %
}

TEST_CASE("calibration: equal receivers are equivalent in four of five, up to a deviation of 2 %",
          "[statistics]") {
  CHECK(exact_equivalence(0.02, 0.02) > 0.82);
  CHECK(exact_equivalence(0.0204, 0.02) > 0.80);
  CHECK(exact_equivalence(0.0206, 0.02) < 0.80);
  CHECK(exact_equivalence(0.01, 0.01) > 0.82); // what counts is the deviation over the margin
  CHECK(exact_equivalence(0.015, 0.02) > 0.98);

  series::engine random{20086};
  const auto deviation = GENERATE(0.005, 0.015, 0.02, 0.03);
  CAPTURE(deviation);
  CHECK(series::share(2'000, [&] {
          const auto ratio = summarise(series::normal(random, 20, 0, deviation));
          return judge(ratio, 0.02, better::lower, 10, {}).word == verdict::equivalent;
        }) == Approx(exact_equivalence(deviation, 0.02)).margin(0.031).epsilon(0));
}

TEST_CASE("calibration: where dependent blocks are merged that holds up to a deviation of 1.8 %",
          "[statistics]") {
  series::engine random{20087};
  const auto equivalent = [&](double deviation) {
    return series::share(3'000, [&] {
      const auto ratio = merged_ratio(series::normal(random, 20, 0, deviation));
      return judge(ratio, 0.02, better::lower, 10, {}).word == verdict::equivalent;
    });
  };
  CHECK(equivalent(0.018) >= 0.8); // 84.9 %
  // One independent series in four is merged by chance, and 10 units are too few at 2 %.
  CHECK(equivalent(0.02) < 0.8); // 74 %
}
