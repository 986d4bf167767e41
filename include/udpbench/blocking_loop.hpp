/** @file
    The loop around blocking receive calls.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace udpbench {

/** Calls a blocking receive until n datagrams are there, or a deadline or a stop. An idle call returns after the socket's
    receive timeout, and the clock is looked at then. Under traffic a reading of the clock per datagram would show in the
    figures: there it is read once every `most` datagrams, or after fewer where those took long. */
class blocking_loop {
 public:
  using clock = measure::monotonic_clock;

  /** @param step  receives up to its first argument and returns how many, with an error code where there were none.
      @param stopping  true once a stop was asked for. */
  template <class Step, class Stopping>
  std::size_t run(std::size_t n, clock::time_point deadline, Step step, Stopping stopping) {
    std::size_t got = 0;
    while (got < n && !stopping()) {
      error_code ec;
      const std::size_t taken = step(n - got, ec);
      got += taken;
      if (ec) {
        if (ec != boost::system::errc::resource_unavailable_try_again) ++errors_;
        if (clock::now() >= deadline) break;
      } else if ((unwatched_ += taken) >= stride_ && got < n && past(deadline)) {
        break;
      }
    }
    return got;
  }

  /** Receive calls that failed for another reason than having nothing to receive. */
  std::uint64_t errors() const noexcept { return errors_; }

 private:
  bool past(clock::time_point deadline) noexcept {
    const auto now = clock::now();
    stride_ = now - watched_ > std::chrono::milliseconds(1) ? 1 : std::min(2 * stride_, most);
    watched_ = now;
    unwatched_ = 0;
    return now >= deadline;
  }

  static constexpr std::size_t most = 32;

  std::uint64_t errors_ = 0;
  std::size_t stride_ = 1;
  std::size_t unwatched_ = 0;
  clock::time_point watched_;
};

} // namespace udpbench
