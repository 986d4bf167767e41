/** @file
    Processes as units.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/judge.hpp>
#include <udpbench/statistics/processes.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace statistics = udpbench::statistics;
using series::ladder;
using series::mentions;
using series::refusal;
using statistics::summarise_processes;
using processes = std::vector<std::vector<double>>;

TEST_CASE("a process counts by its median, however many blocks it has", "[statistics]") {
  const auto ratio = summarise_processes(processes{{0.1, 0.2, 9}, ladder(100, 0.3, 0.001), {0.25}});
  CHECK(ratio.n == 3);
  CHECK(ratio.estimate == Approx(std::exp(0.25)));
  CHECK(ratio.blocks_per_unit == 1);
}

TEST_CASE("a process without a valid block doesn't count", "[statistics]") {
  CHECK(summarise_processes(processes{{0.1}, {}, {0.2}}).n == 2);
  CHECK(mentions(refusal([] { summarise_processes(processes{{}, {}}); }), "no process"));
  CHECK(mentions(refusal([] { summarise_processes(processes{}); }), "no process"));
}

TEST_CASE("six processes are the fewest with an interval, and twelve are enough for a large table",
          "[statistics]") {
  const auto of = [](std::size_t n) {
    return summarise_processes(processes(n, ladder(20, 0.5, 0.001)));
  };
  CHECK(!of(statistics::fewest_processes - 1).ci95);
  CHECK(of(statistics::fewest_processes).ci95);
  const auto called = [&](std::size_t n, std::size_t comparisons) {
    using namespace statistics;
    return judge(of(n), 0.02, better::lower, comparisons, {}).word == verdict::slower;
  };
  CHECK(called(6, 1));
  CHECK(!called(7, 4));
  CHECK(called(8, 6));
  CHECK(!called(8, 7));
  CHECK(called(statistics::advised_processes, 102));
  CHECK(!called(statistics::advised_processes, 103));
}

TEST_CASE("the luck of a process is in the interval over processes and not in that of one",
          "[statistics]") {
  series::engine random{20070};
  std::normal_distribution<double> luck{0, 0.012};
  int one = 0;
  int all = 0;
  constexpr int runs = 500;
  for (int run = 0; run != runs; ++run) {
    processes d;
    for (int p = 0; p != 12; ++p) d.push_back(series::normal(random, 20, luck(random), 0.02));
    one += excludes(statistics::summarise(d.front()).ci95.value(), 1) ? 0 : 1;
    all += excludes(summarise_processes(d).ci95.value(), 1) ? 0 : 1;
  }
  CAPTURE(one, all);
  CHECK(one < 0.75 * runs);
  CHECK(all > 0.93 * runs); // 96.1 % by the 3rd and 10th of 12, less three standard errors
}
