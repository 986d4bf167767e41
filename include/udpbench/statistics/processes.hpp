/** @file
    A receiver in several processes.

    All rounds of a process share its luck: where its code and buffers happen to lie. More blocks
    make its interval narrower, but about that luck (a deviation of 1 to 2 % between processes was
    seen). So where several processes ran, a process is the unit, and its median the value.

    Source: Mytkowicz et al. 2009; Kalibera & Jones 2013 (repeat where variance arises).

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace udpbench::statistics {

/** Fewer have no 95 % interval. A table of 2 to 6 comparisons needs 8 processes to call a
    direction, one of 7 to 102 needs 12 at most. */
inline constexpr std::size_t fewest_processes = 6;
/** Enough for a direction in a table of up to 102. */
inline constexpr std::size_t advised_processes = 12;

/** The ratio over processes: the sign test over their medians. The blocks within a process count
    once, however many there are and however they depend on each other; nothing is merged.
    @param d  for each process the log ratios of its blocks. A process without valid blocks has no
    median and doesn't count.
    @return its unit, and that of `blocks_needed`, is a process.
    Errors: throws `std::invalid_argument` if no process has a value, and as `summarise` does.
    Threads: any. */
inline paired_ratio summarise_processes(std::span<const std::vector<double>> d) {
  std::vector<double> medians;
  for (const auto& blocks : d)
    if (!blocks.empty()) medians.push_back(median(blocks));
  if (medians.empty()) throw std::invalid_argument("summarise_processes: no process has a value");
  return summarise(medians);
}

} // namespace udpbench::statistics
