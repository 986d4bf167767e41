/** @file
    One block inside the server for its one outstanding operation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/heap.hpp>

#include <cstddef>

namespace udpbench::memory {

/** One aligned block of `Bytes` bytes, in the manner of the `operation_buffer` of 2005. A request that is too large, or comes
    while the block is out, goes to the heap and is counted. */
template <std::size_t Bytes = 512>
class fixed_block {
 public:
  fixed_block() = default;
  fixed_block(const fixed_block&) = delete;
  fixed_block& operator=(const fixed_block&) = delete;

  /** Errors: throws std::bad_alloc where the heap is asked and has nothing. */
  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (!used_ && bytes <= Bytes && alignment <= alignof(std::max_align_t)) {
      used_ = true;
      return block_;
    }
    return fallback_.allocate(bytes, alignment);
  }

  /** Takes a block back to where it came from. */
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    if (block == block_)
      used_ = false;
    else
      fallback_.deallocate(block, bytes, alignment);
  }

  /** Requests that went to the heap. */
  std::uint64_t upstream() const noexcept { return fallback_.upstream(); }

 private:
  alignas(std::max_align_t) std::byte block_[Bytes];
  bool used_ = false;
  heap fallback_;
};
static_assert(reports_upstream<fixed_block<>>);

} // namespace udpbench::memory
