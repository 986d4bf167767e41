/** @file
    One block for one operation, and the heap where that isn't enough.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/fixed_block.hpp>

#include "blocks.hpp"
#include "catch.hpp"

#include <cstddef>
#include <optional>
#include <type_traits>

using udpbench::memory::fixed_block;
using fixed = fixed_block<256>;

static_assert(!std::is_copy_constructible_v<fixed>);

namespace {

bool inside(const fixed& memory, const void* block) {
  const auto* const begin = reinterpret_cast<const std::byte*>(&memory);
  const auto* const at = static_cast<const std::byte*>(block);
  return !std::less<>()(at, begin) && std::less<>()(at, begin + sizeof memory);
}

} // namespace

TEST_CASE("a fixed block serves one operation after another without the heap", "[memory]") {
  fixed memory;
  for (const std::size_t bytes : {1u, 100u, 256u, 7u}) {
    const block<fixed> b(memory, bytes);
    CHECK(inside(memory, b.get()));
    CHECK(aligned(b.get(), alignof(std::max_align_t)));
  }
  CHECK(memory.upstream() == 0);
}

TEST_CASE("a fixed block that is out is not given out again", "[memory]") {
  fixed memory;
  std::optional<block<fixed>> first(std::in_place, memory, 100);
  std::optional<block<fixed>> second(std::in_place, memory, 100);
  CHECK(inside(memory, first->get()));
  CHECK_FALSE(inside(memory, second->get()));
  CHECK(memory.upstream() == 1);

  first.reset();
  {
    const block<fixed> third(memory, 100); // while the second is still out
    CHECK(inside(memory, third.get()));
  }
  second.reset(); // came from the heap and frees no fixed block
  const block<fixed> fourth(memory, 100);
  const block<fixed> fifth(memory, 100);
  CHECK(inside(memory, fourth.get()));
  CHECK_FALSE(inside(memory, fifth.get()));
  CHECK(memory.upstream() == 2);
}

TEST_CASE("giving back a block of the heap doesn't give back the fixed one", "[memory]") {
  fixed memory;
  const block<fixed> out(memory, 100);
  {
    const block<fixed> other(memory, 100);
  }
  const block<fixed> third(memory, 100);
  CHECK_FALSE(inside(memory, third.get()));
  CHECK(memory.upstream() == 2);
}

TEST_CASE("a request above a fixed block's size goes to the heap", "[memory]") {
  fixed memory;
  const block<fixed> large(memory, 257);
  CHECK_FALSE(inside(memory, large.get()));
  CHECK(memory.upstream() == 1);
  const block<fixed> small(memory, 256);
  CHECK(inside(memory, small.get()));
  CHECK(memory.upstream() == 1);
}

TEST_CASE("a request above a fixed block's alignment goes to the heap, which has it", "[memory]") {
  fixed memory;
  constexpr auto wide = 4 * alignof(std::max_align_t);
  const block<fixed> b(memory, 64, wide);
  CHECK_FALSE(inside(memory, b.get()));
  CHECK(aligned(b.get(), wide));
  CHECK(memory.upstream() == 1);
}
