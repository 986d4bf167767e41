/** @file
    The rounds that don't count, and what the counters said of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::report {

namespace detail {

/** A round's ledger, as an equation. */
inline std::string ledger(const record::round& r) {
  return "sent " + count(r.sent) + " = unique " + count(r.unique) + " + unread " + count(r.unread) +
         " + dropped by the kernel " +
         (r.kernel_dropped ? count(*r.kernel_dropped) : std::string{absent}) + " + unexplained " +
         count(r.unexplained);
}

using found_round = std::pair<const record::result*, const record::round*>;

/** `async in blocks 3 and 7; sync in block 4`. Few of many, for a file has them all. */
inline std::string places(const std::vector<found_round>& rounds) {
  constexpr std::size_t most = 4;
  std::string out;
  for (std::size_t i = 0; i < rounds.size();) {
    const record::result* of = rounds[i].first;
    std::vector<std::string> blocks;
    std::size_t n = 0;
    for (; i < rounds.size() && rounds[i].first == of; ++i, ++n) {
      if (n < most) blocks.push_back(count(rounds[i].second->block));
    }
    if (n > most) blocks.push_back(count(std::uint64_t{n - most}) + " more");
    out += (out.empty() ? "" : "; ") + (of->control ? "(control)" : of->receiver) +
           (n == 1 ? " in block " : " in blocks ") + listed(blocks);
  }
  return out;
}

/** What the system's counters counted in a round; empty if nothing. */
inline std::string counters(const record::round& r) {
  std::vector<std::string> out;
  if (r.system_counters) {
    record::fields(
        [&](record::key k, const std::optional<std::uint64_t>& n) {
          if (n.value_or(0) > 0) out.push_back(std::string{k.name} + ' ' + count(*n));
        },
        *r.system_counters);
  }
  return listed(out);
}

/** What the ledger and the counters of a round show, if they show anything. */
inline std::string deltas(const record::round& r) {
  const std::string counted_by_system = counters(r);
  if (r.unexplained == 0 && r.unique <= r.sent && counted_by_system.empty()) return {};
  return ledger(r) + (counted_by_system.empty() ? "" : "; the system counted " + counted_by_system);
}

/** Those that are invalid by themselves. A round that shares the fate of another one of its block quotes its reason. */
inline std::vector<found_round> causes(const std::vector<found_round>& invalid) {
  std::map<std::uint64_t, std::set<std::string>> reasons;
  for (const auto& [of, r] : invalid) reasons[r->block].insert(r->reason);
  std::vector<found_round> out;
  for (const found_round& each : invalid) {
    const record::round& r = *each.second;
    const auto& others = reasons[r.block];
    const bool quotes = std::any_of(others.begin(), others.end(), [&](const std::string& reason) {
      return !reason.empty() && r.reason.ends_with(": " + reason);
    });
    if (!quotes) out.push_back(each);
  }
  return out;
}

} // namespace detail

/** How many blocks don't count, and a note for each reason with its rounds and what the first one's ledger shows. */
inline std::vector<std::string> invalid_rounds(const group& g) {
  std::vector<detail::found_round> invalid;
  const auto add = [&](const record::result& of) {
    for (const record::round& each : of.rounds) {
      if (!each.valid) invalid.emplace_back(&of, &each);
    }
  };
  for (const record::result* r : g.receivers) add(*r);
  if (g.control != nullptr) add(*g.control);
  if (invalid.empty()) return {};

  std::map<std::string, std::vector<detail::found_round>> by_reason;
  for (const detail::found_round& each : detail::causes(invalid)) {
    by_reason[each.second->reason].push_back(each);
  }

  const std::size_t blocks = g.invalid_blocks();
  std::vector<std::string> out{
      count(std::uint64_t{blocks}) + " of " + counted(g.blocks(), "block") +
      (blocks == 1 ? " is invalid and doesn't count." : " are invalid and don't count.")};
  constexpr std::size_t most = 5;
  for (const auto& [reason, rounds] : by_reason) {
    if (out.size() > most) {
      out.push_back("There are " + counted(by_reason.size() - most, "more reason") + '.');
      break;
    }
    const bool one = rounds.size() == 1;
    std::string text = counted(rounds.size(), "invalid round") + ": " +
                       (reason.empty() ? "no reason recorded" : reason) + " (" +
                       detail::places(rounds) + ").";
    const std::string shown = detail::deltas(*rounds.front().second);
    if (!shown.empty()) text += (one ? " Its ledger: " : " The first: ") + shown + '.';
    out.push_back(std::move(text));
  }
  return out;
}

} // namespace udpbench::report
