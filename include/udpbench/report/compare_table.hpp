/** @file
    The table of a comparison: who, how fast, at what cost, and against the baseline.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::report {

namespace detail {

/** The rows in their order: receivers, then the control. */
inline std::vector<const record::result*> rows(const group& g) {
  std::vector<const record::result*> out = g.receivers;
  if (g.control != nullptr) out.push_back(g.control);
  return out;
}

/** A column of one figure of the summaries, with one unit for all; nothing where no row has the figure. */
template <class Figure>
std::optional<column> figure_column(const group& g, std::string head, const quantity& q,
                                    Figure figure_of) {
  std::vector<figure> figures;
  for (const record::result* r : rows(g)) figures.push_back(figure_of(r->summary));
  if (std::none_of(figures.begin(), figures.end(), known)) return {};
  const scale s = scale_for(q, figures);
  column out{std::move(head), s.unit, side::right, {}};
  for (const figure& x : figures) out.cells.push_back({s(x)});
  return out;
}

inline column name_column(const group& g) {
  column out{"receiver", "", side::left, {}};
  for (const record::result* r : rows(g))
    out.cells.push_back({r->control ? "(control)" : r->receiver});
  return out;
}

/** The figure that the load is about, and what was lost for it. */
inline table headline_columns(const group& g) {
  using S = record::summary;
  table out;
  const auto add = [&](std::optional<column> c) {
    if (c) out.push_back(std::move(*c));
  };
  if (g.backlog()) {
    add(figure_column(g, "time", time_ns, [](const S& s) { return s.ns_per_datagram; }));
  } else if (g.scheduled()) {
    add(figure_column(g, "CPU", time_ns, [](const S& s) { return s.cpu_ns_per_datagram; }));
    add(figure_column(g, "loss", part_of_one, [](const S& s) { return s.loss; }));
  } else {
    add(figure_column(g, "rate", per_second, [](const S& s) { return s.received_per_second; }));
    add(figure_column(g, "loss", part_of_one, [](const S& s) { return s.loss; }));
  }
  if (out.empty()) {
    out.push_back({g.backlog() ? "time" : g.scheduled() ? "CPU" : "rate", "", side::right, {}});
    out.back().cells.assign(rows(g).size(), cell{std::string{absent}});
  }
  return out;
}

inline table cost_columns(const group& g) {
  using S = record::summary;
  table out;
  const auto add = [&](std::optional<column> c) {
    if (c) out.push_back(std::move(*c));
  };
  if (g.backlog()) {
    add(figure_column(g, "mean time", time_ns, [](const S& s) { return s.mean_ns_per_datagram; }));
  }
  if (g.scheduled()) {
    add(figure_column(g, "rate", per_second, [](const S& s) { return s.received_per_second; }));
  } else {
    add(figure_column(g, "CPU", time_ns, [](const S& s) { return s.cpu_ns_per_datagram; }));
  }
  if (!g.backlog()) {
    add(figure_column(g, "running", part_of_one, [](const S& s) { return s.cpu_share; }));
  }
  add(figure_column(g, "hook requests", number_of,
                    [](const S& s) { return s.hook_requests_per_datagram; }));
  add(figure_column(g, "allocations", number_of,
                    [](const S& s) { return s.allocations_per_datagram; }));
  return out;
}

inline table ratio_columns(const group& g, const record::plan& plan) {
  if (g.comparisons.empty()) return {};
  column ratios{"ratio", "", side::right, {}};
  const double confidence = g.comparisons.front()->confidence;
  column intervals{(std::isfinite(confidence) && confidence > 0
                        ? chosen_percent(confidence) + " interval"
                        : "interval"),
                   "",
                   side::left,
                   {}};
  column verdicts{"verdict", "", side::left, {}};
  const auto row = [&](std::string r, std::string i, cell v) {
    ratios.cells.push_back({std::move(r)});
    intervals.cells.push_back({std::move(i)});
    verdicts.cells.push_back(std::move(v));
  };

  const record::control* control = g.control_ratio();
  const bool suspect = control != nullptr && control->suspect;
  for (const record::result* r : rows(g)) {
    const record::comparison* c = g.comparison_of(r->receiver);
    if (r->control && control != nullptr) {
      row(ratio(control->ratio), interval(control->ci),
          {control_words(*control), control->suspect ? ink::alert : ink::plain});
    } else if (!r->control && r->receiver == g.baseline) {
      row("1", "", {"baseline"});
    } else if (!r->control && c != nullptr && has_ratio(*c)) {
      row(ratio(c->ratio), interval(c->ci),
          {verdict_words(*c, plan.margin) + (suspect ? ", but suspect" : ""),
           suspect ? ink::plain : verdict_ink(*c)});
    } else {
      row(std::string{absent}, std::string{absent},
          {r->control || c == nullptr ? std::string{absent} : verdict_words(*c, plan.margin)});
    }
  }
  return {std::move(ratios), std::move(intervals), std::move(verdicts)};
}

inline table joined(table a, const table& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace detail

/** What the table is about: load, size, figure, unit and what is better. */
inline std::string title(const group& g) {
  std::string out = g.load + ", " + size_words(g.size, g.mixed);
  if (g.sockets > 1) out += ", " + count(g.sockets) + " sockets";
  if (g.threads > 1) out += ", " + count(g.threads) + " threads";
  if (!g.work.empty()) out += ", work " + g.work;
  const bool time = g.backlog() || g.scheduled();
  out += g.backlog()     ? ": time per queued datagram"
         : g.scheduled() ? ": CPU time per datagram"
                         : ": datagrams received per second";
  const std::string unit = detail::headline_columns(g).front().unit;
  if (!unit.empty()) out += " (" + unit + ')';
  return out + (time ? ", lower is better" : ", higher is better");
}

/** Prints the group's table; in two parts, one below the other, where it doesn't fit side by side. */
inline void print_table(std::ostream& out, const group& g, const record::plan& plan,
                        const text_style& style) {
  const table name{detail::name_column(g)};
  const table headline = detail::joined(name, detail::headline_columns(g));
  const table cost = detail::cost_columns(g);
  const table ratios = detail::ratio_columns(g, plan);

  const table whole = detail::joined(detail::joined(headline, cost), ratios);
  if (cost.empty() || natural_width(whole) <= style.width) {
    print(out, whole, style);
  } else {
    print(out, detail::joined(headline, ratios), style);
    paragraph(out, "", "", style);
    const std::string what = g.scheduled() ? "rate" : "cost per datagram";
    const std::string running =
        g.threads > 1
            ? ", and the shares of the time, added up, for which the receiving threads were running"
            : ", and how much of the time the receiving thread was running";
    paragraph(out, "", what + (g.backlog() ? "" : running), style);
    print(out, detail::joined(name, cost), style);
  }
}

} // namespace udpbench::report
