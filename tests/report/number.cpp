// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"

#include <udpbench/report/number.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

using namespace udpbench::report;

TEST_CASE("thousands are grouped with commas", "[report]") {
  CHECK(count(std::uint64_t{999}) == "999");
  CHECK(count(std::uint64_t{1000}) == "1,000");
  CHECK(count(std::uint64_t{18446744073709551615u}) == "18,446,744,073,709,551,615");
  CHECK(count(std::int64_t{-123}) == "-123");
  CHECK(count(std::int64_t{-1234567}) == "-1,234,567");
  CHECK(fixed(1234567.891, 2) == "1,234,567.89");
  CHECK(fixed(-1000, 0) == "-1,000");
}

TEST_CASE("a figure that is missing or no number is a dash", "[report]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const figure& x : {figure{}, figure{nan}, figure{infinity}, figure{-infinity}}) {
    CHECK(shown(x, 2) == "–");
    CHECK(percent(x) == "–");
    CHECK(ratio(x) == "–");
    CHECK(scale_for(time_ns, {x, 3.0})(x) == "–");
  }
  CHECK(interval(std::nullopt) == "–");
  CHECK(interval({{0.9, nan}}) == "–");
}

TEST_CASE("only 0 is shown as 0", "[report]") {
  CHECK(shown(0.0, 2) == "0");
  CHECK(shown(0.004, 2) == "<0.01");
  CHECK(shown(0.006, 2) == "0.01");
  CHECK(shown(0.2, 0) == "<1");
  CHECK(percent(0.0) == "0 %");
  CHECK(percent(0.00001) == "<0.01 %");
}

TEST_CASE("parts of one are shown as percentages", "[report]") {
  CHECK(percent(0.3307) == "33.1 %");
  CHECK(percent(0.0068) == "0.68 %");
  CHECK(percent(1.0) == "100.0 %");
  CHECK(chosen_percent(0.02) == "2 %");
  CHECK(chosen_percent(0.005) == "0.5 %");
  CHECK(chosen_percent(0.95) == "95 %");
}

TEST_CASE("bytes are shown in the largest unit that is exact", "[report]") {
  CHECK(bytes(0) == "0 B");
  CHECK(bytes(64) == "64 B");
  CHECK(bytes(1024) == "1 KiB");
  CHECK(bytes(1472) == "1,472 B");
  CHECK(bytes(212992) == "208 KiB");
  CHECK(bytes(4194304) == "4 MiB");
}

TEST_CASE("one unit is chosen for a column from its largest figure", "[report]") {
  CHECK(scale_for(time_ns, {621.0, 871.0}).unit == "ns");
  CHECK(scale_for(time_ns, {621.0, 9999.0}).unit == "ns");
  CHECK(scale_for(time_ns, {621.0, 10000.0}).unit == "µs");
  CHECK(scale_for(per_second, {977e3, 1247e3}).unit == "k/s");
  CHECK(scale_for(per_second, {977e3, 26e6}).unit == "M/s");
  CHECK(scale_for(per_second, {5.0}).unit == "/s");
  CHECK(scale_for(per_second, {}).unit == "/s");
}

TEST_CASE("one number of decimals serves the smallest figure of a column too", "[report]") {
  const scale s = scale_for(per_second, {26e6, 260e3});
  CHECK(s(26e6) == "26.00");
  CHECK(s(260e3) == "0.26");
  CHECK(scale_for(time_ns, {621.4, 871.0})(621.4) == "621");
  CHECK(scale_for(time_ns, {62.14})(62.14) == "62.1");
  CHECK(scale_for(number_of, {1.0, 0.016})(0.016) == "0.016");
}

TEST_CASE("a ratio has three decimals around 1", "[report]") {
  CHECK(ratio(1.0) == "1.000");
  CHECK(ratio(0.79149) == "0.791");
  CHECK(ratio(12.345) == "12.35");
  CHECK(ratio(0.0123) == "0.0123");
  CHECK(interval({{0.99, 1.01}}) == "0.990 to 1.010");
}
