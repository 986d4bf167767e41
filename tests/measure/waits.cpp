/** @file
    Without the counter, nobody knows how many datagrams came between two waits. (`bench/` and tests/servers link the counter.)

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/between_waits.hpp>
#include <udpbench/measure/waits.hpp>

#include "catch.hpp"

TEST_CASE("in an executable that doesn't count its waits nothing has come between them",
          "[measure]") {
  CHECK(udpbench::measure::thread_waits() == nullptr);
  udpbench::measure::between_waits counted;
  {
    const udpbench::measure::between_waits::stretch all(counted);
    counted.one();
  }
  CHECK(counted.sizes().count() == 0);
}
