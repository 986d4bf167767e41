/** @file
    A histogram as plain data.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace udpbench::measure {

/** Those buckets of a histogram that hold something, by size: the smallest value that a bucket stands for, and how many values it holds.
    Which values a bucket stands for is a matter of the histogram that it is from. */
using buckets = std::vector<std::array<std::uint64_t, 2>>;

/** Values in all of them. */
inline std::uint64_t values_in(const buckets& b) noexcept {
  return std::accumulate(b.begin(), b.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& each) { return sum + each[1]; });
}

/** Adds those of another histogram of the same kind. Errors: throws std::bad_alloc. */
inline void merge(buckets& into, const buckets& more) {
  buckets sum;
  sum.reserve(std::max(into.size(), more.size()));
  auto a = into.begin();
  auto b = more.begin();
  while (a != into.end() && b != more.end()) {
    const bool both = (*a)[0] == (*b)[0];
    sum.push_back((*b)[0] < (*a)[0] ? *b++ : *a++);
    if (both) sum.back()[1] += (*b++)[1];
  }
  std::copy(a, into.end(), std::back_inserter(sum));
  std::copy(b, more.end(), std::back_inserter(sum));
  into = std::move(sum);
}

/** Likewise where nobody may have counted: what is empty adds nothing. */
inline void merge(std::optional<buckets>& into, const std::optional<buckets>& more) {
  if (!more) return;
  if (!into) into.emplace();
  merge(*into, *more);
}

} // namespace udpbench::measure
