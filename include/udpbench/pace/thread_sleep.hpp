/** @file
    How a pacing waits.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <chrono>

#include <sched.h>
#include <time.h>

namespace udpbench::pace {

/** Puts the calling thread to sleep. Source: clock_nanosleep(2). */
struct thread_sleep {
  /** For `d`, or until a signal comes. */
  void operator()(std::chrono::nanoseconds d) const noexcept {
    const timespec t{static_cast<time_t>(d.count() / 1'000'000'000),
                     static_cast<long>(d.count() % 1'000'000'000)};
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &t, nullptr);
  }
};

/** Lets other threads of the same cpu run first. Source: sched_yield(2). */
struct thread_yield {
  /** Returns when it is this thread's turn again; at once where it is alone. */
  void operator()() const noexcept { ::sched_yield(); }
};

} // namespace udpbench::pace
