/** @file
    A histogram of times: small, of fixed size, and exact to 0.4 %.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/buckets.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace udpbench::measure {

/** Counts values, in ns, in 256 buckets an octave: below 512 each value has a bucket of its own, above it a bucket is at most 1/256
    of its values wide. Values of `range` (69 s) and more share the last bucket; the smallest and the largest are kept exactly.
    It takes 59 KB, once, when it is constructed. Threads: one at a time; `merge` brings those of several together.
    Source: the log-linear layout of HdrHistogram. */
class histogram {
 public:
  /** One above what is told apart, in ns. */
  static constexpr std::uint64_t range = std::uint64_t{1} << 36;

  /** Empty. Errors: throws std::bad_alloc. */
  histogram() : counts_(size) {}

  /** Counts one value. */
  void record(std::uint64_t ns) noexcept {
    ++counts_[index(ns)];
    ++count_;
    min_ = std::min(min_, ns);
    max_ = std::max(max_, ns);
  }

  /** Adds what another has counted. */
  void merge(const histogram& other) noexcept {
    for (std::size_t i = 0; i < size; ++i) counts_[i] += other.counts_[i];
    count_ += other.count_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  /** Forgets everything. */
  void clear() noexcept {
    std::fill(counts_.begin(), counts_.end(), std::uint64_t{0});
    count_ = 0;
    min_ = std::numeric_limits<std::uint64_t>::max();
    max_ = 0;
  }

  /** Values counted. */
  std::uint64_t count() const noexcept { return count_; }

  /** The smallest, exactly; empty without values. */
  std::optional<std::uint64_t> min() const noexcept {
    return count_ != 0 ? std::optional(min_) : std::nullopt;
  }

  /** The largest, exactly; empty without values. */
  std::optional<std::uint64_t> max() const noexcept {
    return count_ != 0 ? std::optional(max_) : std::nullopt;
  }

  /** The value of a rank, from 1, by size: the largest that its bucket stands for, but never beyond the largest counted. So it is
      the counted value or at most 1/256 above it. A rank above `count` is that of the largest. Empty without values. */
  std::optional<std::uint64_t> at_rank(std::uint64_t rank) const noexcept {
    if (count_ == 0) return {};
    if (rank >= count_) return max_;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      below += counts_[i];
      if (below >= std::max<std::uint64_t>(rank, 1)) return std::min(largest_of(i), max_);
    }
    return max_;
  }

  /** The value that `percent` of all values don't exceed: that of rank ⌈percent/100 · count⌉, at least 1 (nearest rank).
      @param percent  0 to 100; what isn't is taken as the nearer of the two, and what is no number as 0. */
  std::optional<std::uint64_t> percentile(double percent) const noexcept {
    if (!(percent > 0)) return at_rank(1);
    if (percent >= 100) return at_rank(count_);
    // The factor undoes the rounding that would push a whole number to the next rank, as in 7 % of 100.
    const double rank = percent * static_cast<double>(count_) / 100 * (1 - 1e-14);
    return at_rank(static_cast<std::uint64_t>(std::ceil(rank)));
  }

  /** Those that hold something. One that begins at v is 1 ns wide below 512 ns, and 2 to the power of ⌊log₂ v⌋ - 8 from there on (in Python
      `1 << (v.bit_length() - 9)`), but for the one that holds `range` and more. Errors: throws std::bad_alloc. */
  measure::buckets buckets() const {
    measure::buckets out;
    for (std::size_t i = 0; i < size; ++i)
      if (counts_[i] != 0) out.push_back({i == 0 ? 0 : largest_of(i - 1) + 1, counts_[i]});
    return out;
  }

 private:
  static constexpr int octave_bits = 8;
  static constexpr std::size_t octave = std::size_t{1} << octave_bits;
  static constexpr std::size_t size =
      (static_cast<std::size_t>(std::bit_width(range - 1)) - octave_bits + 1) * octave;

  static constexpr std::size_t index(std::uint64_t ns) noexcept {
    const std::uint64_t v = std::min(ns, range - 1);
    const int shift = std::max(static_cast<int>(std::bit_width(v)) - octave_bits - 1, 0);
    return static_cast<std::size_t>(shift) * octave + static_cast<std::size_t>(v >> shift);
  }

  static constexpr std::uint64_t largest_of(std::size_t i) noexcept {
    if (i < 2 * octave) return i;
    const std::size_t shift = i / octave - 1;
    return ((std::uint64_t{i % octave + octave} + 1) << shift) - 1;
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
};

} // namespace udpbench::measure
