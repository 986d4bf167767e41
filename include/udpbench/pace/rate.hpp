/** @file
    So many datagrams a second.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/histogram.hpp>
#include <udpbench/pace/pacing.hpp>
#include <udpbench/pace/punctuality.hpp>
#include <udpbench/pace/thread_sleep.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace udpbench::pace {

/** An absolute schedule: datagram i of a round has its slot at t0 + i/R, where t0 is the round's beginning. One that can't be sent in its
    slot is sent late, and the next ones as soon as they can; none is skipped and none is early. Only what is due goes into one send
    call, so several do only where the sender is late.
    It sleeps while a slot is far and spins when it is `near`, so a slow schedule costs next to no CPU time. How late each datagram
    was, and how long after the one before it, is in a histogram each.
    @tparam Clock  in its time the slots are.
    @tparam Sleep  rests; a test passes one that moves the clock. */
template <measure::time_source Clock = measure::monotonic_clock, class Sleep = thread_sleep>
class rate {
 public:
  /** A sleep may end this much too late, by the kernel's timer slack (50 µs; prctl(2)) and the time that it takes to wake up. */
  static constexpr std::chrono::nanoseconds near = std::chrono::microseconds(100);

  /** The largest that is reckoned with: the product of its remainder and a second fits into 64 bits. */
  static constexpr std::uint64_t most_per_second = 10'000'000'000;

  /** @param per_second  datagrams, from 1 to `most_per_second`.
      @param clock  in whose time the slots are.
      @param sleep  rests. */
  explicit rate(std::uint64_t per_second, Clock clock = {}, Sleep sleep = {})
      : per_second_(std::clamp<std::uint64_t>(per_second, 1, most_per_second)),
        clock_(std::move(clock)),
        sleep_(std::move(sleep)) {}

  /** The first slot is now. */
  void begin() {
    lag_.clear();
    gaps_.clear();
    noted_ = 0;
    start_ = clock_.now();
  }

  /** Waits for the slot of datagram `offered`, then lets it through with those after it that are due, too. */
  admission admit(std::uint64_t offered, std::size_t most) {
    const auto slot = slot_of(offered);
    auto now = clock_.now();
    while (now < slot) {
      if (slot - now > near) sleep_(slot - now - near);
      now = clock_.now();
    }
    std::size_t count = 1;
    while (count < most && slot_of(offered + count) <= now) ++count;
    note(offered + count, now);
    return {count, intended_ns(offered)};
  }

  /** The slot of datagram `index`, on the clock. */
  std::uint64_t intended_ns(std::uint64_t index) const noexcept {
    return ns(slot_of(index).time_since_epoch());
  }

  /** From slot to sending, of each datagram of the round, in ns. */
  const measure::histogram& lag() const noexcept { return lag_; }
  /** From one datagram's sending to the next one's, in ns; 0 for those of one send call. */
  const measure::histogram& gaps() const noexcept { return gaps_; }

  /** Of the round so far; empty below two datagrams. */
  std::optional<pace::punctuality> punctuality() const noexcept {
    if (gaps_.count() == 0) return {};
    const auto whole = static_cast<double>(ns(last_ - first_));
    return pace::punctuality{.period_ns = 1e9 / static_cast<double>(per_second_),
                             .mean_gap_ns = whole / static_cast<double>(gaps_.count()),
                             .lag = spread_of(lag_),
                             .gap = spread_of(gaps_)};
  }

 private:
  using time_point = typename Clock::time_point;

  static std::uint64_t ns(std::chrono::nanoseconds d) noexcept {
    return static_cast<std::uint64_t>(d.count());
  }

  // Whole seconds apart: i · 10⁹ has no room in 64 bits, and i times a rounded period would drift away.
  time_point slot_of(std::uint64_t i) const noexcept {
    constexpr std::uint64_t second = 1'000'000'000;
    const std::uint64_t after = i / per_second_ * second + i % per_second_ * second / per_second_;
    return start_ + std::chrono::nanoseconds(static_cast<std::int64_t>(after));
  }

  /** Books the datagrams before `end` as sent now, but for those that an interrupted send call was given before. */
  void note(std::uint64_t end, time_point now) noexcept {
    for (; noted_ < end; ++noted_) {
      lag_.record(ns(now - slot_of(noted_)));
      if (noted_ == 0)
        first_ = now;
      else
        gaps_.record(ns(now - last_));
      last_ = now;
    }
  }

  std::uint64_t per_second_;
  Clock clock_;
  Sleep sleep_;
  time_point start_{};
  time_point first_{};
  time_point last_{};
  std::uint64_t noted_ = 0;
  measure::histogram lag_;
  measure::histogram gaps_;
};
static_assert(scheduled<rate<>> && !closed_loop<rate<>>);

} // namespace udpbench::pace
