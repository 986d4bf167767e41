/** @file
    The sign test's ranks: against the published pairs, against integers, and by simulation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/sign_test.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace statistics = udpbench::statistics;
using series::mentions;
using series::refusal;
using statistics::ranks;
using statistics::sign_coverage;
using statistics::sign_interval;
using statistics::sign_ranks;

namespace {

/** The coverage of k and n+1-k by counting with integers; n up to 60. */
double counted_coverage(std::size_t n, std::size_t k) {
  std::uint64_t choose = 1;
  std::uint64_t below = 0;
  for (std::size_t j = 0; j != k; ++j) {
    below += choose;
    choose = choose * (n - j) / (j + 1);
  }
  return 1 - std::ldexp(2.0 * static_cast<double>(below), -static_cast<int>(n));
}

} // namespace

TEST_CASE("the ranks are those that the measurement page publishes", "[statistics]") {
  struct row {
    std::size_t n;
    double confidence;
    ranks expected;
  };
  const auto r = GENERATE(Catch::Generators::values<row>({
      {12, 0.95, {3, 10}},
      {20, 0.95, {6, 15}},
      {52, 0.95, {19, 34}},
      {12, 0.90, {3, 10}},
      {20, 0.90, {6, 15}},
      {30, 0.90, {11, 20}},
      {44, 0.90, {17, 28}},
      {52, 0.90, {20, 33}},
      {20, 0.99, {4, 17}},
      {20, 1 - 0.05 / 5, {4, 17}},
      {20, 1 - 0.05 / 10, {4, 17}},
      {20, 1 - 0.05 / 20, {3, 18}},
  }));
  CAPTURE(r.n, r.confidence);
  const auto found = sign_ranks(r.n, r.confidence);
  REQUIRE(found);
  CHECK(found->low == r.expected.low);
  CHECK(found->high == r.expected.high);
}

TEST_CASE("the fewest values with an interval are 5 for 90 % and 6 for 95 % and 8 for 99 %",
          "[statistics]") {
  struct row {
    std::size_t fewest;
    double confidence;
  };
  const auto r = GENERATE(Catch::Generators::values<row>({{5, 0.90}, {6, 0.95}, {8, 0.99}}));
  for (std::size_t n = 0; n != r.fewest; ++n) CHECK(!sign_ranks(n, r.confidence));
  CHECK(sign_ranks(r.fewest, r.confidence) == std::optional{ranks{1, r.fewest}});
}

TEST_CASE("from 6 to 100 values the coverage is at least nominal and one rank less is not enough",
          "[statistics]") {
  for (const double confidence : {0.90, 0.95, 0.99})
    for (std::size_t n = 8; n <= 100; ++n) {
      CAPTURE(n, confidence);
      const auto r = sign_ranks(n, confidence);
      REQUIRE(r);
      CHECK(r->low + r->high == n + 1);
      CHECK(sign_coverage(n, *r) >= confidence);
      REQUIRE(r->low + 1 <= r->high - 1);
      CHECK(sign_coverage(n, {r->low + 1, r->high - 1}) < confidence);
    }
  for (std::size_t n : {6u, 7u}) CHECK(sign_coverage(n, *sign_ranks(n, 0.95)) >= 0.95);
}

TEST_CASE("the coverage is what counting with integers gives", "[statistics]") {
  for (std::size_t n = 2; n <= 52; ++n)
    for (std::size_t k = 1; k <= n / 2; ++k)
      CHECK(sign_coverage(n, {k, n + 1 - k}) == Approx(counted_coverage(n, k)).epsilon(1e-12));
}

TEST_CASE("a coverage that equals the confidence is enough", "[statistics]") {
  CHECK(sign_ranks(2, 0.5) == std::optional{ranks{1, 2}});
  CHECK(sign_ranks(3, 0.75) == std::optional{ranks{1, 3}});
  CHECK(sign_ranks(5, 0.9375) == std::optional{ranks{1, 5}});
}

TEST_CASE("ranks that are not symmetric have a coverage too", "[statistics]") {
  // Of 3 signs: all below 1/8, one above 3/8, two 3/8. Between rank 1 and rank 2: exactly one
  // below.
  CHECK(sign_coverage(3, {1, 2}) == Approx(3.0 / 8));
  CHECK(sign_coverage(3, {2, 2}) == Approx(0).margin(1e-15));
}

TEST_CASE("ten thousand values have an interval about as wide as the normal law says",
          "[statistics]") {
  const auto r = sign_ranks(10'000, 0.95);
  REQUIRE(r);
  CHECK(r->low == Approx(5'000 - 1.96 * 50).margin(2)); // SD of the count: sqrt(n)/2
}

TEST_CASE("the interval is made of the values at the ranks", "[statistics]") {
  const std::vector<double> twelve{12, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6};
  CHECK(sign_interval(twelve, 0.95) == std::optional{statistics::interval{3, 10}});
  CHECK(!sign_interval(std::vector<double>{1, 2, 3, 4, 5}, 0.95));
}

TEST_CASE("the ends of an interval belong to it", "[statistics]") {
  constexpr statistics::interval unit{0, 1};
  CHECK(!excludes(unit, 0));
  CHECK(!excludes(unit, 1));
  CHECK(excludes(unit, -0.1));
  CHECK(excludes(unit, 1.1));
  CHECK(inside(unit, unit));
  CHECK(!inside({-0.1, 0.5}, unit));
  CHECK(!inside({0.5, 1.1}, unit));
}

TEST_CASE("in simulated runs the interval holds the median as often as computed", "[statistics]") {
  series::engine random{20051};
  const auto expected = sign_coverage(20, {6, 15}); // 0.9586
  const auto holds = [](const std::vector<double>& d, double median) {
    return !excludes(sign_interval(d, 0.95).value(), median);
  };
  CHECK(series::share(4'000, [&] { return holds(series::normal(random, 20, 3, 2), 3); }) ==
        Approx(expected).margin(0.013)); // 4 standard errors
  // No symmetry is asked for: an exponential's median is ln 2, far from its mean.
  std::exponential_distribution<double> skewed;
  CHECK(series::share(4'000, [&] {
          std::vector<double> d(20);
          for (auto& value : d) value = skewed(random);
          return holds(d, std::log(2.0));
        }) == Approx(expected).margin(0.013));
}

TEST_CASE("a confidence that is no share of 1 is refused", "[statistics]") {
  for (const double bad : {0.0, 1.0, -0.5, 95.0, series::nan, series::infinity}) {
    CAPTURE(bad);
    CHECK(mentions(refusal([&] { sign_ranks(20, bad); }), "confidence"));
    CHECK(mentions(refusal([&] { sign_interval(std::vector<double>(20), bad); }), "confidence"));
  }
}

TEST_CASE("ranks outside the series or out of order are refused", "[statistics]") {
  for (const auto bad : {ranks{0, 3}, ranks{3, 2}, ranks{1, 6}})
    CHECK_THROWS_AS(sign_coverage(5, bad), std::invalid_argument);
}

TEST_CASE("an interval of a series that is not finite is refused", "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, -series::infinity}) {
    std::vector<double> d(20);
    d[7] = bad;
    CHECK(mentions(refusal([&] { sign_interval(d, 0.95); }), "[7] is"));
    CHECK(mentions(refusal([&] { statistics::sign_interval_of_sorted(d, 0.95); }), "[7] is"));
  }
}
