/** @file
    The rounds that don't count, and what the counters said of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

} // namespace detail

/** One note for each reason, with its rounds and the ledger of the first. */
inline std::vector<std::string> invalid_rounds(const group& g) {
  std::map<std::string, std::vector<detail::found_round>> by_reason;
  std::uint64_t all = 0;
  const auto add = [&](const record::result& of) {
    for (const record::round& each : of.rounds) {
      ++all;
      if (!each.valid) by_reason[each.reason].push_back({&of, &each});
    }
  };
  for (const record::result* r : g.receivers) add(*r);
  if (g.control != nullptr) add(*g.control);

  std::vector<std::string> out;
  for (const auto& [reason, rounds] : by_reason) {
    const bool one = rounds.size() == 1;
    const record::round& first = *rounds.front().second;
    std::string text = count(std::uint64_t{rounds.size()}) + " of " + counted(all, "round") +
                       (one ? " is invalid and takes its block with it: "
                            : " are invalid and take their blocks with them: ") +
                       (reason.empty() ? "no reason recorded" : reason) + " (" +
                       detail::places(rounds) + "). " + (one ? "Its ledger: " : "The first: ") +
                       detail::ledger(first);
    const std::string deltas = detail::counters(first);
    if (!deltas.empty()) text += "; the system counted " + deltas;
    out.push_back(text + '.');
  }
  return out;
}

} // namespace udpbench::report
