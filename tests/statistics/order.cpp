/** @file
    The middle of a series.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/order.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

namespace statistics = udpbench::statistics;
using series::mentions;
using series::refusal;
using values = std::vector<double>;

TEST_CASE("the median of an odd number of values is the middle one", "[statistics]") {
  CHECK(statistics::median(values{5, -1, 3}) == 3);
  CHECK(statistics::median(values{7}) == 7);
}

TEST_CASE("the median of an even number of values lies halfway between the two in the middle",
          "[statistics]") {
  CHECK(statistics::median(values{9, 1, 2, 4}) == 3);
  constexpr auto huge = std::numeric_limits<double>::max();
  CHECK(statistics::median(values{huge, huge}) == huge);
}

TEST_CASE("the median leaves its series in its order", "[statistics]") {
  const values unsorted{3, 1, 2};
  auto copy = unsorted;
  statistics::median(copy);
  CHECK(copy == unsorted);
}

TEST_CASE("the mean is the sum over the number", "[statistics]") {
  CHECK(statistics::mean(values{1, 2, 6}) == 3);
}

TEST_CASE("rank 1 is the smallest value and rank n the largest", "[statistics]") {
  const values ascending{10, 20, 30};
  CHECK(statistics::order_statistic(ascending, 1) == 10);
  CHECK(statistics::order_statistic(ascending, 3) == 30);
  CHECK_THROWS_AS(statistics::order_statistic(ascending, 0), std::out_of_range);
  CHECK_THROWS_AS(statistics::order_statistic(ascending, 4), std::out_of_range);
}

TEST_CASE("an empty series has neither median nor mean", "[statistics]") {
  CHECK_THROWS_AS(statistics::median(values{}), std::invalid_argument);
  CHECK_THROWS_AS(statistics::mean(values{}), std::invalid_argument);
}

TEST_CASE("a value that is not finite is refused by its place", "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, -series::infinity}) {
    const values spoilt{1, 2, bad};
    CHECK(mentions(refusal([&] { statistics::median(spoilt); }), "[2] is"));
    CHECK(mentions(refusal([&] { statistics::median_of_sorted(spoilt); }), "[2] is"));
    CHECK(mentions(refusal([&] { statistics::mean(spoilt); }), "[2] is"));
  }
  CHECK(mentions(refusal([] { statistics::median(values{series::nan}); }), "nan"));
  CHECK(mentions(refusal([] { statistics::median(values{series::infinity}); }), "inf"));
}

TEST_CASE("a mean whose sum is beyond a double is refused and no infinity", "[statistics]") {
  constexpr auto huge = std::numeric_limits<double>::max();
  CHECK_THROWS_AS(statistics::mean(values{huge, huge}), std::overflow_error);
}
