/** @file
    The clock's own figures, from clocks whose readings are known.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/clock.hpp>

#include "catch.hpp"
#include "manual_clock.hpp"

using support::scripted_clock;
using udpbench::measure::measure_clock;
using udpbench::measure::monotonic_clock;
using udpbench::measure::time_source;

namespace {

struct may_throw {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::steady_clock::time_point;
  time_point now();
};
static_assert(!time_source<may_throw>);
static_assert(time_source<std::chrono::steady_clock>);

} // namespace

TEST_CASE("the resolution is the smallest step above zero", "[measure]") {
  scripted_clock clock{{100, 100, 140, 140, 165, 205}};
  CHECK(measure_clock(clock, 5).resolution_ns == 25);
}

TEST_CASE("a clock that steps backwards gives no resolution below zero", "[measure]") {
  scripted_clock clock{{100, 140, 100, 130}};
  CHECK(measure_clock(clock, 3).resolution_ns == 30);
}

TEST_CASE("a reading costs the whole time over the number of readings", "[measure]") {
  scripted_clock clock{{1000, 1000, 1100, 1100, 1120}};
  CHECK(measure_clock(clock, 4).read_ns == 30);
  CHECK(clock.readings == 5);
}

TEST_CASE("a clock that never steps has a resolution of a second at best", "[measure]") {
  scripted_clock clock{{7}};
  const auto quality = measure_clock(clock, 1000);
  CHECK(quality.resolution_ns == 1e9);
  CHECK(quality.read_ns == 0);
}

TEST_CASE("a clock that isn't read has no figure that isn't finite", "[measure]") {
  scripted_clock clock{{7}};
  CHECK(measure_clock(clock, 0).read_ns == 0);
}

TEST_CASE("the monotonic clock never goes back and its figures are above zero", "[measure]") {
  monotonic_clock clock;
  auto previous = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const auto now = clock.now();
    REQUIRE(now >= previous);
    previous = now;
  }
  const auto quality = measure_clock(clock);
  CHECK(quality.resolution_ns > 0);
  CHECK(quality.read_ns > 0);
}
