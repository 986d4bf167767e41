/** @file
    Standard allocators as handler memory.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/memory/from_allocator.hpp>

#include "blocks.hpp"
#include "catch.hpp"

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>

using udpbench::memory::from_allocator;

namespace {

/** Counts units of `T` that are out. */
template <class T>
struct counted {
  using value_type = T;

  std::size_t* out = nullptr;

  explicit counted(std::size_t& o) : out(&o) {}
  template <class U>
  counted(const counted<U>& other) : out(other.out) {}

  T* allocate(std::size_t n) {
    *out += n * sizeof(T);
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* at, std::size_t n) noexcept {
    *out -= n * sizeof(T);
    std::allocator<T>().deallocate(at, n);
  }
  template <class U>
  bool operator==(const counted<U>& other) const noexcept {
    return out == other.out;
  }
};

static_assert(udpbench::handler_memory<from_allocator<std::allocator<int>>>);
static_assert(!std::default_initializable<from_allocator<counted<int>>>);

} // namespace

TEST_CASE("a standard allocator is asked for at least what a block needs, and has it back",
          "[memory]") {
  std::size_t out = 0;
  from_allocator<counted<char>> memory{counted<char>(out)};
  for (const std::size_t bytes : {1u, 15u, 16u, 17u, 200u, 4097u}) {
    {
      const block<from_allocator<counted<char>>> b(memory, bytes);
      CHECK(out >= bytes);
      CHECK(out < bytes + alignof(std::max_align_t));
      CHECK(aligned(b.get(), alignof(std::max_align_t)));
    }
    CHECK(out == 0);
  }
}

TEST_CASE("an allocator of the standard library's resources works as well", "[memory]") {
  std::pmr::monotonic_buffer_resource resource;
  from_allocator<std::pmr::polymorphic_allocator<>> memory{
      std::pmr::polymorphic_allocator<>(&resource)};
  const block<decltype(memory)> a(memory, 100);
  const block<decltype(memory)> b(memory, 100);
  CHECK(a.get() != b.get());
}

TEST_CASE("an alignment that no standard allocator knows of is refused", "[memory]") {
  from_allocator<std::allocator<int>> memory;
  CHECK_THROWS_AS(memory.allocate(64, 2 * alignof(std::max_align_t)), std::bad_alloc);
}
