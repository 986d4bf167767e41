/** @file
    The median of Walsh averages, against all of them written out.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/hodges_lehmann.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace statistics = udpbench::statistics;
using series::mentions;
using series::refusal;
using statistics::hodges_lehmann;
using values = std::vector<double>;

namespace {

double written_out(const values& d) {
  values averages;
  for (std::size_t i = 0; i != d.size(); ++i)
    for (std::size_t j = i; j != d.size(); ++j) averages.push_back((d[i] + d[j]) / 2);
  return statistics::median(averages);
}

} // namespace

TEST_CASE("the Hodges-Lehmann estimate is the one computed by hand", "[statistics]") {
  CHECK(hodges_lehmann(values{7}) == 7);
  CHECK(hodges_lehmann(values{1, 2}) == 1.5);
  // Averages 0 0.5 1 4.5 5 9, where the median of the values would be 1.
  CHECK(hodges_lehmann(values{9, 0, 1}) == 2.75);
  // Averages -8 -4.5 -4 -1 -0.5 0
  CHECK(hodges_lehmann(values{-8, -1, 0}) == -2.5);
  CHECK(hodges_lehmann(values{3, 3, 3, 3}) == 3);
}

TEST_CASE("the Hodges-Lehmann estimate is the median of all averages to the last bit",
          "[statistics]") {
  series::engine random{20061};
  for (std::size_t n = 1; n <= 30; ++n) {
    CAPTURE(n);
    const auto d = series::normal(random, n, 0, 0.02);
    CHECK(hodges_lehmann(d) == written_out(d));
    auto tied = d;
    for (auto& value : tied) value = std::round(value * 100) / 100;
    CHECK(hodges_lehmann(tied) == written_out(tied));
  }
}

TEST_CASE("the Hodges-Lehmann estimate of a symmetric series is its centre at any length",
          "[statistics]") {
  CHECK(hodges_lehmann(series::ladder(10'000, 0.25, 0.5)) == 0.25);
}

TEST_CASE("the Hodges-Lehmann estimate does not depend on the unit", "[statistics]") {
  CHECK(hodges_lehmann(values{9e-300, 0, 1e-300}) == Approx(2.75e-300).epsilon(1e-12));
  CHECK(hodges_lehmann(values{-9e300, 0, -1e300}) == Approx(-2.75e300).epsilon(1e-12));
}

TEST_CASE("a series without a Hodges-Lehmann estimate is refused", "[statistics]") {
  CHECK(mentions(refusal([] { hodges_lehmann(values{}); }), "no values"));
  for (const auto bad : {series::nan, series::infinity, -series::infinity})
    CHECK(mentions(refusal([&] { hodges_lehmann(values{0, bad}); }), "[1] is"));
  constexpr auto huge = std::numeric_limits<double>::max();
  CHECK_THROWS_AS(hodges_lehmann(values{0, huge}), std::overflow_error);
  CHECK_THROWS_AS(hodges_lehmann(values{0, -huge}), std::overflow_error);
}
