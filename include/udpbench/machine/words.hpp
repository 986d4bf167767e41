/** @file
    Numbers and lists within a sentence.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <vector>

namespace udpbench::machine {

/** `x` with that many decimals, in no locale. */
inline std::string decimal(double x, int decimals) {
  std::array<char, 400> digits{}; // the largest double has 309 before the point
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return {digits.data(), end};
}

/** `a`, `a and b`, `a, b and c`. */
inline std::string listed(const std::vector<std::string>& words) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i)
    all += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return all;
}

/** `cpu 3`, `cpus 0 to 2 and 7`. Ascending. */
inline std::string cpu_words(const std::vector<unsigned>& cpus) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    // Two neighbours read better as two.
    if (last < first + 2) last = first;
    parts.push_back(std::to_string(cpus[first]) +
                    (last == first ? "" : " to " + std::to_string(cpus[last])));
    first = last + 1;
  }
  return (cpus.size() == 1 ? "cpu " : "cpus ") + listed(parts);
}

} // namespace udpbench::machine
