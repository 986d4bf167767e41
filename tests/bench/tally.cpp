/** @file
    What the calibration of the comparison is held to.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/tally.hpp"
#include "../../bench/tally_table.hpp"

#include "catch.hpp"

#include <sstream>
#include <stdexcept>

using calibration::shortcomings;
using calibration::tally;
using udpbench::record::comparison;
using udpbench::statistics::verdict;

namespace {

/** So many runs of that verdict, with intervals of that half-width. */
void add(tally& to, int runs, verdict word, double half = 0.004) {
  for (int i = 0; i < runs; ++i) {
    comparison c;
    c.ratio = 1;
    c.ci = {{std::exp(-half), std::exp(half)}};
    c.verdict = word;
    to.add(c);
  }
}

} // namespace

TEST_CASE("one wrong word about equals in twenty runs is tolerated, and a second is not",
          "[bench]") {
  tally five;
  add(five, 20, verdict::slower);
  tally same;
  add(same, 19, verdict::equivalent);
  add(same, 1, verdict::faster);
  CHECK(shortcomings(same, five).empty());
  add(same, 1, verdict::slower);
  REQUIRE(shortcomings(same, five).size() == 1);
  CHECK(shortcomings(same, five).front().find("slower or faster 2 times") != std::string::npos);
}

TEST_CASE("a planted cost that is missed more than once in twenty runs is told", "[bench]") {
  tally same;
  add(same, 20, verdict::equivalent);
  tally five;
  add(five, 19, verdict::slower);
  add(five, 1, verdict::inconclusive);
  CHECK(shortcomings(same, five).empty());
  add(five, 1, verdict::faster);
  REQUIRE(shortcomings(same, five).size() == 1);
  CHECK(shortcomings(same, five).front().find("only 19 times") != std::string::npos);
}

TEST_CASE("intervals wider than one percent are told, and none at all are, too", "[bench]") {
  tally five;
  add(five, 20, verdict::slower);
  tally wide;
  add(wide, 20, verdict::equivalent, 0.011);
  CHECK(shortcomings(wide, five).size() == 1);
  tally none;
  none.add(comparison{});
  CHECK(none.without() == 1);
  CHECK(shortcomings(none, five).size() == 1);
}

TEST_CASE("a run's comparisons go to their receivers, and no figure is made up for what has none",
          "[bench]") {
  calibration::tallies all({"equal", "5%"});
  CHECK(all.runs() == 0);
  CHECK_FALSE(all.baseline_ns());
  CHECK_FALSE(all.of("5%").median_ratio());
  for (const double ns : {600.0, 640.0, 610.0}) {
    udpbench::record::run run;
    run.results.resize(2);
    run.results[0].summary.ns_per_datagram = ns;
    run.results[1].summary.ns_per_datagram = 2 * ns;
    run.comparisons.resize(3);
    run.comparisons[0].receiver = "5%";
    run.comparisons[0].verdict = verdict::slower;
    run.comparisons[1].receiver = "equal";
    run.comparisons[1].verdict = verdict::equivalent;
    run.comparisons[2].receiver = "another";
    all.add(run);
  }
  CHECK(all.runs() == 3);
  CHECK(all.baseline_ns() == 610);
  CHECK(all.of("5%").called(verdict::slower) == 3);
  CHECK(all.of("equal").called(verdict::equivalent) == 3);
  CHECK(all.of("equal").called(verdict::slower) == 0);
  CHECK_THROWS_AS(all.of("another"), std::out_of_range);
}

TEST_CASE(
    "the table gives each receiver its counts and what its planted cost was of the baseline's",
    "[bench]") {
  calibration::tallies all({"5%"});
  udpbench::record::run run;
  run.results.resize(1);
  run.results[0].summary.ns_per_datagram = 600;
  run.comparisons.resize(1);
  run.comparisons[0].receiver = "5%";
  run.comparisons[0].verdict = verdict::slower;
  run.comparisons[0].ratio = 1.052;
  all.add(run);
  std::ostringstream out;
  calibration::print(out, all, {{"5%", 30.0}});
  CHECK_THAT(out.str(), Catch::Contains("     5%   30.0   5.0           0       1       0        "
                                        "     0     0  1.052           -     -\n"));
}
