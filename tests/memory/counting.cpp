/** @file
    Requests are counted and passed on.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/recycling.hpp>

#include "blocks.hpp"
#include "catch.hpp"
#include "watched_memory.hpp"

#include <new>
#include <optional>

namespace memory = udpbench::memory;
using memory::counting;

namespace {

struct carried : watched_memory {
  int times = 0;
  void carry_over() { ++times; }
};

static_assert(memory::counts_use<counting<memory::heap>>);
static_assert(memory::counts_use<counting<watched_memory>>);
static_assert(!memory::counts_use<memory::heap>);
static_assert(!memory::counts_use<watched_memory>);

// What counts leaves a context behind exactly if what it counts does.
static_assert(memory::leaves_with_context<counting<memory::recycling>>);
static_assert(memory::leaves_with_context<counting<carried>>);
static_assert(!memory::leaves_with_context<counting<memory::heap>>);
static_assert(!memory::leaves_with_context<counting<watched_memory>>);

} // namespace

TEST_CASE("counting counts each request and passes it on as it came", "[memory]") {
  counting<watched_memory> counted;
  CHECK(counted.use().requests == 0);
  {
    const block<counting<watched_memory>> b(counted, 48, 32);
  }
  CHECK(counted.use().requests == 1);
  CHECK(counted.memory().requests == 1);
  CHECK(counted.memory().last_bytes == 48);
  CHECK(counted.memory().last_alignment == 32);
  CHECK(counted.memory().last_freed_bytes == 48);
  CHECK(counted.memory().last_freed_alignment == 32);
  CHECK(counted.memory().outstanding == 0);
  for (int i = 0; i < 9; ++i) block<counting<watched_memory>>(counted, 1);
  CHECK(counted.use().requests == 10);
}

TEST_CASE("what went on to the heap is told by the memory that knows", "[memory]") {
  counting<memory::fixed_block<64>> counted;
  CHECK(counted.use().upstream == std::optional<std::uint64_t>(0));
  {
    const block<counting<memory::fixed_block<64>>> small(counted, 64);
  }
  {
    const block<counting<memory::fixed_block<64>>> large(counted, 65);
  }
  CHECK(counted.use().requests == 2);
  CHECK(counted.use().upstream == std::optional<std::uint64_t>(1));
}

TEST_CASE("what went on to the heap is absent where the memory doesn't know", "[memory]") {
  counting<watched_memory> counted;
  {
    const block<counting<watched_memory>> b(counted, 1);
  }
  CHECK_FALSE(counted.use().upstream.has_value());
  CHECK_FALSE(counting<memory::recycling>().use().upstream.has_value());
}

TEST_CASE("carrying over is passed on", "[memory]") {
  counting<carried> counted;
  counted.carry_over();
  counted.carry_over();
  CHECK(counted.memory().times == 2);
  CHECK(counted.use().requests == 0);
}

TEST_CASE("a request that fails is a request, and its exception passes through", "[memory]") {
  counting<watched_memory> counted;
  counted.memory().exhausted = true;
  CHECK_THROWS_AS(counted.allocate(1, 1), std::bad_alloc);
  CHECK(counted.use().requests == 1);
  CHECK(counted.memory().outstanding == 0);
}
