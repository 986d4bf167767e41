/** @file
    An interval that is written down when it ends.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>

namespace udpbench {

/** Writes the time from its construction to its destruction into its caller's slot. It prints nothing and keeps nothing.

    @code
    std::chrono::nanoseconds drain{};
    { timed_scope scope{clock, drain}; server.receive(64, deadline); }
    @endcode

    Lifetime: `clock` and `slot` outlive it. Threads: one. */
template <measure::time_source Clock, class Duration = typename Clock::duration>
class timed_scope {
 public:
  /** @param clock  read now and at the end.
      @param slot  written at the end, and not before. */
  timed_scope(Clock& clock, Duration& slot) noexcept
      : clock_(clock), slot_(slot), begin_(clock.now()) {}
  timed_scope(const timed_scope&) = delete;
  timed_scope& operator=(const timed_scope&) = delete;
  ~timed_scope() { slot_ = std::chrono::duration_cast<Duration>(clock_.now() - begin_); }

 private:
  Clock& clock_;
  Duration& slot_;
  typename Clock::time_point begin_;
};

} // namespace udpbench
