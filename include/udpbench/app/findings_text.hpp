/** @file
    Findings about the machine, for a reader and for a program.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/finding.hpp>
#include <udpbench/record/json_layout.hpp>
#include <udpbench/record/utf8.hpp>
#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/style.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::app {

namespace detail {

inline report::ink ink_of(machine::level l) noexcept {
  switch (l) {
  case machine::level::warning:
    return report::ink::alert;
  case machine::level::note:
    return report::ink::strong;
  default:
    return report::ink::plain;
  }
}

/** `2 warnings, 1 note, 3 unknown, 14 ok`; without those that there are none of. */
inline std::string counted(const std::vector<machine::finding>& all) {
  using machine::level;
  std::string text;
  for (const level l : {level::warning, level::note, level::unknown, level::ok}) {
    const auto n = std::count_if(all.begin(), all.end(),
                                 [l](const machine::finding& f) { return f.level == l; });
    if (n == 0) continue;
    const bool plural = n > 1 && (l == level::warning || l == level::note);
    text += (text.empty() ? "" : ", ") + std::to_string(n) + ' ' + std::string(machine::name(l)) +
            (plural ? "s" : "");
  }
  return text;
}

} // namespace detail

/** Prints a paragraph for each; what needs a look comes first. Errors: those of the stream. */
inline void print_findings(std::ostream& out, const std::vector<machine::finding>& all,
                           const report::text_style& style) {
  using machine::level;
  constexpr std::string_view lead = "         "; // as wide as the longest word for a level
  constexpr std::array urgency{level::warning, level::note, level::unknown, level::ok};
  report::paragraph(out, "", "The machine as a place to measure: " + detail::counted(all) + ".",
                    style, report::ink::strong);
  for (const level wanted : urgency)
    for (const machine::finding& f : all) {
      if (f.level != wanted) continue;
      std::string label(machine::name(f.level));
      label.resize(lead.size(), ' ');
      report::paragraph(out, label, f.subject + ": " + f.found, style, detail::ink_of(f.level));
      if (!f.why.empty()) report::paragraph(out, lead, f.why, style);
      if (!f.change.empty()) report::paragraph(out, lead, "To change it: " + f.change, style);
    }
  report::paragraph(out, "", "Nothing was changed: this command only reads.", style);
}

/** A JSON array of them, in their own order, and a newline. */
inline std::string findings_json(const std::vector<machine::finding>& all) {
  boost::json::array list;
  for (const machine::finding& f : all) {
    boost::json::object one;
    one.emplace("level", boost::json::string(machine::name(f.level)));
    for (const auto& [key, text] :
         {std::pair<const char*, const std::string&>("subject", f.subject),
          {"found", f.found},
          {"why", f.why},
          {"change", f.change}})
      one.emplace(key, boost::json::string(record::valid_utf8(text)));
    list.push_back(std::move(one));
  }
  return record::laid_out(list);
}

} // namespace udpbench::app
