/** @file
    System calls per datagram, from two turns of unlike length.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/system_calls.hpp>
#include <udpbench/record/result.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace udpbench::experiment {

/** Runs what it is given, and counts the system calls of the thread that receives meanwhile. */
using call_counter = std::function<measure::system_call_counts(const std::function<void()>&)>;

/** Calls that belong to no datagram, but become more with the slices: each is filled by sends, its drops and its thread's clock are read;
    and a server on an event loop sets its timer now and then. */
inline constexpr std::array<std::string_view, 7> calls_of_instrument{
    "clock_gettime", "getsockopt", "restart_syscall", "sendmmsg",
    "sendmsg",       "sendto",     "timerfd_settime"};

/** The calls that the longer of two turns has more than the shorter, for each of its further datagrams. What both have in common, such as
    the reading of counters at the ends of a turn, drops out; and so does what comes less than once in two slices: at those ends the
    process also waits for its next task, and whether the tracer sees it begin to is a matter of luck. The most frequent come first.
    @param shorter,longer  what was counted.
    @param slices  that the longer turn has more.
    @param depth  datagrams of each slice. */
inline std::vector<record::system_call>
calls_per_datagram(const measure::system_call_counts& shorter,
                   const measure::system_call_counts& longer, std::uint64_t slices,
                   std::uint64_t depth) {
  std::vector<record::system_call> out;
  for (const auto& [number, count] : longer) {
    const auto before = shorter.find(number);
    const std::uint64_t less = before == shorter.end() ? 0 : before->second;
    const std::string name = measure::system_call_name(number);
    if (count <= less || 2 * (count - less) < slices ||
        std::ranges::find(calls_of_instrument, name) != calls_of_instrument.end())
      continue;
    out.push_back({name, static_cast<double>(count - less) / static_cast<double>(slices * depth)});
  }
  // Not by a stable sort: what libstdc++ 12 makes that of is deprecated for clang 19.
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return std::tie(b.per_datagram, a.name) < std::tie(a.per_datagram, b.name);
  });
  return out;
}

/** Counts them for one receiver under the load backlog.
    @param where  the place whose thread `count` looks at.
    @param how  which receiver is opened there, and with what options.
    @param turn  of which a short and a long one are run; its number of timed slices is not used.
    @param count  runs a turn and counts the calls that it made.
    Errors: throws what the place does; std::runtime_error where a turn went wrong. */
inline std::vector<record::system_call>
count_system_calls(place& where, const seat_plan& how, turn_plan turn, const call_counter& count) {
  constexpr unsigned few = 2;
  constexpr unsigned many = 10;
  const opened o = where.open(how);
  std::string trouble;
  const auto counted = [&](unsigned slices) {
    turn.timed = slices;
    return count([&] {
      const std::string t = where.turn(o.number, turn).trouble;
      if (trouble.empty()) trouble = t;
    });
  };
  const auto shorter = counted(few);
  const auto longer = counted(many);
  where.close(o.number);
  if (!trouble.empty()) throw std::runtime_error(trouble);
  return calls_per_datagram(shorter, longer, many - few, turn.depth);
}

} // namespace udpbench::experiment
