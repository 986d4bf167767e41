/** @file
    How datagrams are offered to a receiver.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace udpbench::experiment {

/** What a load is, whatever its values. */
enum class load_kind {
  backlog, ///< Filled while the receiver is held, then drained.
  flood,   ///< A sender without a pause.
  pause,   ///< A sender that rests.
};

/** `backlog[:K]`: K datagrams are put into the receive buffer while the receiver is held, then it is released: the pure
    cost of its path. `flood`: a sender beside it sends as fast as it can: its rate and loss when saturated. `pause:N/T`: the
    sender rests for T after each N datagrams: the flow control of 2005. */
struct load {
  using kind = load_kind; ///< Short for it.

  kind what = kind::backlog; ///< Which of them.
  std::optional<std::uint64_t> depth =
      {}; ///< Of backlog, in datagrams; empty: 64, or half of what the buffer holds.
  std::uint64_t sends = 0;         ///< Of pause: datagrams between two rests.
  std::chrono::nanoseconds rest{}; ///< Of pause.

  /** Nobody sends while the receiver is timed. */
  bool held() const noexcept { return what == kind::backlog; }

  /** As it is written on a command line. */
  std::string name() const {
    switch (what) {
    case kind::flood:
      return "flood";
    case kind::pause:
      return "pause:" + std::to_string(sends) + "/" + written(rest);
    case kind::backlog:
      break;
    }
    return depth ? "backlog:" + std::to_string(*depth) : "backlog";
  }

  bool operator==(const load&) const = default; ///< By all values.

 private:
  static std::string written(std::chrono::nanoseconds t) {
    const std::pair<std::int64_t, const char*> units[] = {
        {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
    for (const auto& [factor, unit] : units)
      if (t.count() != 0 && t.count() % factor == 0)
        return std::to_string(t.count() / factor) + unit;
    return std::to_string(t.count()) + "ns";
  }
};

} // namespace udpbench::experiment
