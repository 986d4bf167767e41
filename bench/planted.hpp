/** @file
    A cost of known size, to be paid for each datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/with_sink.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/sync_server.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

namespace calibration {

/** Multiplies so many times, each time what came of the last: no cpu can do two of these at once, or half of them later, so that the
    time grows with the turns. */
inline std::uint64_t spin(std::uint64_t turns, std::uint64_t value) noexcept {
  for (; turns != 0; --turns) {
    value *= 0x9E37'79B9'7F4A'7C15;
    asm volatile("" : "+r"(value));
  }
  return value;
}

/** Turns that every receiver pays, the baseline, too. A cpu works on what follows while it spins: that hid the same 7 ns of each cost,
    and hides them of this one instead. */
inline constexpr std::uint64_t base_turns = 40;

/** What so many turns cost beyond the base, in ns: the median over pairs of batches, since whatever
    interrupts falls on one of them.   Threads: any; takes about 0.1 s for 100 turns. */
inline double cost_ns(std::uint64_t turns) {
  constexpr int calls = 1000;
  std::uint64_t value = 1;
  const auto batch = [&value](std::uint64_t n) {
    const auto begin = udpbench::measure::monotonic_clock::now();
    for (int i = 0; i < calls; ++i) value = spin(base_turns + n, value);
    const std::chrono::duration<double, std::nano> took =
        udpbench::measure::monotonic_clock::now() - begin;
    return took.count() / calls;
  };
  std::vector<double> extra;
  for (int i = 0; i < 501; ++i) {
    const double without = batch(0);
    extra.push_back(batch(turns) - without);
  }
  return udpbench::statistics::median(extra);
}

/** How many turns cost so many ns, by the clock. */
inline std::uint64_t turns_for(double ns) {
  constexpr std::uint64_t probe = 1000;
  return static_cast<std::uint64_t>(std::llround(ns * probe / cost_ns(probe)));
}

/** The turns that `Percent` are, of a `whole` that costs as much as receiving one datagram. */
constexpr std::uint64_t share(std::uint64_t whole, unsigned percent) noexcept {
  return (whole * percent + 50) / 100;
}

/** A sink that costs `Percent` of receiving a datagram. A catalogue makes receivers from their ledger alone, so how much that is
    stands here for all of a type; it is set while none receives. */
template <unsigned Percent>
class planted {
 public:
  static inline std::uint64_t turns = 0;

  void operator()(const udpbench::datagram&) noexcept { value_ = spin(base_turns + turns, value_); }

 private:
  std::uint64_t value_ = 1;
};

/** The synchronous server with that sink before its ledger. With 0 % it is the baseline: what stands between it and the
    others is what is planted and nothing else. */
template <unsigned Percent>
using costlier =
    udpbench::app::with_sink<planted<Percent>,
                             udpbench::sync_server<udpbench::app::before_ledger<planted<Percent>>>>;

} // namespace calibration
