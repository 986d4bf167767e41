/** @file
    System calls per datagram, from two turns of unlike length.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/system_call_name.hpp>
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

/** Tells how many system calls those who receive have made up to now. */
using call_counter = std::function<measure::system_call_counts()>;

/** Calls that belong to no datagram, but become more with the slices: each is filled by sends, its drops and its thread's clock are read;
    and a server on an event loop sets its timer now and then. */
inline constexpr std::array<std::string_view, 7> calls_of_instrument{
    "clock_gettime", "getsockopt", "restart_syscall", "sendmmsg",
    "sendmsg",       "sendto",     "timerfd_settime"};

/** How many calls were made between two counts. */
inline measure::system_call_counts calls_between(const measure::system_call_counts& before,
                                                 measure::system_call_counts after) {
  // A call that gave nothing is taken back, perhaps only after the first count.
  for (const auto& [number, count] : before) after[number] -= std::min(after[number], count);
  return after;
}

/** The calls that the longer of two turns has more than the shorter, for each of its further datagrams. What both have in common, such as
    the reading of counters at the ends of a turn, drops out; and so does what comes less than once in two slices: at those ends the
    process also waits for its next task, and whether the tracer sees it begin to is a matter of luck. The most frequent come first.
    @param shorter,longer  what was counted.
    @param slices  that the longer turn has more.
    @param datagrams  that it has more. */
inline std::vector<record::system_call>
calls_per_datagram(const measure::system_call_counts& shorter,
                   const measure::system_call_counts& longer, std::uint64_t slices,
                   std::uint64_t datagrams) {
  std::vector<record::system_call> out;
  for (const auto& [number, count] : longer) {
    const auto before = shorter.find(number);
    const std::uint64_t less = before == shorter.end() ? 0 : before->second;
    const std::string name = measure::system_call_name(number);
    if (count <= less || 2 * (count - less) < slices ||
        std::ranges::find(calls_of_instrument, name) != calls_of_instrument.end())
      continue;
    out.push_back({name, static_cast<double>(count - less) / static_cast<double>(datagrams)});
  }
  // Not by a stable sort: what libstdc++ 12 makes that of is deprecated for clang 19.
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return std::tie(b.per_datagram, a.name) < std::tie(a.per_datagram, b.name);
  });
  return out;
}

/** Counts them for one receiver by turns.
    @param where  the place whose threads `count` looks at.
    @param how  which receiver is opened there, and with what options.
    @param turn  of which a short and a long one are run, after one that isn't counted; its number of timed slices is not used.
    @param count  asked before and after each.
    Errors: throws what the place does; std::runtime_error where a turn went wrong, and of a receiver whose threads never sleep. */
inline std::vector<record::system_call>
count_system_calls(place& where, const seat_plan& how, turn_plan turn, const call_counter& count) {
  constexpr unsigned few = 2;
  constexpr unsigned many = 10;
  const opened o = where.open(how);
  std::string trouble;
  std::uint64_t sent = 0; // Of the last turn.
  const auto counted = [&](unsigned slices) {
    if (!trouble.empty()) return measure::system_call_counts{};
    turn.timed = slices;
    const auto before = count();
    const sample seen = where.turn(o.number, turn);
    sent = seen.sent.sent;
    trouble = seen.never_sleeps
                  ? "its threads never sleep, so they call as often as there is time to"
                  : seen.trouble;
    return calls_between(before, count());
  };
  counted(few); // Threads of its own begin there.
  const auto shorter = counted(few);
  const auto sent_by_shorter = sent;
  const auto longer = counted(many);
  where.close(o.number);
  if (!trouble.empty()) throw std::runtime_error(trouble);
  return calls_per_datagram(shorter, longer, many - few, sent - sent_by_shorter);
}

} // namespace udpbench::experiment
