/** @file
    Notes on figures that a table lacks.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/phrases.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::report::detail {

/** A figure of which a table or a ledger may have an absent one: its key in the file, and how the text calls it. */
struct named_figure {
  std::string_view key;
  std::string_view name;
};

inline constexpr std::array<named_figure, 5> named_figures{
    {{"hook_requests_per_datagram", "hook requests"},
     {"allocations_per_datagram", "allocations"},
     {"cpu_ns_per_datagram", "CPU"},
     {"cpu_share", "running"},
     {"kernel_dropped", "what the kernel dropped"}}};

/** Why a result lacks a figure, as its record says; empty where it has it. */
inline std::string_view why_without(const record::result& r, std::string_view key) {
  const auto found = std::find_if(r.not_measured.begin(), r.not_measured.end(),
                                  [&](const record::absence& a) { return a.what == key; });
  return found == r.not_measured.end() ? std::string_view() : found->why;
}

/** Why some of a table's receivers lack a figure that others have; one that nobody has stands in no table. The kernel's drops stand in
    none, so they are missed by all, too. */
inline void note_absent(std::vector<std::string>& out, const group& g) {
  std::vector<const record::result*> rows = g.receivers;
  if (g.control != nullptr) rows.push_back(g.control);
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> figures_of;
  for (const named_figure& f : named_figures) {
    std::map<std::string, std::vector<std::string>> names_of;
    std::size_t without = 0;
    for (const record::result* r : rows) {
      const auto why = why_without(*r, f.key);
      if (why.empty()) continue;
      ++without;
      names_of[std::string(why)].push_back(r->control ? "(control)" : r->receiver);
    }
    if (without == rows.size() && f.key != "kernel_dropped") continue;
    for (const auto& [why, names] : names_of) figures_of[{why, names}].emplace_back(f.name);
  }
  for (const auto& [of, figures] : figures_of)
    out.push_back("Not measured: " + listed(figures) + " of " + listed(of.second) + " (" +
                  of.first + ").");
}

} // namespace udpbench::report::detail
