/** @file
    From how many queued datagrams on a receiver is the faster one. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/record/same_table.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace udpbench::experiment {

namespace detail {

/** The backlogs in which one receiver was compared, by rising depth. */
inline std::vector<std::pair<std::uint64_t, const record::comparison*>>
depths_of(const record::run& run, const record::comparison& first) {
  std::vector<std::pair<std::uint64_t, const record::comparison*>> out;
  for (const auto& c : run.comparisons) {
    if (c.receiver != first.receiver || c.size != first.size || c.work != first.work || !c.verdict)
      continue;
    for (const auto& r : run.results)
      if (!r.control && r.receiver == c.receiver && record::same_table(r, c) && r.depth)
        out.emplace_back(*r.depth, &c);
  }
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace detail

/** For each receiver that was compared at several depths of backlog: where it becomes slower or faster than the baseline. */
inline std::vector<record::crossing> find_crossings(const record::run& run) {
  using statistics::verdict;
  std::vector<record::crossing> out;
  for (const auto& first : run.comparisons) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const auto& c) {
      return c.receiver == first.receiver && c.size == first.size && c.work == first.work;
    });
    const auto depths = detail::depths_of(run, first);
    if (known || depths.size() < 2) continue;
    record::crossing c;
    c.receiver = first.receiver;
    c.baseline = first.baseline;
    c.size = first.size;
    c.work = first.work;
    for (auto at = depths.rbegin(); at != depths.rend(); ++at) {
      if (at->second->verdict != verdict::faster) break;
      c.depth = at->first;
    }
    for (const auto& [depth, found] : depths)
      if (found->verdict == verdict::slower) c.slower_up_to = depth;
    out.push_back(c);
  }
  return out;
}

} // namespace udpbench::experiment
