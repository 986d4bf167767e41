/** @file
    Which sequence numbers have been seen, in bounded memory.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace udpbench::measure {

/** A bitmap over the newest sequence numbers of one flow, `reach()` of them and up to 64 more; what lies below can't be told
    from a duplicate. Memory: a bit for each, however long the run. Threads: one. */
class duplicate_window {
 public:
  /** What a sequence number turns out to be. */
  enum class arrival {
    in_order,  ///< First arrival, above all before.
    reordered, ///< First arrival, after a higher number (RFC 4737).
    duplicate, ///< Seen before.
    old,       ///< Below the reach.
  };

  /** With it the bitmap has 8 KiB. */
  static constexpr std::uint64_t default_reach = (1u << 16) - 64;

  /** @param reach at least; rounded up until it and 64 more are a power of two. */
  explicit duplicate_window(std::uint64_t reach = default_reach)
      : words_(words_for(reach)), bits_(std::make_unique<std::uint64_t[]>(words_)) {}

  /** Bytes of the bitmap of one with that reach. */
  static std::size_t memory(std::uint64_t reach) noexcept {
    return words_for(reach) * sizeof(std::uint64_t);
  }

  /** So many numbers below `next()` are told apart. The lowest word of the bitmap may have been taken for new numbers. */
  std::uint64_t reach() const noexcept { return (words_ - 1) * 64; }

  /** One above the highest number seen; 0 before the first. */
  std::uint64_t next() const noexcept { return next_; }

  /** Whether `sequence` was booked, if it is told apart at all: false for what lies further below `next()` than `reach()`. */
  bool seen(std::uint64_t sequence) const noexcept {
    if (sequence >= next_ || next_ - sequence > reach()) return false;
    return (bits_[(sequence / 64) & (words_ - 1)] >> (sequence % 64) & 1) != 0;
  }

  /** Forgets everything. Each word is cleared when its first number comes. */
  void clear() noexcept { next_ = 0; }

  /** Books `sequence`, which is below 2^64 - 1. */
  arrival see(std::uint64_t sequence) noexcept {
    std::uint64_t& word = bits_[(sequence / 64) & (words_ - 1)];
    const std::uint64_t bit = std::uint64_t{1} << (sequence % 64);
    if (sequence == next_) {
      // The number that opens a word also clears what the word held one window ago.
      word = sequence % 64 == 0 ? bit : word | bit;
      ++next_;
      return arrival::in_order;
    }
    if (sequence > next_) {
      clear_between(next_, sequence);
      word |= bit;
      next_ = sequence + 1;
      return arrival::in_order;
    }
    if (next_ - sequence > reach()) return arrival::old;
    if ((word & bit) != 0) return arrival::duplicate;
    word |= bit;
    return arrival::reordered;
  }

 private:
  static std::uint64_t words_for(std::uint64_t reach) noexcept {
    return std::bit_ceil(std::max<std::uint64_t>(reach + 64, 128)) / 64;
  }

  /** Clears each word that is entered on the way from `from` (not yet seen) up to and with `to`. */
  void clear_between(std::uint64_t from, std::uint64_t to) noexcept {
    const std::uint64_t first = from / 64 + (from % 64 != 0 ? 1 : 0);
    const std::uint64_t last = to / 64;
    if (first > last) return;
    const std::uint64_t count = std::min(last - first + 1, words_);
    for (std::uint64_t i = 0; i < count; ++i) bits_[(last - i) & (words_ - 1)] = 0;
  }

  std::uint64_t words_;
  std::unique_ptr<std::uint64_t[]> bits_;
  std::uint64_t next_ = 0;
};

} // namespace udpbench::measure
