/** @file
    Verdicts as sentences.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/reasons.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::report {

namespace detail {

/** `1.41 ×`, and its interval; near 1 with three decimals. */
inline int prose_decimals(double x) { return std::abs(x - 1) < 0.1 ? 3 : 2; }

inline std::string times(const record::comparison& c) {
  return fixed(*c.ratio, prose_decimals(*c.ratio)) + " ×";
}

inline std::string prose_interval(const std::optional<std::array<double, 2>>& ci, double estimate) {
  if (!ci || !known((*ci)[0]) || !known((*ci)[1])) return "";
  const int decimals = prose_decimals(estimate);
  return " (" + fixed((*ci)[0], decimals) + " to " + fixed((*ci)[1], decimals) + ')';
}

inline std::vector<const record::comparison*> with_verdict(const group& g, statistics::verdict v) {
  std::vector<const record::comparison*> out;
  for (const record::comparison* c : g.comparisons) {
    if (c->receiver != g.baseline && has_ratio(*c) && c->verdict == v) out.push_back(c);
  }
  return out;
}

inline std::vector<std::string> names_of(const std::vector<const record::comparison*>& list) {
  std::vector<std::string> out;
  for (const record::comparison* c : list) out.push_back(c->receiver);
  return out;
}

/** `async costs 1.41 × sync per datagram here (1.38 to 1.44) and coroutine 1.55 × (…)`. */
inline std::string differing(const group& g, statistics::verdict v) {
  std::vector<std::string> items;
  for (const record::comparison* c : with_verdict(g, v)) {
    std::string item = c->receiver + ' ';
    if (!items.empty()) {
      item += times(*c);
    } else if (c->metric == "ns_per_datagram") {
      item += "costs " + times(*c) + ' ' + g.baseline + " per datagram here";
    } else if (c->metric == "received_per_second") {
      item += "receives " + times(*c) + " as much as " + g.baseline + " here";
    } else {
      item += "has " + times(*c) + " the " + std::string{words_of_metric(c->metric).name} + " of " +
              g.baseline + " here";
    }
    items.push_back(item + prose_interval(c->ci, *c->ratio));
  }
  return listed(items);
}

/** `with_reasons`: not where something beside the receivers decides too, as the scheduler does on one shared cpu. */
inline void explain_differences(std::vector<std::string>& out, const group& g, bool with_reasons) {
  for (const auto v : {statistics::verdict::slower, statistics::verdict::faster}) {
    const std::string text = differing(g, v);
    if (text.empty()) continue;
    out.push_back(with_reasons ? text + reasons_for(g, names_of(with_verdict(g, v)), v)
                               : text + '.');
  }
  if (with_reasons) out.push_back(making_up(g));
}

inline void explain_equivalence(std::vector<std::string>& out, const record::run& run,
                                const group& g) {
  const auto list = with_verdict(g, statistics::verdict::equivalent);
  if (list.empty()) return;
  const bool one = list.size() == 1;
  std::string text = listed(names_of(list)) + (one ? " is" : " are each") + " equivalent to " +
                     g.baseline + ": a difference of more than " + margin_words(run.plan.margin) +
                     " is ruled out";
  std::vector<const record::comparison*> differ;
  for (const record::comparison* c : list) {
    if (c->qualifier == statistics::qualifier::below_margin) differ.push_back(c);
  }
  if (!differ.empty()) {
    text += ", a smaller one is shown" + (one ? std::string{} : " for " + listed(names_of(differ)));
  }
  out.push_back(text + '.');
}

inline void explain_open(std::vector<std::string>& out, const record::run& run, const group& g) {
  using statistics::qualifier;
  std::vector<std::string> few;
  for (const record::comparison* c : with_verdict(g, statistics::verdict::inconclusive)) {
    if (!c->ci) {
      few.push_back(c->receiver);
      continue;
    }
    const std::string interval = prose_interval(c->ci, *c->ratio);
    std::string text;
    if (c->qualifier == qualifier::direction_only) {
      text = c->receiver + " is " + std::string{direction(*c)} + " than " + g.baseline + interval +
             ", but whether by more than " + margin_words(run.plan.margin) + " stays open";
    } else if (c->qualifier == qualifier::below_level) {
      text = c->receiver + " is " + std::string{direction(*c)} + " than " + g.baseline + interval +
             " if it is taken alone, but not at the level that so many comparisons ask for";
    } else if (c->qualifier == qualifier::noise_floor) {
      text = c->receiver + " differs from " + g.baseline + interval + " no more than " +
             g.baseline + " differs from itself in this run";
    } else {
      text = "Whether " + c->receiver + " is slower or faster than " + g.baseline + " stays open" +
             interval;
    }
    if (c->blocks_needed)
      text += "; about " +
              (c->processes > 1 ? count(*c->blocks_needed) + " processes"
                                : counted(*c->blocks_needed, "block")) +
              " would settle it";
    out.push_back(text + '.');
  }
  if (!few.empty()) {
    out.push_back("There are too few valid blocks to tell " + listed(few) + " from " + g.baseline +
                  ".");
  }
}

/** A receiver that there is nothing to compare with. */
inline void explain_alone(std::vector<std::string>& out, const group& g) {
  const record::result& r = *g.receivers.front();
  const figure& ns = r.summary.ns_per_datagram;
  if (g.backlog() && known(ns) && *ns > 0) {
    const figure rate = 1e9 / *ns;
    out.push_back(r.receiver + " takes " + scale_for(time_ns, {ns}).with_unit(ns) +
                  " to receive a queued datagram, so one thread takes at most about " +
                  scale_for(per_second, {rate}).with_unit(rate) +
                  " this way, before it does anything with them.");
  }
  out.push_back("There is no second receiver to compare it with.");
}

} // namespace detail

} // namespace udpbench::report
