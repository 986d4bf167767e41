/** @file
    A rest after every few sends.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/pace/pacing.hpp>
#include <udpbench/pace/thread_sleep.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace udpbench::pace {

/** The flow control of the measurements of 2005: after every `sends` datagrams, rest for `rest`. There is no schedule, so there is no intended
    time.
    @tparam Sleep  rests; a test passes one that takes no time. */
template <class Sleep = thread_sleep>
class pause {
 public:
  /** @param sends  datagrams between two rests, at least 1.
      @param rest  how long each is.
      @param sleep  rests. */
  pause(std::size_t sends, std::chrono::nanoseconds rest, Sleep sleep = {})
      : sends_(sends), rest_(rest), sleep_(std::move(sleep)) {}

  /** How long each rest is. */
  std::chrono::nanoseconds rest() const noexcept { return rest_; }

  /** Does nothing: a round starts without a rest. */
  void begin() noexcept {}

  /** Rests where that is due; then as many as there are before the next rest. */
  admission admit(std::uint64_t offered, std::size_t most) {
    const std::uint64_t since = offered % sends_;
    if (since == 0 && offered != 0) sleep_(rest_);
    return {static_cast<std::size_t>(std::min<std::uint64_t>(most, sends_ - since)), 0};
  }

 private:
  std::size_t sends_;
  std::chrono::nanoseconds rest_;
  Sleep sleep_;
};
static_assert(pacing<pause<>>);

} // namespace udpbench::pace
