/** @file
    How often the calling thread has waited for events, where the executable counts it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>

/** Defined by an executable that includes <udpbench/measure/count_waits.hpp>, absent otherwise. */
extern "C" [[gnu::weak]] const std::uint64_t* udpbench_thread_waits() noexcept;

namespace udpbench::measure {

/** Where the calling thread counts its calls of epoll_wait that may wait, since it began: not those that only look, with a timeout of 0.
    Null where the executable doesn't count them. Lifetime: the thread's. */
inline const std::uint64_t* thread_waits() noexcept {
  if (udpbench_thread_waits == nullptr) return nullptr;
  return udpbench_thread_waits();
}

} // namespace udpbench::measure
