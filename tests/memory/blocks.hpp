/** @file
    What every handler memory must do with a block.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

inline bool aligned(const void* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

/** A block of a memory, all of whose bytes are written to; given back at the end of its scope. */
template <udpbench::handler_memory Memory>
class block {
 public:
  block(Memory& memory, std::size_t bytes, std::size_t alignment = alignof(std::max_align_t))
      : memory_(memory),
        bytes_(bytes),
        alignment_(alignment),
        at_(memory.allocate(bytes, alignment)) {
    std::memset(at_, 0xff, bytes);
  }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  ~block() { memory_.deallocate(at_, bytes_, alignment_); }

  void* get() const noexcept { return at_; }

 private:
  Memory& memory_;
  std::size_t bytes_;
  std::size_t alignment_;
  void* at_;
};
