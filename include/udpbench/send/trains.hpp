/** @file
    How many datagrams each call of a segmented send carried.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>
#include <vector>

namespace udpbench::send {

/** The trains of one flow, in the order of their sequence numbers, which have no gap: where a socket has UDP_GRO on, each of them
    arrives whole or not at all. Equal neighbours are kept as one entry. Threads: one. */
class trains {
 public:
  /** Equal trains, one behind the other. */
  struct run {
    std::uint64_t length = 0; ///< Datagrams of each.
    std::uint64_t count = 0;  ///< Trains.

    /** By both. */
    bool operator==(const run&) const = default;
  };

  /** Appends `count` trains of `length` datagrams; nothing if either is 0. Errors: std::bad_alloc. */
  void add(std::uint64_t length, std::uint64_t count = 1) {
    if (length == 0 || count == 0) return;
    if (!runs_.empty() && runs_.back().length == length)
      runs_.back().count += count;
    else
      runs_.push_back({length, count});
  }

  /** Appends those of a later call. Errors: std::bad_alloc. */
  trains& operator+=(const trains& more) {
    for (const run& r : more.runs_) add(r.length, r.count);
    return *this;
  }

  /** All of them. Lifetime: until the next call that appends. */
  const std::vector<run>& runs() const noexcept { return runs_; }

  /** There is none. */
  bool empty() const noexcept { return runs_.empty(); }

 private:
  std::vector<run> runs_;
};

} // namespace udpbench::send
