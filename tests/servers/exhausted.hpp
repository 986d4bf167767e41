/** @file
    A handler memory that runs out when a test says so.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/heap.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>

namespace servers {

/** Has none at the `fuse`th time that any of them is asked. */
class exhausted {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (fuse > 0 && --fuse == 0) throw std::bad_alloc();
    return heap_.allocate(bytes, alignment);
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    heap_.deallocate(block, bytes, alignment);
  }

  static inline std::atomic<int> fuse{0};

 private:
  udpbench::memory::heap heap_;
};

inline bool is_bad_alloc(const std::exception_ptr& e) {
  try {
    if (e) std::rethrow_exception(e);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
  }
  return false;
}

} // namespace servers
