/** @file
    No more datagrams in flight than so many.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>
#include <udpbench/pace/pacing.hpp>
#include <udpbench/pace/thread_sleep.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace udpbench::pace {

/** Lets at most `size` datagrams be sent beyond those that the receiver has published as received. While the window is full it
    yields, so that a receiver on the same cpu can empty it. A lost datagram takes its place in the window for ever; when the window has
    been full for `patience` without an arrival, nothing more is admitted.
    @tparam Clock  what patience is measured by.
    @tparam Yield  lets the receiver run; a test passes one that is the receiver. */
template <measure::time_source Clock = measure::monotonic_clock, class Yield = thread_yield>
class window {
 public:
  /** How long a full window is waited for. */
  static constexpr std::chrono::seconds patience{2};

  /** @param size  datagrams in flight, at least 1.
      @param clock  what patience is measured by.
      @param yield  lets the receiver run. */
  explicit window(std::uint64_t size, Clock clock = {}, Yield yield = {})
      : size_(size), clock_(std::move(clock)), yield_(std::move(yield)) {}

  /** Where the receiver publishes how many datagrams of the round it has; null: nowhere, so that one window is sent and no more.
      Lifetime: until the last `admit`. */
  void follow(const std::atomic<std::uint64_t>* received) noexcept { received_ = received; }

  /** Starts a round, in which nothing is in flight. */
  void begin() noexcept {
    waited_ = {};
    gave_up_ = false;
    start_ = last_ = clock_.now();
  }

  /** Waits until there is room behind the `accepted` before; then lets through what there is room for. */
  admission admit(std::uint64_t accepted, std::size_t most) {
    last_ = clock_.now();
    std::uint64_t room = room_behind(accepted);
    if (room == 0) {
      const auto since = last_;
      room = wait_for_room(accepted);
      last_ = clock_.now();
      waited_ += last_ - since;
    }
    return {static_cast<std::size_t>(std::min<std::uint64_t>(most, room)), 0};
  }

  /** The window stayed full: datagrams were lost. */
  bool gave_up() const noexcept { return gave_up_; }

  /** Share of the time, up to the last `admit`, in which the sender waited for room; 0 before the first. */
  double waited_share() const noexcept {
    const std::chrono::duration<double> waited = waited_;
    const std::chrono::duration<double> whole = last_ - start_;
    return whole.count() > 0 ? waited / whole : 0;
  }

 private:
  std::uint64_t received() const noexcept {
    return received_ == nullptr ? 0 : received_->load(std::memory_order_acquire);
  }

  /** More may have arrived than were sent: datagrams too short for numbers, twice. */
  std::uint64_t room_behind(std::uint64_t accepted) const noexcept {
    const std::uint64_t arrived = std::min(received(), accepted);
    const std::uint64_t in_flight = accepted - arrived;
    return size_ > in_flight ? size_ - in_flight : 0;
  }

  std::uint64_t wait_for_room(std::uint64_t accepted) {
    auto since = last_;
    std::uint64_t seen = received();
    for (;;) {
      if (const std::uint64_t room = room_behind(accepted); room != 0) return room;
      if (const std::uint64_t now_seen = received(); now_seen != seen) {
        seen = now_seen;
        since = clock_.now();
      }
      if (clock_.now() - since > patience) break;
      yield_();
    }
    gave_up_ = true;
    return 0;
  }

  std::uint64_t size_;
  Clock clock_;
  Yield yield_;
  const std::atomic<std::uint64_t>* received_ = nullptr;
  typename Clock::time_point start_{};
  typename Clock::time_point last_{};
  std::chrono::nanoseconds waited_{};
  bool gave_up_ = false;
};
static_assert(closed_loop<window<>> && !scheduled<window<>>);

} // namespace udpbench::pace
