/** @file
    How datagrams are offered to a receiver.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/written.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace udpbench::experiment {

/** What a load is, whatever its values. */
enum class load_kind {
  backlog, ///< Filled while the receiver is held, then drained.
  flood,   ///< A sender without a pause.
  pause,   ///< A sender that rests.
  rate,    ///< A sender with a schedule.
  window,  ///< A sender that waits for the receiver.
};

/** `backlog[:K]`: K datagrams are put into the receive buffer while the receiver is held, then it is released: the pure
    cost of its path. `flood`: a sender beside it sends as fast as it can: its rate and loss when saturated. `pause:N/T`: the
    sender rests for T after each N datagrams: the flow control of 2005. `rate:R`: R datagrams a second by an absolute schedule: what
    a rate that was chosen costs. `window:W`: at most W datagrams in flight: the rate without loss. */
struct load {
  using kind = load_kind; ///< Short for it.

  kind what = kind::backlog; ///< Which of them.
  std::optional<std::uint64_t> depth =
      {}; ///< Of backlog, in datagrams; empty: 64, or half of what the buffer holds.
  std::uint64_t sends = 0;         ///< Of pause: datagrams between two rests.
  std::chrono::nanoseconds rest{}; ///< Of pause.
  std::uint64_t per_second = 0;    ///< Of rate, in datagrams.
  std::uint64_t in_flight = 0;     ///< Of window: datagrams, at most.

  /** Nobody sends while the receiver is timed. */
  bool held() const noexcept { return what == kind::backlog; }

  /** Datagrams of a round, `most` or less. A schedule decides how long they take: of a rate those of a second are enough, and
      below 8 a second 8; of a window a thousand windows, and of narrow ones, which are slow, 10,000 datagrams. */
  std::uint64_t round_count(std::uint64_t most) const noexcept {
    if (what == kind::rate) return std::min(most, std::max<std::uint64_t>(per_second, 8));
    if (what == kind::window)
      return std::min(most, std::max<std::uint64_t>(in_flight * 1000, 10'000));
    return most;
  }

  /** Datagrams that a receiver is asked for at a time in a round of `count`, at most 64; the interval that is timed begins and ends
      with so many. Of a window at most half, or the sender would wait for arrivals that are not told yet; of few
      scheduled ones at most an eighth, or no interval would be left. */
  std::size_t chunk(std::uint64_t count) const noexcept {
    std::uint64_t most = 64;
    if (what == kind::rate) most = count / 8;
    if (what == kind::window) most = in_flight / 2;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(most, 1, 64));
  }

  /** The same of a receiver whose socket joins datagrams. A train is as long as a chunk, and what is done once a chunk would be done for
      each call: it is longer by as much, up to 1024, where the load allows. */
  std::size_t joined_chunk(std::uint64_t count) const noexcept {
    if (what == kind::rate || what == kind::window) return chunk(count);
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(count / 32, 64, 1024));
  }

  /** As it is written on a command line. */
  std::string name() const {
    switch (what) {
    case kind::flood:
      return "flood";
    case kind::pause:
      return "pause:" + std::to_string(sends) + "/" + written(rest);
    case kind::rate:
      return "rate:" + written(per_second);
    case kind::window:
      return "window:" + std::to_string(in_flight);
    case kind::backlog:
      break;
    }
    return depth ? "backlog:" + std::to_string(*depth) : "backlog";
  }

  bool operator==(const load&) const = default; ///< By all values.
};

} // namespace udpbench::experiment
