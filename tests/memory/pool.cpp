/** @file
    A pool of blocks.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/pool.hpp>

#include "blocks.hpp"
#include "catch.hpp"

#include <cstddef>

using udpbench::memory::pool;

TEST_CASE("a pool that has been asked once gives the block again, and fetches nothing",
          "[memory]") {
  pool memory;
  const void* first = block<pool>(memory, 200).get();
  const auto fetched = memory.upstream();
  CHECK(fetched > 0);
  for (int i = 0; i < 1000; ++i) CHECK(block<pool>(memory, 200).get() == first);
  CHECK(memory.upstream() == fetched);
}

TEST_CASE("a pool serves two blocks at once, and every alignment", "[memory]") {
  pool memory;
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    const block<pool> a(memory, 3 * alignment, alignment);
    const block<pool> b(memory, 3 * alignment, alignment);
    CAPTURE(alignment);
    CHECK(a.get() != b.get());
    CHECK(aligned(a.get(), alignment));
    CHECK(aligned(b.get(), alignment));
  }
}
