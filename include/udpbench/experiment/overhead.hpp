/** @file
    What the instrument itself costs.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/timed_scope.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/wire/header.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

namespace udpbench::experiment {

/** Median cost of scope, sink and ledger per datagram, in ns: an empty loop that gives 64 numbered datagrams at a time to a ledger
    within a `timed_scope`, as a slice does, timed from outside. */
inline double instrument_overhead(int slices = 2'000) {
  constexpr std::size_t depth = 64;
  measure::monotonic_clock clock;
  measure::ledger ledger;
  ledger.begin(1, 1);
  std::array<std::array<std::byte, wire::header_bytes>, depth> queue;
  std::vector<double> costs;
  std::uint64_t sequence = 0;
  for (int i = 0; i < slices; ++i) {
    for (auto& bytes : queue)
      bytes = wire::encode({.flow = 0, .round = 1, .run = 1, .sequence = sequence++});
    std::chrono::nanoseconds inner{};
    const auto begin = clock.now();
    {
      const timed_scope scope(clock, inner);
      for (const auto& bytes : queue) ledger(datagram{bytes, bytes.size()});
    }
    const std::chrono::duration<double, std::nano> whole = clock.now() - begin;
    costs.push_back(whole.count() / depth);
  }
  return statistics::median(costs);
}

} // namespace udpbench::experiment
