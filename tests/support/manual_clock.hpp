/** @file
    Clocks that a test drives.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace support {

/** Stands still until a test moves it. */
struct manual_clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<manual_clock, duration>;
  static constexpr bool is_steady = true;

  time_point time{};
  int readings = 0;

  time_point now() noexcept {
    ++readings;
    return time;
  }
};
static_assert(udpbench::measure::time_source<manual_clock>);

/** Shows one time after another, in ns, and then the last for ever. */
struct scripted_clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<scripted_clock, duration>;
  static constexpr bool is_steady = true;

  std::vector<int> times;
  std::size_t readings = 0;

  time_point now() noexcept {
    return time_point(duration(times[std::min(readings++, times.size() - 1)]));
  }
};
static_assert(udpbench::measure::time_source<scripted_clock>);

} // namespace support
