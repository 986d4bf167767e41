/** @file
    From how many queued datagrams, or sockets, on a receiver is the faster one. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/record/same_table.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

namespace detail {

/** Where a comparison stands on the axis; empty: nowhere. */
using axis = std::optional<std::uint64_t> (*)(const record::result&);

/** A comparison and where it stands. */
using place_on_axis = std::pair<std::uint64_t, const record::comparison*>;

/** The comparisons of one receiver that differ in the axis alone, along it. `same` tells what has to be equal. */
template <class Same>
std::vector<place_on_axis> along(const record::run& run, const record::comparison& first,
                                 axis where, Same same) {
  std::vector<place_on_axis> out;
  for (const auto& c : run.comparisons) {
    if (c.receiver != first.receiver || c.size != first.size || c.work != first.work ||
        !same(c, first))
      continue;
    for (const auto& r : run.results)
      if (!r.control && r.receiver == c.receiver && record::same_table(r, c))
        if (const auto at = where(r)) out.emplace_back(*at, &c);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/** Where the points from `first` on cease to have the verdict `word`: the last that has it; empty if not even the first does. */
template <class Iterator>
std::optional<std::uint64_t> as_far_as(Iterator first, Iterator last, statistics::verdict word) {
  std::optional<std::uint64_t> out;
  for (; first != last && first->verdict == word; ++first) out = first->at;
  return out;
}

/** What all points say together. */
inline void find_ends(record::crossing& c) {
  using statistics::verdict;
  c.slower_up_to = as_far_as(c.points.begin(), c.points.end(), verdict::slower);
  c.faster_up_to = as_far_as(c.points.begin(), c.points.end(), verdict::faster);
  c.slower_from = as_far_as(c.points.rbegin(), c.points.rend(), verdict::slower);
  c.faster_from = as_far_as(c.points.rbegin(), c.points.rend(), verdict::faster);
}

template <class Same>
void find_along(std::vector<record::crossing>& out, const record::run& run, const std::string& over,
                axis where, Same same) {
  std::vector<const record::comparison*> seen;
  for (const auto& first : run.comparisons) {
    if (std::find(seen.begin(), seen.end(), &first) != seen.end()) continue;
    const auto points = along(run, first, where, same);
    if (points.size() < 2) continue;
    record::crossing c;
    c.receiver = first.receiver;
    c.baseline = first.baseline;
    c.over = over;
    c.load = over == "sockets" ? first.load : "backlog";
    c.size = first.size;
    c.work = first.work;
    for (const auto& [at, found] : points) {
      c.points.push_back({.at = at, .ratio = found->ratio, .verdict = found->verdict});
      seen.push_back(found);
    }
    find_ends(c);
    out.push_back(std::move(c));
  }
}

} // namespace detail

/** For each receiver that was compared at several depths of backlog, or with several numbers of sockets: where it becomes slower or
    faster than the baseline. */
inline std::vector<record::crossing> find_crossings(const record::run& run) {
  std::vector<record::crossing> out;
  detail::find_along(
      out, run, "depth", [](const record::result& r) { return r.depth; },
      [](const auto& a, const auto& b) { return a.sockets == b.sockets; });
  detail::find_along(
      out, run, "sockets", [](const record::result& r) { return std::optional(r.sockets); },
      [](const auto& a, const auto& b) { return a.load == b.load; });
  return out;
}

} // namespace udpbench::experiment
