/** @file
    A real allocation for each operation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/heap.hpp>

#include "blocks.hpp"
#include "catch.hpp"
#include "count_new.hpp"

#include <cstddef>
#include <vector>

using udpbench::memory::heap;

TEST_CASE("the heap is asked each time, and told so", "[memory]") {
  heap memory;
  CHECK(memory.upstream() == 0);
  const auto news = support::news;
  const auto deletes = support::deletes;
  for (int i = 0; i < 5; ++i) block<heap>(memory, 200);
  const auto made = support::news - news;
  const auto freed = support::deletes - deletes;
  CHECK(made == 5);
  CHECK(freed == 5);
  CHECK(memory.upstream() == 5);
}

TEST_CASE("the heap gives every alignment that is asked for", "[memory]") {
  heap memory;
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    const auto before = support::aligned_news;
    const block<heap> b(memory, 3 * alignment, alignment);
    const auto asked = support::aligned_news - before;
    CAPTURE(alignment);
    CHECK(aligned(b.get(), alignment));
    CHECK(asked == (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? 1 : 0));
  }
}
