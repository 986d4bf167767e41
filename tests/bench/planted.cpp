/** @file
    What the calibration plants.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/planted.hpp"

#include "catch.hpp"

#include <cstdint>

TEST_CASE("a share of a whole cost is rounded to the nearest turn", "[bench]") {
  CHECK(calibration::share(600, 2) == 12);
  CHECK(calibration::share(600, 10) == 60);
  CHECK(calibration::share(625, 2) == 13);
  CHECK(calibration::share(620, 2) == 12);
  CHECK(calibration::share(600, 0) == 0);
}

TEST_CASE("each receiver pays what was planted into its own type, and the baseline nothing",
          "[bench]") {
  calibration::planted<5>::turns = 7;
  CHECK(calibration::planted<5>::turns == 7);
  CHECK(calibration::planted<0>::turns == 0);
  CHECK(calibration::planted<10>::turns == 0);
  calibration::planted<5>::turns = 0;
}
