/** @file
    A printed report, read back as a reader does: by the column that a figure stands under.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/record/utf8.hpp>
#include <udpbench/report/text.hpp>

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace printed {

inline std::string text(const udpbench::record::run& run, std::size_t width = 80,
                        bool colour = false) {
  std::ostringstream out;
  udpbench::report::text(out, run, {colour, width});
  return out.str();
}

/** The text with all spaces and line ends made one space, so that a sentence is found wherever it is broken. */
inline std::string flat(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/** A piece of a line between gaps of two spaces, with the columns it stands in. */
struct piece {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
};

inline std::vector<piece> pieces(std::string_view line) {
  std::vector<piece> out;
  std::size_t column = 0;
  std::size_t blanks = 2;
  while (!line.empty()) {
    const auto next = udpbench::record::decode(line);
    if (line.front() == ' ') {
      ++blanks;
    } else {
      if (blanks >= 2)
        out.push_back({"", column, column});
      else if (blanks == 1)
        out.back().text += ' ';
      out.back().text += line.substr(0, next.bytes);
      out.back().end = column + 1;
      blanks = 0;
    }
    ++column;
    line.remove_prefix(next.bytes);
  }
  return out;
}

/** One table: cells and units by the head of their column. */
struct table {
  std::map<std::string, std::string> unit;
  std::map<std::string, std::map<std::string, std::string>> rows; ///< By receiver, then by head.
};

/** The tables of a report, each from its line of heads to the next empty line; a cell may go on below. */
inline std::vector<table> tables(const std::string& text) {
  std::vector<table> out;
  std::vector<piece> heads;
  std::string row;
  const auto head_of = [&](const piece& cell) -> std::string {
    for (const piece& head : heads) {
      if (cell.begin == head.begin || cell.end == head.end) return head.text;
    }
    return {};
  };
  for (const std::string& line : lines(text)) {
    const std::vector<piece> found = pieces(line);
    if (found.empty()) {
      heads.clear();
    } else if (found.front().text == "receiver") {
      heads = found;
      out.emplace_back();
      row.clear();
    } else if (!heads.empty()) {
      const bool starts_row = found.front().begin == 0;
      if (starts_row) row = found.front().text;
      for (const piece& cell : found) {
        if (!starts_row && row.empty()) {
          out.back().unit[head_of(cell)] = cell.text;
        } else {
          std::string& known = out.back().rows[row][head_of(cell)];
          known += (known.empty() ? "" : " ") + cell.text;
        }
      }
    }
  }
  return out;
}

/** Whether the words stand in the report, wherever its lines break. */
inline bool has(const std::string& report, const std::string& words) {
  return flat(report).find(words) != std::string::npos;
}

} // namespace printed
