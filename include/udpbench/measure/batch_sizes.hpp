/** @file
    How many came together, and how often.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/buckets.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace udpbench::measure {

/** Counts numbers of datagrams that one call, or one wake-up, gave: up to `exact` each number has a bucket of its own, above it there is
    one for each power of two, which begins at `exact` + 1 or at a power of two. One addition in a table of 1.2 KB: it is meant to be
    counted where system calls are made. Threads: one at a time. */
class batch_sizes {
 public:
  /** The largest number that is told apart: the datagrams of the longest train (UDP_MAX_SEGMENTS of Linux). */
  static constexpr std::size_t exact = 128;

  /** Counts one call or wake-up that gave `n`. */
  void record(std::size_t n) noexcept { ++counts_[index(n)]; }

  /** Calls or wake-ups counted. */
  std::uint64_t count() const noexcept {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }

  /** Adds what another has counted. */
  batch_sizes& operator+=(const batch_sizes& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }

  /** What was counted since `earlier`, which is an older copy of this one. */
  batch_sizes operator-(const batch_sizes& earlier) const noexcept {
    batch_sizes out;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      out.counts_[i] = counts_[i] - earlier.counts_[i];
    return out;
  }

  /** Those that hold something. Errors: throws std::bad_alloc. */
  measure::buckets buckets() const {
    measure::buckets out;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] != 0) out.push_back({smallest_of(i), counts_[i]});
    return out;
  }

 private:
  static constexpr int exact_bits = std::bit_width(exact) - 1;
  static constexpr int most_bits = 32;

  static constexpr std::size_t index(std::size_t n) noexcept {
    if (n <= exact) return n;
    const int bits = std::min(static_cast<int>(std::bit_width(n)), most_bits);
    return exact + static_cast<std::size_t>(bits - exact_bits);
  }

  static constexpr std::uint64_t smallest_of(std::size_t i) noexcept {
    if (i <= exact) return i;
    const std::size_t above = i - exact - 1;
    return above == 0 ? exact + 1 : std::uint64_t{exact} << above;
  }

  std::array<std::uint64_t, exact + 1 + static_cast<std::size_t>(most_bits - exact_bits)> counts_{};
};

} // namespace udpbench::measure
