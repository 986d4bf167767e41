/** @file
    Counts the allocations of each thread. Include it in exactly one source file of an executable: it defines malloc and
    its family in front of the C library's own. Not with sanitizers, which define them, too.

    Needs glibc, whose own functions stay reachable as `__libc_…`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace udpbench::detail {
inline constinit thread_local std::uint64_t allocations_of_thread = 0;
}

/** @cond  These are the C library's names, whose manual says what they do; the first of ours is declared in allocations.hpp. */
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

std::uint64_t udpbench_thread_allocations() noexcept {
  return udpbench::detail::allocations_of_thread;
}

void* malloc(std::size_t bytes) noexcept {
  ++udpbench::detail::allocations_of_thread;
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  ++udpbench::detail::allocations_of_thread;
  return __libc_calloc(count, bytes);
}

void* realloc(void* old, std::size_t bytes) noexcept {
  ++udpbench::detail::allocations_of_thread;
  return __libc_realloc(old, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  ++udpbench::detail::allocations_of_thread;
  return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return memalign(alignment, bytes);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* memory = memalign(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}
}
/** @endcond */
