/** @file
    From a drop counter that counts trains to datagrams.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/ledger.hpp>
#include <udpbench/send/trains.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** A socket with UDP_GRO on drops whole trains, and its counter counts each of them once. The datagrams of a train are lost together,
    so the lost ones are those of which no sequence number has arrived. Where as many are lost as the counter says, they are
    what it dropped. Where it says fewer, the rest was lost elsewhere: the longest count as dropped, so that what stays
    unexplained is real. Where it says more, it has also counted what was no part of the round: at least a datagram each.
    @param drops  of the counter.
    @param lost  the length of each lost train. */
inline std::uint64_t dropped_datagrams(std::uint64_t drops, std::vector<std::uint64_t> lost) {
  const std::uint64_t explained = std::min<std::uint64_t>(drops, lost.size());
  std::sort(lost.begin(), lost.end(), std::greater<>());
  return std::accumulate(lost.begin(), lost.begin() + static_cast<std::ptrdiff_t>(explained),
                         drops - explained);
}

/** The lengths of those trains of which no datagram is in the ledger, each flow's sent from number 0 on. Empty where the ledger's reach is
    too short to tell. */
inline std::optional<std::vector<std::uint64_t>> lost_trains(const std::vector<send::trains>& sent,
                                                             const measure::ledger& ledger) {
  std::vector<std::uint64_t> lost;
  for (std::size_t flow = 0; flow < sent.size(); ++flow) {
    std::uint64_t all = 0;
    for (const auto& run : sent[flow].runs()) all += run.length * run.count;
    if (all > ledger.reach()) return {};
    std::uint64_t first = 0;
    for (const auto& run : sent[flow].runs())
      for (std::uint64_t i = 0; i < run.count; ++i, first += run.length) {
        bool seen = false;
        for (std::uint64_t k = 0; k < run.length && !seen; ++k)
          seen = ledger.seen(static_cast<std::uint16_t>(flow), first + k);
        if (!seen) lost.push_back(run.length);
      }
  }
  return lost;
}

/** The same without sequence numbers: `missing`, if that can be the datagrams of `drops` trains; else as many trains of the longest kind.
    Empty where more than two lengths were sent, so that there is no telling. */
inline std::optional<std::uint64_t> dropped_unnumbered(std::uint64_t drops,
                                                       const std::vector<send::trains>& sent,
                                                       std::uint64_t missing) {
  std::map<std::uint64_t, std::uint64_t> trains; // by length
  for (const auto& flow : sent)
    for (const auto& run : flow.runs()) trains[run.length] += run.count;
  if (trains.empty() || trains.size() > 2) return {};
  const std::uint64_t longest = trains.rbegin()->first;
  const std::uint64_t shortest = trains.begin()->first;
  const std::uint64_t few = trains.begin()->second;
  for (std::uint64_t odd = 0; odd <= std::min(few, drops); ++odd)
    if ((drops - odd) * longest + odd * shortest == missing) return missing;
  return drops * longest;
}

/** What a drop counter of a socket with UDP_GRO stands for, in datagrams; empty where that can't be told.
    @param drops  of the counter.
    @param sent  the trains of each flow; none: each datagram was sent alone.
    @param missing  datagrams that were neither received nor left unread.
    @param ledger  of a numbered round; null: the round has no sequence numbers. */
inline std::optional<std::uint64_t> datagrams_dropped(std::uint64_t drops,
                                                      const std::vector<send::trains>& sent,
                                                      std::uint64_t missing,
                                                      const measure::ledger* ledger) {
  // What was sent alone is dropped alone.
  if (drops == 0 || sent.empty()) return drops;
  if (ledger == nullptr) return dropped_unnumbered(drops, sent, missing);
  auto lost = lost_trains(sent, *ledger);
  if (!lost) return {};
  return dropped_datagrams(drops, std::move(*lost));
}

} // namespace udpbench::experiment
