/** @file
    Any standard allocator as handler memory.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace udpbench::memory {

/** Asks a standard allocator, of whatever value type, for memory. (Asio would replace an associated `std::allocator` by its own recycling;
    in here it is really asked.)
    Errors: what the allocator throws; std::bad_alloc for an alignment above that of `std::max_align_t`, which no standard allocator
    knows of. */
template <class Allocator>
class from_allocator {
  struct alignas(std::max_align_t) unit {
    std::byte bytes[alignof(std::max_align_t)];
  };
  using traits = typename std::allocator_traits<Allocator>::template rebind_traits<unit>;

 public:
  from_allocator()
    requires std::default_initializable<Allocator>
  = default;
  /** @param allocator  is copied. */
  explicit from_allocator(const Allocator& allocator) : allocator_(allocator) {}

  /** In whole units of `alignof(std::max_align_t)` bytes. */
  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (alignment > alignof(unit)) throw std::bad_alloc();
    return std::to_address(traits::allocate(allocator_, units(bytes)));
  }

  /** Takes a block back, whose size is told again. */
  void deallocate(void* block, std::size_t bytes, std::size_t) noexcept {
    using pointer = typename traits::pointer;
    traits::deallocate(allocator_,
                       std::pointer_traits<pointer>::pointer_to(*static_cast<unit*>(block)),
                       units(bytes));
  }

 private:
  static constexpr std::size_t units(std::size_t bytes) noexcept {
    return (bytes + sizeof(unit) - 1) / sizeof(unit);
  }

  typename traits::allocator_type allocator_;
};
static_assert(handler_memory<from_allocator<std::allocator<int>>>);

} // namespace udpbench::memory
