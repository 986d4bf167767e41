/** @file
    About how long a comparison takes, before it starts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/plan.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace udpbench::experiment {

namespace detail {

/** Rough costs on today's machines; an estimate that is off by a half still tells minutes from hours. */
inline constexpr std::chrono::nanoseconds filled_and_drained{2'000};
inline constexpr std::chrono::nanoseconds sent_alone{4'000};
inline constexpr std::chrono::nanoseconds sent_with_others{1'000};
inline constexpr std::chrono::nanoseconds around_a_round = std::chrono::milliseconds(20);
inline constexpr std::uint64_t slices_of_a_block = 12 * 10; ///< Of each contestant.

inline std::chrono::nanoseconds sending_time(const load& l, std::uint64_t count, send_mode mode) {
  const auto n = static_cast<std::int64_t>(count);
  const bool alone = mode == send_mode::single || l.what == load_kind::pause;
  const auto each = alone ? sent_alone : sent_with_others;
  switch (l.what) {
  case load_kind::rate:
    return std::chrono::nanoseconds(1'000'000'000) / static_cast<std::int64_t>(l.per_second) * n;
  case load_kind::pause:
    return each * n + l.rest * (n / static_cast<std::int64_t>(l.sends));
  case load_kind::window:
    return sent_alone * n;
  default:
    return each * n;
  }
}

} // namespace detail

/** About how long the blocks of a plan take, of all receivers, loads and sizes, the control among them; without those that a precision
    adds. */
inline std::chrono::nanoseconds expected_time(const plan& p) {
  const auto contestants = static_cast<std::int64_t>(p.receivers.size() + 1);
  const auto blocks = static_cast<std::int64_t>(p.blocks);
  std::chrono::nanoseconds of_one{};
  for (const work& w : p.works)
    for (const load& l : p.loads)
      if (l.held()) {
        of_one += (detail::filled_and_drained + w.time) *
                  static_cast<std::int64_t>(detail::slices_of_a_block * l.depth.value_or(64));
      } else {
        const auto count = l.round_count(p.count);
        of_one +=
            2 * (detail::around_a_round + std::max(detail::sending_time(l, count, p.send),
                                                   w.time * static_cast<std::int64_t>(count)));
      }
  return of_one * contestants * blocks *
         static_cast<std::int64_t>(p.sizes.size() * p.sockets.size());
}

} // namespace udpbench::experiment
