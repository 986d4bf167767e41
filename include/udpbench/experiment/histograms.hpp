/** @file
    Histograms of several rounds, as one.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/buckets.hpp>
#include <udpbench/record/histograms.hpp>

#include <cstddef>
#include <vector>

namespace udpbench::experiment {

/** Adds what was counted elsewhere, each kind by itself. */
inline void add(record::histograms& into, const record::histograms& more) {
  measure::merge(into.lag_ns, more.lag_ns);
  measure::merge(into.gap_ns, more.gap_ns);
  measure::merge(into.datagrams_per_receive_call, more.datagrams_per_receive_call);
  measure::merge(into.datagrams_per_wakeup, more.datagrams_per_wakeup);
}

/** Those that a receiver's own thread counted. */
inline record::histograms histograms_of(const sample& s) {
  record::histograms out;
  out.datagrams_per_receive_call = s.per_receive_call;
  out.datagrams_per_wakeup = s.per_wakeup;
  return out;
}

/** Those of all valid rounds of contestant `who`. */
inline record::histograms histograms_of(const std::vector<block>& blocks, std::size_t who) {
  record::histograms all;
  for (const block& b : blocks) {
    const block::part& p = b.parts[who];
    for (std::size_t i = 0; i < p.rounds.size(); ++i)
      if (p.rounds[i].valid) add(all, p.histograms[i]);
  }
  return all;
}

} // namespace udpbench::experiment
