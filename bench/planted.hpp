/** @file
    A cost of known size, to be paid for each datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/with_sink.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/spin.hpp>
#include <udpbench/sync_server.hpp>

#include <cstdint>

namespace calibration {

/** Turns that every receiver pays, the baseline, too. A cpu works on what follows while it spins: that hid the same 7 ns of each cost,
    and hides them of this one instead. */
inline constexpr std::uint64_t base_turns = 40;

/** What so many turns cost beyond the base, in ns.   Threads: any; takes about 0.1 s for 100 turns. */
inline double cost_ns(std::uint64_t turns) noexcept {
  return udpbench::measure::spin_cost_ns(turns, base_turns);
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

  void operator()(const udpbench::datagram&) noexcept {
    value_ = udpbench::measure::spin(base_turns + turns, value_);
  }

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
