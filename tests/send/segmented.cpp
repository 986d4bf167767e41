/** @file
    How many segments one send carries.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/send/segmented.hpp>

#include "catch.hpp"

#include <cstddef>

using udpbench::send::segmented;

TEST_CASE("a segmented send carries at most 64 segments and 65,473 bytes", "[send]") {
  static_assert(segmented::most(1) == 64);
  static_assert(segmented::most(1023) == 64);
  static_assert(segmented::most(1024) == 63);
  static_assert(segmented::most(1472) == 44);
  static_assert(segmented::most(32'736) == 2);
  static_assert(segmented::most(32'737) == 1);
  static_assert(segmented::most(65'507) == 1);
  static_assert(segmented::largest_payload == 65'473);
  static_assert(segmented::most(100'000) == 1);
  static_assert(segmented::most(0) == 1);
  for (std::size_t size = 1; size <= segmented::largest_payload; ++size) {
    const auto most = segmented::most(size);
    REQUIRE(most * size <= segmented::largest_payload);
    REQUIRE((most == 64 || (most + 1) * size > segmented::largest_payload));
  }
}
