/** @file
    What several tables say together: how a ratio goes with the work per datagram, and with the number of queued datagrams.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/style.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::report {

namespace detail {

inline std::string time_words(double ns) { return scale_for(time_ns, {ns}).with_unit(ns); }

/** ` (188 ns to 203 ns)`, or where the interval holds 0, which way each end points. */
inline std::string surcharge_interval(const record::break_even& b) {
  if (!b.surcharge_ci) return {};
  const auto [low, high] = *b.surcharge_ci;
  if (low < 0 && high > 0)
    return " (from " + time_words(-low) + " less to " + time_words(high) + " more)";
  const auto [near, far] = std::minmax({std::abs(low), std::abs(high)});
  return " (" + time_words(near) + " to " + time_words(far) + ')';
}

inline std::string break_even_words(const record::break_even& b, double margin, bool mixed) {
  const auto time = time_words;
  std::string out =
      b.receiver + " costs " + time(std::abs(b.surcharge_ns)) + surcharge_interval(b) +
      (b.surcharge_ns < 0 ? " less than " : " more than ") + b.baseline + " (" + b.load + ", " +
      size_words(b.size, mixed) + (b.sockets > 1 ? ", " + count(b.sockets) + " sockets" : "") +
      "), which is within " + margin_words(margin) +
      (b.work_ns ? " beside " + time(*b.work_ns) + " of work or more" : " without any work") + "; ";
  return out + (b.equivalent_from.empty() ? "measured as equivalent with none of these works."
                : b.equivalent_from == "0"
                    ? "measured as equivalent with each of these works."
                    : "measured as equivalent from the work " + b.equivalent_from + " (" +
                          time(b.equivalent_from_ns.value_or(0)) + ") on.");
}

/** The ends of a series whose verdicts are all alike, or change on the way. */
inline std::string crossing_ends(const record::crossing& c, const std::string& thing) {
  const auto last = c.points.empty() ? 0 : c.points.back().at;
  const std::string each = " with each of these numbers of " + thing + 's';
  if (c.slower_up_to == last) return "slower" + each;
  if (c.faster_up_to == last) return "faster" + each;
  std::vector<std::string> ends;
  if (c.slower_up_to) ends.push_back("slower with up to " + counted(*c.slower_up_to, thing));
  if (c.faster_up_to) ends.push_back("faster with up to " + counted(*c.faster_up_to, thing));
  if (c.slower_from) ends.push_back("slower from " + counted(*c.slower_from, thing) + " on");
  if (c.faster_from) ends.push_back("faster from " + counted(*c.faster_from, thing) + " on");
  if (ends.empty()) return "neither slower nor faster with the fewest or the most " + thing + 's';
  return ends.size() == 1 ? ends[0] : ends[0] + ", " + ends[1];
}

/** Where several works have no break-even: what is compared there is no time. Empty: nowhere. */
inline std::string without_break_even(const record::run& run) {
  std::vector<std::string> loads;
  if (run.plan.works.size() < 2) return {};
  for (const record::comparison& c : run.comparisons)
    if (c.metric == "received_per_second" &&
        std::find(loads.begin(), loads.end(), c.load) == loads.end())
      loads.push_back(c.load);
  if (loads.empty()) return {};
  return "Not told for " + listed(loads) +
         ", where rates are compared: a rate is no time per datagram, to which work would add. "
         "backlog and rate:R compare such times.";
}

inline std::string crossing_words(const record::crossing& c, bool mixed) {
  const std::string thing = c.over == "sockets" ? "socket" : "queued datagram";
  std::string out = c.receiver + " against " + c.baseline + " (" + c.load + ", " +
                    size_words(c.size, mixed) + (c.work.empty() ? "" : ", work " + c.work) +
                    "): " + crossing_ends(c, thing);
  const char* between = ". Ratios: ";
  for (const auto& p : c.points) {
    out += std::exchange(between, ", ") + count(p.at) + ": " + ratio(p.ratio);
    if (!p.verdict) out += " (no verdict)";
  }
  return out + '.';
}

} // namespace detail

/** Prints them; nothing where no two tables belong together. */
inline void print_series(std::ostream& out, const record::run& run, const text_style& style) {
  const auto section = [&](const std::string& head) {
    out << '\n' << std::string(std::min(style.width, prose_width), '-') << '\n';
    out << painted(head, ink::strong, style) << '\n';
  };
  const bool mixed = run.plan.mixed_from.has_value();
  const std::string untold = detail::without_break_even(run);
  if (!run.break_evens.empty() || !untold.empty())
    section("From how much work on the receive path no longer matters");
  for (const auto& b : run.break_evens)
    paragraph(out, "- ", detail::break_even_words(b, run.plan.margin, mixed), style);
  if (!untold.empty()) paragraph(out, "- ", untold, style);
  if (!run.crossings.empty()) section("From how many on it is worth it");
  for (const auto& c : run.crossings) paragraph(out, "- ", detail::crossing_words(c, mixed), style);
}

} // namespace udpbench::report
