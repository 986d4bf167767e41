/** @file
    Running text, broken into lines.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/report/style.hpp>
#include <udpbench/report/width.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::report {

/** Prose is hard to read on lines longer than this, however wide the terminal. */
inline constexpr std::size_t prose_width = 100;

/** `text` as lines of at most `width` columns. A number and its unit stay together; a word that is too long has a line
    of its own. */
inline std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  constexpr std::array<std::string_view, 9> units{"%",   "×",   "ns",  "µs", "ms",
                                                  "k/s", "M/s", "KiB", "MiB"};
  std::vector<std::string> lines{""};
  std::string pending; // words that stay together
  const auto flush = [&] {
    if (pending.empty()) return;
    std::string& line = lines.back();
    if (line.empty()) {
      line = pending;
    } else if (display_width(line) + 1 + display_width(pending) <= width) {
      line += ' ' + pending;
    } else {
      lines.push_back(pending);
    }
    pending.clear();
  };

  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view next = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (next.empty()) continue;
    const std::string_view bare = next.substr(0, next.find_last_not_of(".,;:)") + 1);
    if (std::find(units.begin(), units.end(), bare) != units.end() && !pending.empty()) {
      pending += ' ';
    } else {
      flush();
    }
    pending += next;
  }
  flush();
  return lines;
}

/** Prints `text` after `label`; further lines begin under its first word. */
inline void paragraph(std::ostream& out, std::string_view label, std::string_view text,
                      const text_style& style, ink colour = ink::plain) {
  const std::size_t indent = display_width(label);
  const std::size_t width = std::min(style.width, prose_width);
  std::string lead = printable(label);
  for (const std::string& line :
       wrapped(printable(text), width > indent + 20 ? width - indent : 20)) {
    out << lead << painted(line, colour, style) << '\n';
    lead.assign(indent, ' ');
  }
}

} // namespace udpbench::report
