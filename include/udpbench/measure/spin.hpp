/** @file
    Work of a chosen length that is nothing but time on a cpu.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace udpbench::measure {

/** Multiplies so many times, each time what came of the last: no cpu can do two of these at once, or half of them later, so that the
    time grows with the turns. */
inline std::uint64_t spin(std::uint64_t turns, std::uint64_t value) noexcept {
  for (; turns != 0; --turns) {
    value *= 0x9E37'79B9'7F4A'7C15;
    asm volatile("" : "+r"(value));
  }
  return value;
}

/** What so many turns cost beyond those of `base`, in ns: the median over pairs of batches, since whatever interrupts falls on one of
    them.   Threads: any; takes about 0.1 s for 100 turns. */
inline double spin_cost_ns(std::uint64_t turns, std::uint64_t base = 0) noexcept {
  constexpr int calls = 1000;
  std::uint64_t value = 1;
  const auto batch = [&value](std::uint64_t n) {
    const auto begin = monotonic_clock::now();
    for (int i = 0; i < calls; ++i) value = spin(n, value);
    const std::chrono::duration<double, std::nano> took = monotonic_clock::now() - begin;
    return took.count() / calls;
  };
  std::array<double, 101> extra{};
  for (double& each : extra) {
    const double without = batch(base);
    each = batch(base + turns) - without;
  }
  const auto middle = extra.begin() + extra.size() / 2;
  std::nth_element(extra.begin(), middle, extra.end());
  return *middle;
}

/** How many turns last so long on this cpu, by the clock; at least 1.   Threads: any. */
inline std::uint64_t spin_turns(double ns) noexcept {
  constexpr std::uint64_t probe = 1000;
  return static_cast<std::uint64_t>(std::max(std::llround(ns * probe / spin_cost_ns(probe)), 1LL));
}

} // namespace udpbench::measure
