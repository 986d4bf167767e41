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

namespace udpbench::report {

namespace detail {

inline std::string break_even_words(const record::break_even& b, double margin) {
  const auto time = [](double ns) { return scale_for(time_ns, {ns}).with_unit(ns); };
  std::string out =
      b.receiver + " costs " + time(std::abs(b.surcharge_ns)) +
      (b.surcharge_ns < 0 ? " less than " : " more than ") + b.baseline + " (" + b.load + ", " +
      bytes(b.size) + (b.sockets > 1 ? ", " + count(b.sockets) + " sockets" : "") +
      "), which is within " + margin_words(margin) +
      (b.work_ns ? " beside " + time(*b.work_ns) + " of work or more" : " without any work") + "; ";
  return out + (b.equivalent_from.empty() ? "measured as equivalent with none of these works."
                : b.equivalent_from == "0"
                    ? "measured as equivalent with each of these works."
                    : "measured as equivalent from the work " + b.equivalent_from + " (" +
                          time(b.equivalent_from_ns.value_or(0)) + ") on.");
}

inline std::string crossing_words(const record::crossing& c) {
  const std::string thing = c.over == "sockets" ? "socket" : "queued datagram";
  std::string out = c.receiver + " against " + c.baseline + " (" + c.load + ", " + bytes(c.size) +
                    (c.work.empty() ? "" : ", work " + c.work) + "): ";
  if (c.slower_up_to) out += "slower with up to " + counted(*c.slower_up_to, thing);
  if (c.slower_up_to && c.faster_from) out += ", ";
  if (c.faster_from) out += "faster from " + counted(*c.faster_from, thing) + " on";
  if (!c.slower_up_to && !c.faster_from)
    out += "neither slower nor faster with any of these numbers of " + thing + 's';
  return out + '.';
}

} // namespace detail

/** Prints them; nothing where no two tables belong together. */
inline void print_series(std::ostream& out, const record::run& run, const text_style& style) {
  const auto section = [&](const std::string& head) {
    out << '\n' << std::string(std::min(style.width, prose_width), '-') << '\n';
    out << painted(head, ink::strong, style) << '\n';
  };
  if (!run.break_evens.empty()) section("From how much work on the receive path no longer matters");
  for (const auto& b : run.break_evens)
    paragraph(out, "- ", detail::break_even_words(b, run.plan.margin), style);
  if (!run.crossings.empty()) section("From how many on it is worth it");
  for (const auto& c : run.crossings) paragraph(out, "- ", detail::crossing_words(c), style);
}

} // namespace udpbench::report
