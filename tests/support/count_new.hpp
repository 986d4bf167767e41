/** @file
    Counts the calls of `operator new` of each thread. Include it in exactly one source file of an executable; it works
    beside the sanitizers.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace support {
inline thread_local std::uint64_t news = 0;         ///< Calls of any `operator new`.
inline thread_local std::uint64_t aligned_news = 0; ///< Of those, calls that ask for an alignment.
inline thread_local std::uint64_t deletes = 0;
} // namespace support

namespace support::detail {

inline void* count_new(std::size_t bytes) noexcept {
  ++news;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

inline void* count_new(std::size_t bytes, std::align_val_t alignment) noexcept {
  ++news;
  ++aligned_news;
  const auto a = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(a, (bytes + a - 1) / a * a);
}

inline void count_delete(void* block) noexcept {
  ++deletes;
  std::free(block);
}

inline void* or_throw(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

} // namespace support::detail

// All of them, since a sanitizer has its own of those that are left out.
using std::align_val_t, std::nothrow_t, std::size_t;
namespace counted = support::detail;
void* operator new(size_t n) { return counted::or_throw(counted::count_new(n)); }
void* operator new[](size_t n) { return counted::or_throw(counted::count_new(n)); }
void* operator new(size_t n, align_val_t a) { return counted::or_throw(counted::count_new(n, a)); }
void* operator new[](size_t n, align_val_t a) {
  return counted::or_throw(counted::count_new(n, a));
}
void* operator new(size_t n, const nothrow_t&) noexcept { return counted::count_new(n); }
void* operator new[](size_t n, const nothrow_t&) noexcept { return counted::count_new(n); }
void operator delete(void* p) noexcept { counted::count_delete(p); }
void operator delete[](void* p) noexcept { counted::count_delete(p); }
void operator delete(void* p, size_t) noexcept { counted::count_delete(p); }
void operator delete[](void* p, size_t) noexcept { counted::count_delete(p); }
void operator delete(void* p, align_val_t) noexcept { counted::count_delete(p); }
void operator delete[](void* p, align_val_t) noexcept { counted::count_delete(p); }
void operator delete(void* p, size_t, align_val_t) noexcept { counted::count_delete(p); }
void operator delete[](void* p, size_t, align_val_t) noexcept { counted::count_delete(p); }
