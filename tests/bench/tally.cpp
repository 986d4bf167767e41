/** @file
    What the calibration of the comparison is held to.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/tally.hpp"

#include "catch.hpp"

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
