/** @file
    A handler memory that a test looks into.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <new>

struct watched_memory {
  bool exhausted = false;
  int requests = 0;
  int outstanding = 0;
  std::size_t last_bytes = 0;
  std::size_t last_alignment = 0;
  std::size_t last_freed_bytes = 0;
  std::size_t last_freed_alignment = 0;

  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (exhausted) throw std::bad_alloc();
    ++requests;
    ++outstanding;
    last_bytes = bytes;
    last_alignment = alignment;
    return ::operator new(bytes, std::align_val_t(alignment));
  }

  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    --outstanding;
    last_freed_bytes = bytes;
    last_freed_alignment = alignment;
    ::operator delete(block, std::align_val_t(alignment));
  }
};
