/** @file
    How often runs called a receiver what, as a table.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "tally.hpp"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace calibration {

/** A receiver and what was planted into it. */
struct row {
  std::string receiver;
  double cost_ns = 0; ///< For each datagram, measured alone.
};

/** Prints a row for each. The percentages of planted costs are of what a datagram took the baseline in these runs. */
inline void print(std::ostream& out, const tallies& all, const std::vector<row>& rows) {
  using udpbench::statistics::verdict;
  const auto number = [](std::optional<double> x, int digits) {
    std::ostringstream text;
    if (x)
      text << std::fixed << std::setprecision(digits) << *x;
    else
      text << '-';
    return text.str();
  };
  out << "planted     ns     %  equivalent  slower  faster  inconclusive  none  ratio  half-width, "
         "% (median, largest)\n";
  const auto baseline = all.baseline_ns();
  for (const row& r : rows) {
    const tally& t = all.of(r.receiver);
    std::optional<double> planted;
    if (baseline) planted = r.cost_ns / *baseline * 100;
    std::optional<double> half;
    std::optional<double> largest;
    if (const auto& widths = t.half_widths(); !widths.empty()) {
      half = udpbench::statistics::median(widths) * 100;
      largest = *std::max_element(widths.begin(), widths.end()) * 100;
    }
    out << std::setw(7) << r.receiver << std::setw(7) << number(r.cost_ns, 1) << std::setw(6)
        << number(planted, 1) << std::setw(12) << t.called(verdict::equivalent) << std::setw(8)
        << t.called(verdict::slower) << std::setw(8) << t.called(verdict::faster) << std::setw(14)
        << t.called(verdict::inconclusive) << std::setw(6) << t.without() << std::setw(7)
        << number(t.median_ratio(), 3) << std::setw(12) << number(half, 2) << std::setw(6)
        << number(largest, 2) << '\n';
  }
}

} // namespace calibration
