/** @file
    By what a process sees that its child goes on.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace udpbench::app {

/** The child's side: a byte into a pipe at most once a second, so that nobody is woken or measured by it.
    Threads: one. Lifetime: of the descriptor. */
class signs_of_life {
 public:
  /** @param pipe  its writing end; it doesn't block from now on. */
  explicit signs_of_life(int pipe) noexcept : pipe_(pipe) { ::fcntl(pipe_, F_SETFL, O_NONBLOCK); }

  /** Gives one if it is time. That nobody reads it is no error. */
  void operator()() noexcept {
    const auto now = measure::monotonic_clock::now();
    if (now - last_ < std::chrono::seconds(1)) return;
    last_ = now;
    [[maybe_unused]] const auto written = ::write(pipe_, ".", 1);
  }

 private:
  int pipe_;
  measure::monotonic_clock::time_point last_{};
};

/** The parent's side: whether there was one since the last call. `pipe` is the reading end, and doesn't block. */
inline bool gave_sign(int pipe) noexcept {
  std::array<char, 4'096> part;
  return ::read(pipe, part.data(), part.size()) > 0;
}

/** For how long nothing was heard, by one who looks again and again. No I/O.
    @tparam Clock  a `time_source`. */
template <measure::time_source Clock = measure::monotonic_clock>
class silence {
 public:
  /** A longer pause between two looks was this process's own, which was stopped or didn't get a cpu: it counts as so much. */
  static constexpr std::chrono::milliseconds longest_pause{1'000};

  /** It begins now. */
  explicit silence(Clock clock = {}) : clock_(std::move(clock)), looked_(clock_.now()) {}

  /** Looks, and tells how long it is by now. @param heard  something came since the last look, which ends it. */
  std::chrono::nanoseconds look(bool heard) {
    const auto now = clock_.now();
    so_far_ += std::min<std::chrono::nanoseconds>(now - looked_, longest_pause);
    looked_ = now;
    if (heard) so_far_ = {};
    return so_far_;
  }

 private:
  Clock clock_;
  typename Clock::time_point looked_;
  std::chrono::nanoseconds so_far_{};
};

} // namespace udpbench::app
