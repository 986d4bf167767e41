/** @file
    What each receiver asks of the kernel: why one is dearer than another.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/compare_table.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/style.hpp>
#include <udpbench/report/table.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

namespace udpbench::report {

namespace detail {

inline std::string calls_in_words(const record::result& r) {
  std::string all;
  for (const auto& call : r.system_calls)
    all += (all.empty() ? "" : ", ") + shown(call.per_datagram, 3) + ' ' + call.name;
  return all.empty() ? std::string(absent) : all;
}

} // namespace detail

/** Prints it where system calls were counted; nothing else. */
inline void print_explanation(std::ostream& out, const group& g, const text_style& style) {
  const auto rows = detail::rows(g);
  if (std::none_of(rows.begin(), rows.end(),
                   [](const record::result* r) { return !r->system_calls.empty(); }))
    return;
  using S = record::summary;
  table t{detail::name_column(g)};
  const auto add = [&](std::optional<column> c) {
    if (c) t.push_back(std::move(*c));
  };
  add(detail::figure_column(g, "user", time_ns,
                            [](const S& s) { return s.cpu_user_ns_per_datagram; }));
  add(detail::figure_column(g, "system", time_ns,
                            [](const S& s) { return s.cpu_system_ns_per_datagram; }));
  add(detail::figure_column(g, "sleeps", number_of,
                            [](const S& s) { return s.voluntary_switches_per_datagram; }));
  add(detail::figure_column(g, "preempted", number_of,
                            [](const S& s) { return s.involuntary_switches_per_datagram; }));
  column calls{"system calls", "", side::left, {}};
  for (const record::result* r : rows) calls.cells.push_back({detail::calls_in_words(*r)});
  t.push_back(std::move(calls));
  paragraph(out, "", "", style);
  paragraph(out, "", "what each receiver asks of the kernel, per datagram", style);
  print(out, t, style);
}

} // namespace udpbench::report
