/** @file
    Tests for dependence: what they see, and that they never answer NaN.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/dependence.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <vector>

namespace statistics = udpbench::statistics;
using series::mentions;
using series::refusal;
using statistics::ljung_box_p;
using statistics::runs_p;
using values = std::vector<double>;

TEST_CASE("the Ljung-Box p value is the one computed by hand", "[statistics]") {
  // Twelve alternating values: r1 = -11/12, r2 = 10/12, r3 = -9/12, three lags for ln 12 = 2.5.
  // Q = 12 * 14 * (121/144/11 + 100/144/10 + 81/144/9) = 35, for chi squared of 3 degrees.
  const values d{1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
  const auto q = 35.0;
  const auto beyond = std::erfc(std::sqrt(q / 2)) +
                      std::sqrt(2 * q / 3.14159265358979) * std::exp(-q / 2); // 3 degrees
  CHECK(ljung_box_p(d).value() == Approx(beyond).epsilon(1e-6));
}

TEST_CASE("the runs test's p value is the one computed by hand", "[statistics]") {
  // 6 above and 6 below in 2 runs, 7 expected with a variance of 2*36*(72-12)/(144*11) = 30/11.
  const auto d = series::ladder(12, 0, 1);
  CHECK(runs_p(d).value() == Approx(std::erfc(5 / std::sqrt(30.0 / 11) / std::sqrt(2.0))));
}

TEST_CASE("a series that keeps or changes its side too often looks dependent", "[statistics]") {
  values slow, alternating;
  for (int i = 0; i != 24; ++i) {
    slow.push_back(i / 12);
    alternating.push_back(i % 2);
  }
  for (const auto& d : {slow, alternating}) {
    CHECK(ljung_box_p(d).value() < 0.001);
    CHECK(runs_p(d).value() < 0.001);
  }
}

TEST_CASE("independent series seldom look dependent", "[statistics]") {
  series::engine random{20062};
  int box = 0;
  int runs = 0;
  constexpr int trials = 2'000;
  for (int i = 0; i != trials; ++i) {
    const auto d = series::normal(random, 20, 1, 0.02);
    box += ljung_box_p(d).value() < 0.05 ? 1 : 0;
    runs += runs_p(d).value() < 0.05 ? 1 : 0;
  }
  CAPTURE(box, runs);
  // Both laws are approximations: the true shares are 5.3 and 3.5 %.
  CHECK(box > 0.03 * trials);
  CHECK(box < 0.08 * trials);
  CHECK(runs > 0.02 * trials);
  CHECK(runs < 0.07 * trials);
}

TEST_CASE("a series too short for a test has no p value", "[statistics]") {
  for (std::size_t n = 0; n != 12; ++n) {
    CHECK(!ljung_box_p(series::ladder(n, 0, 1)));
    CHECK(!runs_p(series::ladder(n, 0, 1)));
  }
  CHECK(ljung_box_p(series::ladder(12, 0, 1)));
  CHECK(runs_p(series::ladder(12, 0, 1)));
  CHECK(!runs_p(values{5, 5, 5, 1, 9, 1, 9, 1, 9, 5, 5, 5})); // 6 off the median
}

TEST_CASE("a series without variation has no p value", "[statistics]") {
  CHECK(!ljung_box_p(values(20, 0.1)));
  CHECK(!runs_p(values(20, 0.1)));
}

TEST_CASE("a series with one side only has no runs", "[statistics]") {
  values d(16, 0.0);
  d.resize(31, 1.0); // the median is 0, and nothing is below
  CHECK(!runs_p(d));
  for (auto& value : d) value = -value;
  CHECK(!runs_p(d));
}

TEST_CASE("a p value does not depend on the unit", "[statistics]") {
  series::engine random{20063};
  const auto d = series::normal(random, 20, 0, 1);
  for (const double unit : {1e-200, 1e200}) {
    auto scaled = d;
    for (auto& value : scaled) value *= unit;
    CHECK(ljung_box_p(scaled).value() == Approx(ljung_box_p(d).value()));
    CHECK(runs_p(scaled).value() == runs_p(d).value());
  }
}

TEST_CASE("tests for dependence refuse what is not finite", "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, -series::infinity}) {
    values d(20);
    d[7] = bad;
    CHECK(mentions(refusal([&] { ljung_box_p(d); }), "[7] is"));
    CHECK(mentions(refusal([&] { runs_p(d); }), "[7] is"));
  }
}
