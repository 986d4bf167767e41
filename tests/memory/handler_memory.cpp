/** @file
    The hook: which types are handler memories, and how one is bound to a handler.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/recycling.hpp>

#include "catch.hpp"
#include "watched_memory.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <new>
#include <string>
#include <vector>

namespace memory = udpbench::memory;
using udpbench::handler_memory;

namespace {

static_assert(handler_memory<memory::heap>);
static_assert(handler_memory<memory::recycling>);
static_assert(handler_memory<memory::fixed_block<>>);
static_assert(handler_memory<memory::counting<memory::heap>>);
static_assert(handler_memory<watched_memory>);

struct returns_bytes {
  std::byte* allocate(std::size_t, std::size_t);
  void deallocate(void*, std::size_t, std::size_t) noexcept;
};
struct may_fail_to_free {
  void* allocate(std::size_t, std::size_t);
  void deallocate(void*, std::size_t, std::size_t);
};
struct ignores_alignment {
  void* allocate(std::size_t);
  void deallocate(void*, std::size_t) noexcept;
};
static_assert(!handler_memory<returns_bytes>);
static_assert(!handler_memory<may_fail_to_free>);
static_assert(!handler_memory<ignores_alignment>);
static_assert(!handler_memory<std::allocator<std::byte>>);
static_assert(!handler_memory<int>);

static_assert(memory::reports_upstream<memory::heap>);
static_assert(memory::reports_upstream<memory::fixed_block<64>>);
static_assert(!memory::reports_upstream<memory::recycling>);
static_assert(!memory::reports_upstream<watched_memory>);

static_assert(memory::leaves_with_context<memory::recycling>);
static_assert(!memory::leaves_with_context<memory::heap>);

struct plain {
  void operator()() const {}
};

template <class Memory>
struct hooked {
  using allocator_type = memory::bound_allocator<void, Memory>;
  allocator_type get_allocator() const noexcept { return allocator_type(*memory); }
  void operator()() const {}
  Memory* memory;
};

struct standard {
  using allocator_type = std::allocator<void>;
  allocator_type get_allocator() const noexcept { return {}; }
  void operator()() const {}
};

static_assert(memory::is_hooked<hooked<memory::heap>, memory::heap>);
static_assert(!memory::is_hooked<hooked<memory::heap>, memory::recycling>);
static_assert(!memory::is_hooked<plain, memory::heap>);
static_assert(!memory::is_hooked<standard, memory::heap>);

} // namespace

TEST_CASE("a bound allocator takes from its memory and gives back to it", "[memory]") {
  watched_memory m;
  memory::bound_allocator<std::string, watched_memory> allocator(m);
  std::string* const block = allocator.allocate(3);
  CHECK(m.last_bytes == 3 * sizeof(std::string));
  CHECK(m.last_alignment == alignof(std::string));
  CHECK(m.outstanding == 1);
  allocator.deallocate(block, 3);
  CHECK(m.last_freed_bytes == 3 * sizeof(std::string));
  CHECK(m.last_freed_alignment == alignof(std::string));
  CHECK(m.outstanding == 0);
}

TEST_CASE("a bound allocator keeps its memory when it is bound to another type", "[memory]") {
  watched_memory m;
  const memory::bound_allocator<void, watched_memory> untyped(m);
  struct alignas(64) wide {
    char bytes[128];
  };
  memory::bound_allocator<wide, watched_memory> typed(untyped);
  typed.deallocate(typed.allocate(1), 1);
  CHECK(m.requests == 1);
  CHECK(m.last_bytes == 128);
  CHECK(m.last_alignment == 64);
  using rebound =
      std::allocator_traits<memory::bound_allocator<void, watched_memory>>::rebind_alloc<int>;
  static_assert(std::is_same_v<rebound, memory::bound_allocator<int, watched_memory>>);
}

TEST_CASE("bound allocators are equal where their memory is the same", "[memory]") {
  watched_memory one;
  watched_memory two;
  const memory::bound_allocator<int, watched_memory> a(one);
  const memory::bound_allocator<char, watched_memory> b(one);
  const memory::bound_allocator<int, watched_memory> c(two);
  CHECK(a == b);
  CHECK_FALSE(a == c);
  CHECK(a != c);
}

TEST_CASE("a bound allocator serves a standard container", "[memory]") {
  watched_memory m;
  {
    std::vector<int, memory::bound_allocator<int, watched_memory>> numbers(
        (memory::bound_allocator<int, watched_memory>(m)));
    for (int i = 0; i < 100; ++i) numbers.push_back(i);
    CHECK(numbers[99] == 99);
    CHECK(m.outstanding == 1);
  }
  CHECK(m.requests > 1);
  CHECK(m.outstanding == 0);
}

TEST_CASE(
    "Asio asks the bound memory once an operation and gives the block back before the handler",
    "[memory]") {
  watched_memory m;
  struct handler {
    using allocator_type = memory::bound_allocator<void, watched_memory>;
    allocator_type get_allocator() const noexcept { return allocator_type(*memory); }
    void operator()() const { outstanding_in_handler->push_back(memory->outstanding); }
    watched_memory* memory;
    std::vector<int>* outstanding_in_handler;
  };
  std::vector<int> seen;
  boost::asio::io_context context;
  for (int i = 1; i <= 3; ++i) {
    boost::asio::post(context, handler{&m, &seen});
    CHECK(m.requests == i);
    CHECK(m.outstanding == 1);
    context.run();
    context.restart();
  }
  CHECK(seen == std::vector<int>{0, 0, 0});
  CHECK(m.outstanding == 0);
}

TEST_CASE("a memory that has none left is heard by whoever starts the operation", "[memory]") {
  watched_memory m;
  m.exhausted = true;
  boost::asio::io_context context;
  CHECK_THROWS_AS(boost::asio::post(context, hooked<watched_memory>{&m}), std::bad_alloc);
  m.exhausted = false;
  boost::asio::post(context, hooked<watched_memory>{&m});
  CHECK(context.run() == 1);
}
