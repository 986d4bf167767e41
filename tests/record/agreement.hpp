/** @file
    Whether what a report shows is what the file has, to the printed precision.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "catch.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>

namespace agreement {

/** The number that a cell shows, and what its last decimal is worth. */
struct shown {
  double value = 0;
  double step = 1;
};

inline shown number(std::string cell) {
  cell.erase(std::remove(cell.begin(), cell.end(), ','), cell.end());
  const std::size_t point = cell.find('.');
  const std::size_t decimals = point == cell.npos ? 0 : cell.size() - point - 1;
  return {std::strtod(cell.c_str(), nullptr), std::pow(10.0, -static_cast<double>(decimals))};
}

/** Does the cell show the value to its printed precision? `unit` is that of the column. */
inline void check_cell(const std::string& cell, const std::string& unit,
                       const boost::json::value& value) {
  static const std::map<std::string, double> sizes{{"", 1},      {"ns", 1},    {"µs", 1e3},
                                                   {"ms", 1e6},  {"/s", 1},    {"k/s", 1e3},
                                                   {"M/s", 1e6}, {"G/s", 1e9}, {"%", 0.01}};
  INFO("cell '" << cell << "', unit '" << unit << "'");
  if (value.is_null()) {
    CHECK(cell == "–");
    return;
  }
  REQUIRE(sizes.count(unit) == 1);
  const double wanted = value.to_number<double>() / sizes.at(unit);
  if (cell.starts_with("<")) {
    CHECK(wanted > 0);
    CHECK(wanted < number(cell.substr(1)).value);
  } else {
    const shown s = number(cell);
    CHECK(std::abs(s.value - wanted) <= s.step * 0.5001);
    CHECK((s.value == 0) == (wanted == 0));
  }
}

} // namespace agreement
