/** @file
    Ratios by paired blocks.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/paired_ratio.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace statistics = udpbench::statistics;
using series::mentions;
using series::refusal;
using statistics::summarise;

TEST_CASE("the estimate is the exponential of the median log ratio", "[statistics]") {
  CHECK(summarise(std::vector<double>{0.5, -9, 0.1}).estimate == Approx(std::exp(0.1)));
  CHECK(summarise(std::vector<double>{0.1, 0.3}).estimate == Approx(std::exp(0.2)));
}

TEST_CASE("the intervals of a ratio are the sign test's made ratios", "[statistics]") {
  auto d = series::ladder(20, 0.1, 0.01);
  std::swap(d.front(), d.back());
  const auto ratio = summarise(d);
  CHECK(ratio.n == 20);
  REQUIRE(ratio.ci90);
  REQUIRE(ratio.ci95);
  REQUIRE(ratio.ci99);
  CHECK(ratio.ci95->low == Approx(std::exp(0.1 - 0.045)));
  CHECK(ratio.ci95->high == Approx(std::exp(0.1 + 0.045)));
  CHECK(ratio.ci99->low == Approx(std::exp(0.1 - 0.065)));
  CHECK(ratio.ci99->high == Approx(std::exp(0.1 + 0.065)));
  CHECK(ratio.ci90 == ratio.ci95); // of 20 both are the 6th and the 15th
}

TEST_CASE("with 52 blocks the 90 % interval is narrower than the 95 % interval", "[statistics]") {
  const auto ratio = summarise(series::ladder(52, 0, 0.01));
  CHECK(ratio.ci90.value().high == Approx(std::exp(0.065)));
  CHECK(ratio.ci95.value().high == Approx(std::exp(0.075)));
}

TEST_CASE("a ratio has its interval at any confidence", "[statistics]") {
  const auto ratio = summarise(series::ladder(20, 0, 0.01));
  CHECK(ratio.interval_at(1 - 0.05 / 20).value().high == Approx(std::exp(0.075))); // 3rd and 18th
  CHECK(ratio.interval_at(0.95) == ratio.ci95);
  CHECK(!ratio.interval_at(1 - 1e-9));
  CHECK(mentions(refusal([&] { (void)ratio.interval_at(series::nan); }), "confidence"));
}

TEST_CASE("an interval that too few blocks cannot give is absent", "[statistics]") {
  const auto with = [](std::size_t n) { return summarise(series::ladder(n, 0, 0.01)); };
  CHECK(!with(4).ci90);
  CHECK(with(5).ci90);
  CHECK(!with(5).ci95);
  CHECK(with(6).ci95);
  CHECK(!with(7).ci99);
  CHECK(with(8).ci99);
}

TEST_CASE("the inverse comparison has the inverse ratio and interval", "[statistics]") {
  series::engine random{2};
  const auto d = series::normal(random, 20, 0.03, 0.05);
  std::vector<double> inverse;
  for (const auto value : d) inverse.push_back(-value);
  const auto there = summarise(d);
  const auto back = summarise(inverse);
  CHECK(there.estimate == Approx(1 / back.estimate));
  CHECK(there.ci95.value().low == Approx(1 / back.ci95.value().high));
}

TEST_CASE("a ratio is refused where a log ratio is not finite or its exponential is not",
          "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, -series::infinity, 1e3, -1e3}) {
    CAPTURE(bad);
    CHECK(mentions(refusal([&] { summarise(std::vector<double>{0, bad}); }), "summarise"));
  }
  CHECK(mentions(refusal([] { summarise(std::vector<double>{0, series::nan}); }), "[1] is nan"));
}

TEST_CASE("a ratio remembers how many blocks one of its values stands for", "[statistics]") {
  CHECK(summarise(std::vector<double>{0.1, 0.2}, 4).blocks_per_unit == 4);
  CHECK(summarise(std::vector<double>{0.1, 0.2}).blocks_per_unit == 1);
}

TEST_CASE("a ratio of no blocks is refused", "[statistics]") {
  CHECK_THROWS_AS(summarise(std::vector<double>{}), std::invalid_argument);
  CHECK_THROWS_AS(summarise(std::vector<double>{0.1}, 0), std::invalid_argument);
}
