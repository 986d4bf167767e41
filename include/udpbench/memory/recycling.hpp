/** @file
    Asio's own handler memory.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>

#include <boost/asio/recycling_allocator.hpp>

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

  void* allocate(std::size_t bytes, std::size_t) {
    if (spare_ != nullptr && bytes <= spare_bytes_) return std::exchange(spare_, nullptr);
    last_bytes_ = bytes;
    return boost::asio::recycling_allocator<std::byte>().allocate(bytes);
  }

  void deallocate(void* block, std::size_t bytes, std::size_t) noexcept { release(block, bytes); }

  /** Takes the block that the context would free when it stops running. */
  void carry_over() {
    if (spare_ != nullptr || last_bytes_ == 0) return;
    spare_ = boost::asio::recycling_allocator<std::byte>().allocate(last_bytes_);
    spare_bytes_ = last_bytes_;
  }

 private:
  static void release(void* block, std::size_t bytes) noexcept {
    boost::asio::recycling_allocator<std::byte>().deallocate(static_cast<std::byte*>(block), bytes);
  }

  void* spare_ = nullptr;
  std::size_t spare_bytes_ = 0;
  std::size_t last_bytes_ = 0;
};
static_assert(leaves_with_context<recycling>);

} // namespace udpbench::memory
