/** @file
    The monotonic clock, and what it is worth on this machine.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>

/** Clocks, the ledger, and what a thread has used. */
namespace udpbench::measure {

/** A source of time points; a test passes one that it drives by hand. */
template <class C>
concept time_source = requires(C& clock) {
  typename C::time_point;
  typename C::duration;
  { clock.now() } noexcept -> std::convertible_to<typename C::time_point>;
};

/** CLOCK_MONOTONIC. Threads: any. */
struct monotonic_clock {
  using duration = std::chrono::nanoseconds;                ///< Of its steps.
  using time_point = std::chrono::steady_clock::time_point; ///< Since an arbitrary beginning.

  /** Reads it. */
  static time_point now() noexcept { return std::chrono::steady_clock::now(); }
};
static_assert(time_source<monotonic_clock>);
static_assert(!time_source<int>);

/** What one reading of a clock costs and the smallest step that it shows, both in ns. */
struct clock_quality {
  double resolution_ns = 0; ///< The smallest step.
  double read_ns = 0;       ///< The mean cost of a reading.
};

/** Measures `clock` by reading it `readings` times in a row. The resolution is the smallest step above zero, no more than
    the cost of a reading can hide; a second where the clock never stepped. */
template <time_source Clock>
clock_quality measure_clock(Clock& clock, int readings = 20'000) {
  using nanoseconds = std::chrono::duration<double, std::nano>;
  double smallest = 1e9;
  const auto begin = clock.now();
  auto previous = begin;
  for (int i = 0; i < readings; ++i) {
    const auto now = clock.now();
    if (now > previous) smallest = std::min(smallest, nanoseconds(now - previous).count());
    previous = now;
  }
  return {smallest, nanoseconds(previous - begin).count() / std::max(readings, 1)};
}

} // namespace udpbench::measure
