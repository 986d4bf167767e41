/** @file
    Drift between the halves of a run.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/drift.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <vector>

namespace statistics = udpbench::statistics;
using series::ladder;
using series::mentions;
using series::refusal;
using statistics::find_drift;
using values = std::vector<double>;

namespace {

/** Two halves, each a ladder of 10 about its centre. */
values halves(double first, double second, double step) {
  auto d = ladder(10, first, step);
  for (const auto value : ladder(10, second, step)) d.push_back(value);
  return d;
}

} // namespace

TEST_CASE("halves that are apart by more than the margin alarm, in both directions",
          "[statistics]") {
  const auto up = find_drift(halves(1, 1.05, 0.001), 0.02).value();
  CHECK(up.alarm);
  CHECK(up.ratio == Approx(std::exp(0.05)));
  const auto down = find_drift(halves(1, 0.95, 0.001), 0.02).value();
  CHECK(down.alarm);
  CHECK(down.ratio == Approx(std::exp(-0.05)));
}

TEST_CASE("halves that are apart by less than the margin don't alarm, however clearly",
          "[statistics]") {
  const auto d = find_drift(halves(0, 0.019, 0.0001), 0.02).value(); // the margin is 0.0198 in logs
  CHECK(!d.alarm);
  CHECK(d.p < 0.001);
  CHECK(find_drift(halves(0, 0.0199, 0.0001), 0.02)->alarm);
}

TEST_CASE("halves that overlap too much don't alarm, however far apart", "[statistics]") {
  const auto d = find_drift(halves(0, 0.5, 0.2), 0.02).value(); // 7.5 of 10 wins
  CHECK(!d.alarm);
  CHECK(d.p > 0.01);
}

TEST_CASE("independent blocks alarm in at most 1 % of the series", "[statistics]") {
  series::engine random{20067};
  int alarms = 0;
  constexpr int runs = 2'000;
  for (int run = 0; run != runs; ++run)
    alarms += find_drift(series::normal(random, 20, 0, 0.2), 0.02)->alarm ? 1 : 0;
  CAPTURE(alarms);
  // P(U <= 16) for ten and ten is 0.89 % from both sides; three standard errors either way.
  CHECK(alarms > 0.0025 * runs);
  CHECK(alarms < 0.0155 * runs);
}

TEST_CASE("a shift of 5 % in mid-run is found in nine series of ten at a deviation of 2 %",
          "[statistics]") {
  series::engine random{20068};
  CHECK(series::share(400, [&] {
          auto d = series::normal(random, 20, 0, 0.02);
          for (std::size_t i = 10; i != 20; ++i) d[i] += std::log(1.05);
          return find_drift(d, 0.02)->alarm;
        }) > 0.9);
}

TEST_CASE("the middle of an odd number belongs to neither half", "[statistics]") {
  auto d = halves(1, 1.05, 0.001);
  d.insert(d.begin() + 10, -100);
  const auto found = find_drift(d, 0.02).value();
  CHECK(found.ratio == Approx(std::exp(0.05)));
  CHECK(found.p == Approx(2.0 / 184'756));
}

TEST_CASE("fewer than 10 blocks have no halves to speak of", "[statistics]") {
  CHECK(!find_drift(ladder(9, 0, 1), 0.02));
  CHECK(find_drift(ladder(10, 0, 1), 0.02)->alarm); // 5 and 5: 2 of 252 divisions
}

TEST_CASE("drift by no margin and in no series is refused", "[statistics]") {
  for (const auto bad : {0.0, -0.02, series::nan, series::infinity})
    CHECK(mentions(refusal([&] { find_drift(ladder(20, 0, 1), bad); }), "margin"));
  for (const auto bad : {series::nan, series::infinity})
    CHECK(mentions(refusal([&] { find_drift(values{0, bad}, 0.02); }), "[1] is"));
}
