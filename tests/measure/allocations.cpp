/** @file
    Without the counter, the number of allocations isn't 0 but unknown. (`bench/` links the counter, no test does.)

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/allocations.hpp>

#include "catch.hpp"

TEST_CASE("an executable that doesn't count its allocations has no number of them", "[measure]") {
  CHECK_FALSE(udpbench::measure::thread_allocations().has_value());
}
