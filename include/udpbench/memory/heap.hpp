/** @file
    A real allocation for each operation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>

#include <new>

namespace udpbench::memory {

/** Calls `operator new` each time. (An associated `std::allocator` would not: Asio replaces it by its recycling.) */
class heap {
 public:
  /** Errors: throws std::bad_alloc. */
  void* allocate(std::size_t bytes, std::size_t alignment) {
    ++allocations_;
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
      return ::operator new(bytes, std::align_val_t(alignment));
    return ::operator new(bytes);
  }

  /** Gives a block back to the heap. */
  void deallocate(void* block, std::size_t, std::size_t alignment) noexcept {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
      ::operator delete(block, std::align_val_t(alignment));
    else
      ::operator delete(block);
  }

  /** Allocations so far: each of them. */
  std::uint64_t upstream() const noexcept { return allocations_; }

 private:
  std::uint64_t allocations_ = 0;
};
static_assert(reports_upstream<heap>);

} // namespace udpbench::memory
