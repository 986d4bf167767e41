/** @file
    A pool of blocks by the standard library.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/memory/heap.hpp>

#include <memory_resource>

namespace udpbench::memory {

/** `std::pmr::unsynchronized_pool_resource`: blocks of a few sizes, cut from chunks that come from the heap and are kept. */
class pool {
 public:
  /** Errors: throws std::bad_alloc where a new chunk is needed and the heap has none. */
  void* allocate(std::size_t bytes, std::size_t alignment) {
    return blocks_.allocate(bytes, alignment);
  }
  /** Takes a block back; its chunk is kept. */
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    blocks_.deallocate(block, bytes, alignment);
  }

  /** Chunks that the pool had to fetch. */
  std::uint64_t upstream() const noexcept { return chunks_.heap_.upstream(); }

 private:
  struct counted_heap final : std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
      return heap_.allocate(bytes, alignment);
    }
    void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
      heap_.deallocate(block, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
      return this == &other;
    }

    heap heap_;
  };

  counted_heap chunks_;
  std::pmr::unsynchronized_pool_resource blocks_{&chunks_};
};
static_assert(reports_upstream<pool>);

} // namespace udpbench::memory
