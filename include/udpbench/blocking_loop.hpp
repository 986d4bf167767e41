/** @file
    The loop around blocking receive calls.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <time.h>

namespace udpbench {

/** Calls a blocking receive until n datagrams are there, or a deadline or a stop. An idle call returns after the socket's
    receive timeout, or after many tries, and the clock is looked at then. Under traffic a reading of the clock per datagram would show in the
    figures: there a coarser and cheaper one is read, once every `stride` datagrams. So a trickle, too, is left after `stride`
    receive timeouts at the most. */
class blocking_loop {
 public:
  using clock = measure::monotonic_clock; ///< Of deadlines.

  /** Datagrams from one reading of the clock to the next. */
  static constexpr std::size_t stride = 4;

  /** @param n  datagrams to wait for.
      @param deadline  when to give up.
      @param step  receives up to its first argument and returns how many, with an error code where there were none, or where some
      were cut off.
      @param stopping  true once a stop was asked for. */
  template <class Step, class Stopping>
  std::size_t run(std::size_t n, clock::time_point deadline, Step step, Stopping stopping) {
    std::size_t got = 0;
    while (got < n && !stopping()) {
      error_code ec;
      const std::size_t taken = step(n - got, ec);
      got += taken;
      unwatched_ += taken;
      if (ec) count(ec);
      if (taken == 0) {
        if (clock::now() >= deadline) break;
      } else if (unwatched_ >= stride && got < n) {
        unwatched_ = 0;
        if (coarse_now() >= deadline) break;
      }
    }
    return got;
  }

  /** Receive calls that failed for another reason than that nothing came, or a signal. */
  std::uint64_t errors() const noexcept { return errors_; }

  /** The last of those errors; unset if there was none. */
  const error_code& last_error() const noexcept { return last_error_; }

 private:
  void count(const error_code& ec) noexcept {
    namespace errc = boost::system::errc;
    if (ec == errc::resource_unavailable_try_again || ec == errc::interrupted) return;
    ++errors_;
    last_error_ = ec;
  }

  /** The monotonic clock as of the kernel's last tick, 1 to 10 ms ago; about a fifth of a reading's cost. */
  static clock::time_point coarse_now() noexcept {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return clock::time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
  }

  std::uint64_t errors_ = 0;
  error_code last_error_;
  std::size_t unwatched_ = 0;
};

} // namespace udpbench
