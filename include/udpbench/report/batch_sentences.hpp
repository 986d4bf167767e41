/** @file
    How many datagrams came together, as sentences.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/histograms.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::report {

/** Mean of a histogram of numbers of datagrams, of which the valid rounds of `r` counted the sum; empty without any. */
inline figure mean_together(const record::result& r,
                            const std::optional<record::buckets>& together) {
  if (!together || together->empty()) return {};
  std::uint64_t counted = 0;
  for (const record::round& each : r.rounds)
    if (each.valid) counted += each.counted;
  return static_cast<double>(counted) / static_cast<double>(record::values_in(*together));
}

/** How a mean came about: how often a datagram came alone, and how many came together at the most; nothing where all were alike. */
inline std::string spread_words(const std::optional<record::buckets>& together) {
  if (!together || together->size() < 2) return {};
  const auto all = static_cast<double>(record::values_in(*together));
  std::vector<std::string> parts;
  if (const auto& [least, times] = together->front(); least == 1)
    parts.push_back("1 in " + percent(static_cast<double>(times) / all));
  const std::uint64_t most = together->back()[0];
  const bool exact = most <= record::told_apart;
  parts.push_back(exact ? "at most " + count(most) : "up to more than " + count(most - 1));
  return " (" + listed(parts, ", ") + ')';
}

namespace detail {

/** How many datagrams a receive call and a wake-up gave, of those receivers that counted. */
inline void note_batches(std::vector<std::string>& out, const group& g) {
  std::vector<std::string> calls;
  std::vector<std::string> wakeups;
  for (const record::result* r : g.receivers) {
    const record::histograms& h = r->histograms;
    const auto& each = r->summary.datagrams_per_receive_call;
    if (known(each))
      calls.push_back(shown(each, 1) + " for " + r->receiver +
                      spread_words(h.datagrams_per_receive_call));
    // Where each wake-up makes one call it has been said.
    const figure woken = mean_together(*r, h.datagrams_per_wakeup);
    if (known(woken) && h.datagrams_per_wakeup != h.datagrams_per_receive_call)
      wakeups.push_back(shown(woken, 1) + " for " + r->receiver +
                        spread_words(h.datagrams_per_wakeup));
  }
  if (!calls.empty()) out.push_back("Datagrams per receive call: " + listed(calls) + '.');
  if (!wakeups.empty()) out.push_back("Datagrams per wake-up: " + listed(wakeups) + '.');
}

} // namespace detail

} // namespace udpbench::report
