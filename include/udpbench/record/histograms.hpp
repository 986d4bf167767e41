/** @file
    What was counted of one receiver by value.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/buckets.hpp>

#include <cstdint>
#include <optional>

namespace udpbench::record {

using measure::buckets;   ///< Pairs; see there.
using measure::values_in; ///< Their sum; see there.

/** The largest number of datagrams that has a bucket of its own. */
inline constexpr std::uint64_t told_apart = measure::batch_sizes::exact;

/** What came how often, in all valid rounds together, as pairs: the smallest value of a bucket and how many values it holds, in the order
    of the values, without buckets that hold nothing. Each is empty where nobody counted. */
struct histograms {
  /** From a datagram's slot to its sending. Up to 512 ns a bucket is 1 ns wide; one that begins at v has from there on a width of 2 to the
      power of ⌊log₂ v⌋ - 8, which is 0.2 to 0.4 % of v (in Python `1 << (v.bit_length() - 9)`). */
  std::optional<buckets> lag_ns = {};
  std::optional<buckets> gap_ns = {}; ///< From one datagram's sending to the next one's; likewise.
  /** How many datagrams a receive call gave, of those that gave any while they were counted. Up to `told_apart` each number has a bucket of its own;
      above they reach to 255, to 511 and so on. */
  std::optional<buckets> datagrams_per_receive_call = {};
  /** The same of a wake-up: all that was taken from when waiting for datagrams was over until it was waited again, or until the receiver
      had as many as it was asked for. */
  std::optional<buckets> datagrams_per_wakeup = {};
};

} // namespace udpbench::record
