/** @file
    How many allocations the calling thread has made, where the executable counts them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>
#include <optional>

/** Defined by an executable that includes <udpbench/measure/count_allocations.hpp>, absent otherwise. */
extern "C" [[gnu::weak]] std::uint64_t udpbench_thread_allocations() noexcept;

namespace udpbench::measure {

/** Calls of malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign (thus of every `new`) by the calling
    thread since it began; empty where the executable doesn't count them. */
inline std::optional<std::uint64_t> thread_allocations() noexcept {
  if (udpbench_thread_allocations == nullptr) return {};
  return udpbench_thread_allocations();
}

} // namespace udpbench::measure
