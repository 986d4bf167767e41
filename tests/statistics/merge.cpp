/** @file
    Neighbouring blocks that are alike.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/merge.hpp>
#include <udpbench/statistics/sign_test.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace statistics = udpbench::statistics;
using series::mentions;
using series::refusal;
using statistics::lag1_autocorrelation;
using statistics::merge_dependent;
using statistics::merge_neighbours;
using values = std::vector<double>;

TEST_CASE("the lag-1 autocorrelation is the one computed by hand", "[statistics]") {
  // Deviations -1.5 -0.5 0.5 1.5: (0.75 - 0.25 + 0.75) / 5
  CHECK(lag1_autocorrelation(values{1, 2, 3, 4}).value() == Approx(0.25));
  // Deviations 1 -1 1 -1: -3 / 4
  CHECK(lag1_autocorrelation(values{8, 6, 8, 6}).value() == Approx(-0.75));
}

TEST_CASE("the lag-1 autocorrelation does not depend on the unit", "[statistics]") {
  CHECK(lag1_autocorrelation(values{1e200, 2e200, 3e200, 4e200}).value() == Approx(0.25));
  CHECK(lag1_autocorrelation(values{1e-200, 2e-200, 3e-200, 4e-200}).value() == Approx(0.25));
}

TEST_CASE("a series without variation has no autocorrelation", "[statistics]") {
  CHECK(!lag1_autocorrelation(values{}));
  CHECK(!lag1_autocorrelation(values{1}));
  CHECK(!lag1_autocorrelation(values(20, 0.1)));
  CHECK(merge_dependent(values(20, 0.1)).units.size() == 20);
}

TEST_CASE("neighbours are merged in pairs and the last three of an odd number together",
          "[statistics]") {
  CHECK(merge_neighbours(values{1, 3, 10, 20}) == values{2, 15});
  CHECK(merge_neighbours(values{1, 3, 10, 20, 30}) == values{2, 20});
  CHECK(merge_neighbours(values{1, 2, 6}) == values{3});
  CHECK(merge_neighbours(values{1}) == values{1});
  CHECK(merge_neighbours(values{}).empty());
}

TEST_CASE("independent blocks stay as they are", "[statistics]") {
  values alternating;
  for (int i = 0; i != 20; ++i) alternating.push_back(i % 2);
  const auto kept = merge_dependent(alternating);
  CHECK(kept.units == alternating);
  CHECK(kept.blocks_per_unit == 1);
}

TEST_CASE("a trend of 12 blocks is merged to 6 units and one of 11 stays", "[statistics]") {
  const auto merged = merge_dependent(series::ladder(12, 0, 1));
  CHECK(merged.units.size() == 6);
  CHECK(merged.blocks_per_unit == 2);
  CHECK(merge_dependent(series::ladder(11, 0, 1)).units == series::ladder(11, 0, 1));
}

TEST_CASE("merging goes on while the merged units still resemble each other", "[statistics]") {
  const auto merged = merge_dependent(series::ladder(52, 0, 1)); // 26, 13, 6
  CHECK(merged.units.size() == 6);
  CHECK(merged.blocks_per_unit == 8);
}

TEST_CASE("units whose autocorrelation is above 0.1 are merged and those below are not",
          "[statistics]") {
  // A wave that turns by w a block has r1 = cos w, and its merged units turn by 2 w: they no longer
  // resemble.
  const auto wave = [](int turns) {
    values d;
    for (int i = 0; i != 1'000; ++i) d.push_back(std::cos(6.283185307179586 * turns * i / 1'000));
    return d;
  };
  REQUIRE(lag1_autocorrelation(wave(234)).value() == Approx(0.1002).margin(0.0001));
  REQUIRE(lag1_autocorrelation(wave(235)).value() == Approx(0.0939).margin(0.0001));
  CHECK(merge_dependent(wave(234)).units == merge_neighbours(wave(234)));
  CHECK(merge_dependent(wave(234)).blocks_per_unit == 2);
  CHECK(merge_dependent(wave(235)).units == wave(235));
}

TEST_CASE("after merging the interval of a drifting run holds the median again", "[statistics]") {
  series::engine random{20052};
  int plain = 0;
  int merged = 0;
  constexpr int runs = 1'000;
  for (int run = 0; run != runs; ++run) {
    const auto d = series::drifting(random, 52, 0.4);
    plain += excludes(statistics::sign_interval(d, 0.95).value(), 0) ? 0 : 1;
    const auto units = merge_dependent(d).units;
    merged += excludes(statistics::sign_interval(units, 0.95).value(), 0) ? 0 : 1;
  }
  CHECK(plain < 0.91 * runs);
  CHECK(merged > 0.94 * runs);
}

TEST_CASE("merging refuses what is not finite", "[statistics]") {
  constexpr auto huge = std::numeric_limits<double>::max();
  CHECK(mentions(refusal([] { lag1_autocorrelation(values{huge, -huge, -huge}); }), "deviation"));
  for (const auto bad : {series::nan, series::infinity, -series::infinity}) {
    CHECK(mentions(refusal([&] { merge_dependent(values{0, bad}); }), "[1] is"));
    CHECK(mentions(refusal([&] { lag1_autocorrelation(values{0, bad}); }), "[1] is"));
    CHECK(mentions(refusal([&] { lag1_autocorrelation(values{bad}); }), "[0] is"));
    CHECK(mentions(refusal([&] { merge_neighbours(values{0, bad}); }), "[1] is"));
  }
}
