/** @file
    Numbers of datagrams that came together, and histograms as plain data.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/histogram.hpp>

#include "catch.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <vector>

using udpbench::measure::batch_sizes;
using udpbench::measure::buckets;
using udpbench::measure::histogram;
using udpbench::measure::merge;
using udpbench::measure::values_in;

namespace {

batch_sizes of(const std::vector<std::size_t>& values) {
  batch_sizes out;
  for (const auto v : values) out.record(v);
  return out;
}

} // namespace

TEST_CASE("up to 128 each number of datagrams is told apart, above by powers of two", "[measure]") {
  for (std::size_t n = 0; n <= 128; ++n) CHECK(of({n}).buckets() == buckets{{n, 1}});
  CHECK(of({129, 255}).buckets() == buckets{{129, 2}});
  CHECK(of({256, 511, 512, 1024}).buckets() == buckets{{256, 2}, {512, 1}, {1024, 1}});
  const auto huge = of({std::numeric_limits<std::size_t>::max()}).buckets();
  CHECK(huge == buckets{{std::uint64_t{1} << 31, 1}});
}

TEST_CASE("what was counted since a copy is the difference to it", "[measure]") {
  batch_sizes all = of({1, 1, 64});
  const batch_sizes earlier = all;
  all.record(64);
  all.record(7);
  CHECK((all - earlier).buckets() == buckets{{7, 1}, {64, 1}});
  CHECK((all - earlier).count() == 2);
  all += earlier;
  CHECK(all.buckets() == buckets{{1, 4}, {7, 1}, {64, 3}});
  CHECK(all.count() == 8);
}

TEST_CASE("buckets of two histograms merge into those of all values", "[measure]") {
  buckets a{{1, 2}, {5, 1}};
  merge(a, {{0, 1}, {5, 4}, {9, 1}});
  CHECK(a == buckets{{0, 1}, {1, 2}, {5, 5}, {9, 1}});
  merge(a, {});
  CHECK(values_in(a) == 9);
  buckets none;
  merge(none, a);
  CHECK(none == a);

  std::optional<buckets> maybe;
  merge(maybe, std::optional<buckets>());
  CHECK_FALSE(maybe);
  merge(maybe, std::optional(a));
  merge(maybe, std::optional<buckets>());
  CHECK(maybe == a);
}

TEST_CASE("a histogram's buckets hold all its values, each in the one that its width says",
          "[measure]") {
  std::mt19937_64 random(5);
  histogram h;
  std::map<std::uint64_t, std::uint64_t> wanted; // by the rule that users read
  for (int i = 0; i < 20'000; ++i) {
    const auto v = random() >> (28 + random() % 36);
    h.record(v);
    const std::uint64_t width =
        v < 512 ? 1 : std::uint64_t{1} << (static_cast<int>(std::bit_width(v)) - 9);
    ++wanted[v / width * width];
  }
  const auto seen = h.buckets();
  CHECK(values_in(seen) == h.count());
  REQUIRE(seen.size() == wanted.size());
  CHECK(std::equal(seen.begin(), seen.end(), wanted.begin(), [](const auto& a, const auto& b) {
    return a[0] == b.first && a[1] == b.second;
  }));
}

TEST_CASE("what is beyond a histogram's range is in its last bucket", "[measure]") {
  histogram h;
  h.record(std::numeric_limits<std::uint64_t>::max());
  h.record(histogram::range);
  h.record(histogram::range - 1);
  CHECK(h.buckets().size() == 1);
  CHECK(values_in(h.buckets()) == 3);
  CHECK(histogram().buckets().empty());
}
