/** @file
    Columns of text with heads and units.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/style.hpp>
#include <udpbench/report/width.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::report {

/** One figure or word. */
struct cell {
  std::string text;        ///< UTF-8.
  ink colour = ink::plain; ///< Of the text.
};

/** To which side a column's cells are pushed. */
enum class side {
  left,  ///< Words.
  right, ///< Figures.
};

/** Cells from top to bottom, under a head. */
struct column {
  std::string head;         ///< Its name.
  std::string unit;         ///< Stands under the head, and holds for all cells.
  side align = side::right; ///< Of head, unit and cells.
  std::vector<cell> cells;  ///< As many in each column of a table.

  /** Columns of the terminal that the widest of them takes. */
  std::size_t width() const {
    std::size_t widest = std::max(display_width(head), display_width(unit));
    for (const cell& c : cells) widest = std::max(widest, display_width(c.text));
    return widest;
  }
};

/** From left to right. Empty: prints nothing. */
using table = std::vector<column>;

namespace detail {

inline constexpr std::size_t gap = 2;
inline constexpr std::size_t least_last = 16; // below this the last column would be one word a line

struct line_part {
  std::string text;
  ink colour;
  std::size_t width;
  side align;
};

inline void print_line(std::ostream& out, const std::vector<line_part>& parts,
                       const text_style& style) {
  std::string line;
  std::size_t blanks = 0;
  for (const line_part& part : parts) {
    const std::size_t used = display_width(part.text);
    const std::size_t fill = part.width > used ? part.width - used : 0;
    blanks += part.align == side::right ? fill : 0;
    if (!part.text.empty()) {
      line.append(blanks, ' ');
      line += painted(part.text, part.colour, style);
      blanks = 0;
    }
    blanks += gap + (part.align == side::left ? fill : 0);
  }
  out << line << '\n';
}

} // namespace detail

/** Columns that the table takes if nothing is broken into lines. */
inline std::size_t natural_width(const table& t) {
  std::size_t width = t.empty() ? 0 : (t.size() - 1) * detail::gap;
  for (const column& c : t) width += c.width();
  return width;
}

/** Prints the table. Where it is too wide, the cells of the last column are broken into lines. */
inline void print(std::ostream& out, table t, const text_style& style) {
  if (t.empty()) return;
  for (column& c : t) {
    for (cell& each : c.cells) each.text = printable(each.text);
  }
  const std::size_t natural = natural_width(t);
  const std::size_t last = t.back().width();
  const std::size_t excess = natural > style.width ? natural - style.width : 0;
  const std::size_t last_width =
      std::max(last > excess ? last - excess : 0, std::min(last, detail::least_last));

  const auto line = [&](auto text_of) {
    std::vector<detail::line_part> parts;
    for (const column& c : t) {
      const auto [text, colour] = text_of(c);
      parts.push_back({text, colour, &c == &t.back() ? last_width : c.width(), c.align});
    }
    detail::print_line(out, parts, style);
  };

  line([](const column& c) { return std::pair{c.head, ink::strong}; });
  const bool units =
      std::any_of(t.begin(), t.end(), [](const column& c) { return !c.unit.empty(); });
  if (units) line([](const column& c) { return std::pair{c.unit, ink::plain}; });

  for (std::size_t row = 0; row < t.front().cells.size(); ++row) {
    const auto broken = wrapped(t.back().cells[row].text, last_width);
    for (std::size_t i = 0; i < broken.size(); ++i) {
      line([&](const column& c) {
        const cell& here = c.cells[row];
        if (&c == &t.back()) return std::pair{broken[i], here.colour};
        return std::pair{i == 0 ? here.text : std::string{}, here.colour};
      });
    }
  }
}

} // namespace udpbench::report
