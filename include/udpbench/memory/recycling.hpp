/** @file
    Asio's own handler memory.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>

#include <boost/asio/recycling_allocator.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace udpbench::memory {

/** What Asio does where nobody asks otherwise: a cache of two blocks in each thread that runs a context.

    Asio empties that cache when `run` returns. A server that runs for its lifetime never notices; `receive`, which returns
    after n datagrams, would allocate once per call. So one block is carried over from one call to the next, and the steady state
    is that of a long-running context. */
class recycling {
 public:
  recycling() = default;
  recycling(const recycling&) = delete;
  recycling& operator=(const recycling&) = delete;
  ~recycling() {
    if (spare_ != nullptr) release(spare_, spare_bytes_);
  }

  /** Errors: throws std::bad_alloc. */
  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (over_aligned(alignment)) return ::operator new(bytes, std::align_val_t(alignment));
    // Only for its own size: Asio writes a block's capacity behind its last byte, and looks for it there when it comes back.
    if (spare_ != nullptr && bytes == spare_bytes_) return std::exchange(spare_, nullptr);
    last_bytes_ = bytes;
    return boost::asio::recycling_allocator<std::byte>().allocate(bytes);
  }

  /** Gives a block back to the cache of the calling thread, if that runs a context. */
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    if (over_aligned(alignment))
      ::operator delete(block, std::align_val_t(alignment));
    else
      release(block, bytes);
  }

  /** Takes the block that the context would free when it stops running. */
  void carry_over() {
    if (spare_ != nullptr || last_bytes_ == 0) return;
    spare_ = boost::asio::recycling_allocator<std::byte>().allocate(last_bytes_);
    spare_bytes_ = last_bytes_;
  }

 private:
  /** Of blocks for bytes, Asio gives no more than the default alignment. */
  static constexpr bool over_aligned(std::size_t alignment) noexcept {
    return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  }

  static void release(void* block, std::size_t bytes) noexcept {
    boost::asio::recycling_allocator<std::byte>().deallocate(static_cast<std::byte*>(block), bytes);
  }

  void* spare_ = nullptr;
  std::size_t spare_bytes_ = 0;
  std::size_t last_bytes_ = 0;
};
static_assert(leaves_with_context<recycling>);

} // namespace udpbench::memory
