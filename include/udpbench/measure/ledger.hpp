/** @file
    The books of one receiver: every datagram that reached it, in one column each.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/duplicate_window.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace udpbench::measure {

/** Counts of one round; each arrival is in exactly one of `unique`, `duplicate`, `old`, `late`, `foreign`. */
struct arrivals {
  std::uint64_t unique = 0;    ///< Sequence numbers of this round that arrived at least once.
  std::uint64_t duplicate = 0; ///< Further copies.
  std::uint64_t old = 0;     ///< Below the duplicate window: never unique, since it can't be told.
  std::uint64_t late = 0;    ///< Of an earlier round of this run; changes no closed round.
  std::uint64_t foreign = 0; ///< Not of this run.
  std::uint64_t reordered = 0; ///< Of `unique`: arrived after a higher number.
  std::uint64_t truncated = 0; ///< Of all but foreign: longer than the receive buffer.
  std::uint64_t bytes = 0;     ///< Payload bytes of `unique`, as received.
  std::uint64_t highest = 0;   ///< One above the highest sequence number of any flow; 0: none.

  /** All arrivals. */
  std::uint64_t total() const noexcept { return unique + duplicate + old + late + foreign; }

  /** Adds counts; `highest` becomes the larger of the two. */
  arrivals& operator+=(const arrivals& more) noexcept {
    unique += more.unique;
    duplicate += more.duplicate;
    old += more.old;
    late += more.late;
    foreign += more.foreign;
    reordered += more.reordered;
    truncated += more.truncated;
    bytes += more.bytes;
    highest = std::max(highest, more.highest);
    return *this;
  }

  /** By all counts. */
  bool operator==(const arrivals&) const = default;
};

/** A sink that keeps the ledger of the current round. One receiver has one, and calls it from one thread at a time.

    Datagrams shorter than the header carry no sequence number. A round `begin_unnumbered` takes every datagram of the
    right length and beginning as unique: duplicates and reordering can't be seen in it, and stay 0. */
class ledger {
 public:
  /** @param flows  senders that are expected, numbered from 0.
      @param reach how far below the highest sequence number of each a duplicate is told from a late first copy. */
  explicit ledger(std::uint16_t flows = 1, std::uint64_t reach = duplicate_window::default_reach) {
    windows_.reserve(flows);
    for (std::uint16_t i = 0; i < flows; ++i) windows_.emplace_back(reach);
  }

  /** What is done with each datagram from now on, before it is booked. Not within `receive`. */
  void then_do(work w) noexcept { work_ = std::move(w); }

  /** That work. */
  const work& work_done() const noexcept { return work_; }

  /** Makes it tell apart at least `reach` numbers of each flow from now on, by a bit for each; never fewer than before. What the
      present round has booked is forgotten. Errors: std::bad_alloc. */
  void reach(std::uint64_t reach) {
    for (auto& window : windows_)
      if (window.reach() < reach) window = duplicate_window(reach);
  }

  /** How many it tells apart. */
  std::uint64_t reach() const noexcept { return windows_.empty() ? 0 : windows_.front().reach(); }

  /** Whether that number of the round has arrived; false, too, for what lies below the reach. Threads: the receiving one, or none
      inside `receive`. */
  bool seen(std::uint16_t flow, std::uint64_t sequence) const noexcept {
    return windows_[flow].seen(sequence);
  }

  /** Starts a round of numbered datagrams with fresh counts. */
  void begin(std::uint64_t run, std::uint16_t round) noexcept {
    run_ = run;
    round_ = round;
    length_ = 0;
    counts_ = {};
    for (auto& window : windows_) window.clear();
  }

  /** Starts a round of datagrams of `length` bytes, below `wire::header_bytes`, whose beginning is that of a header. */
  void begin_unnumbered(std::uint64_t run, std::uint16_t round, std::size_t length) noexcept {
    begin(run, round);
    length_ = length;
    prefix_ = wire::encode({.flow = 0, .round = round, .run = run});
  }

  /** Of the current round. Threads: the receiving one, or none inside `receive`. */
  const arrivals& counts() const noexcept { return counts_; }

  /** One above the highest sequence number of `flow`. */
  std::uint64_t highest(std::uint16_t flow) const noexcept { return windows_[flow].next(); }

  /** Books one arrival, of whatever origin. Threads: the receiving one. */
  void operator()(const datagram& d) noexcept {
    if (work_) work_(d);
    const std::byte* at = d.bytes.data();
    if (d.bytes.size() < wire::header_bytes ||
        wire::load<std::uint32_t>(at + wire::offset::magic) != wire::magic ||
        wire::load<std::uint64_t>(at + wire::offset::run) != run_) {
      short_or_foreign(d);
      return;
    }
    const auto round = wire::load<std::uint16_t>(at + wire::offset::round);
    const auto flow = wire::load<std::uint16_t>(at + wire::offset::flow);
    if (round != round_ || flow >= windows_.size()) {
      other_round(d, round, flow);
      return;
    }
    const auto sequence = wire::load<std::uint64_t>(at + wire::offset::sequence);
    if (sequence >= std::uint64_t{1} << 63) {
      // No sender counts that far: an accident of bits, not a gap of 2^63 lost datagrams.
      ++counts_.foreign;
      return;
    }
    counts_.truncated += d.truncated() ? 1 : 0;
    switch (windows_[flow].see(sequence)) {
    case duplicate_window::arrival::reordered:
      ++counts_.reordered;
      [[fallthrough]];
    case duplicate_window::arrival::in_order:
      ++counts_.unique;
      counts_.bytes += d.bytes.size();
      if (sequence >= counts_.highest) counts_.highest = sequence + 1;
      return;
    case duplicate_window::arrival::duplicate:
      ++counts_.duplicate;
      return;
    case duplicate_window::arrival::old:
      ++counts_.old;
      return;
    }
  }

 private:
  void short_or_foreign(const datagram& d) noexcept {
    if (length_ != 0 && d.length == length_ &&
        std::memcmp(d.bytes.data(), prefix_.data(), std::min(d.bytes.size(), compared)) == 0) {
      ++counts_.unique;
      counts_.truncated += d.truncated() ? 1 : 0;
      counts_.bytes += d.bytes.size();
    } else {
      ++counts_.foreign;
    }
  }

  void other_round(const datagram& d, std::uint16_t round, std::uint16_t flow) noexcept {
    // Round numbers wrap at 2^16: the nearer way round decides which is the earlier.
    const auto distance = static_cast<std::int16_t>(static_cast<std::uint16_t>(round - round_));
    if (flow < windows_.size() && distance < 0) {
      ++counts_.late;
      counts_.truncated += d.truncated() ? 1 : 0;
    } else {
      ++counts_.foreign;
    }
  }

  /** Bytes before the sequence number: equal in all datagrams of a round. */
  static constexpr std::size_t compared = wire::offset::sequence;

  std::uint64_t run_ = 0;
  std::uint16_t round_ = 0;
  std::size_t length_ = 0; ///< Of an unnumbered round's datagrams; 0: the round is numbered.
  std::array<std::byte, wire::header_bytes> prefix_{};
  arrivals counts_;
  work work_;
  std::vector<duplicate_window> windows_;
};
static_assert(datagram_sink<ledger>);

} // namespace udpbench::measure
