/** @file
    The histogram against a sorted list of the same values.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/histogram.hpp>

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using udpbench::measure::histogram;

namespace {

/** Values of every order of magnitude, as many of each. */
std::vector<std::uint64_t> some_values(std::uint64_t seed, std::size_t n, int most_bits) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = random() % static_cast<unsigned>(most_bits) + 1;
    values.push_back(random() >> (64 - bits));
  }
  return values;
}

histogram of(const std::vector<std::uint64_t>& values) {
  histogram h;
  for (const auto v : values) h.record(v);
  return h;
}

} // namespace

TEST_CASE("a value is told back exactly below 512 ns, and above it at most 1/256 too large",
          "[measure]") {
  const auto check = [](std::uint64_t v) {
    histogram h;
    h.record(v);
    h.record(std::numeric_limits<std::uint64_t>::max()); // so that the largest doesn't cap it
    const auto told = h.at_rank(1).value();
    CAPTURE(v, told);
    REQUIRE(told >= v);
    REQUIRE((v < 512 ? told == v : told - v < (v + 255) / 256));
  };
  for (std::uint64_t v = 0; v < 600; v += 7) check(v);
  for (int bit = 9; bit < 36; ++bit)
    for (const std::uint64_t off : {0u, 1u, 100u}) {
      check((std::uint64_t{1} << bit) + off);
      check((std::uint64_t{1} << bit) - 1 - off);
    }
  for (const auto v : some_values(1, 200, 36)) check(v);
}

TEST_CASE("percentiles are those of the sorted values, by nearest rank, to within a bucket",
          "[measure]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    auto values = some_values(seed, 1 + seed * seed, 36);
    const auto h = of(values);
    std::sort(values.begin(), values.end());
    REQUIRE(h.count() == values.size());
    CHECK(h.min() == values.front());
    CHECK(h.max() == values.back());
    for (const int permille : {1, 10, 500, 900, 990, 999, 1000}) {
      const std::size_t rank = std::max<std::size_t>(
          (values.size() * static_cast<std::size_t>(permille) + 999) / 1000, 1);
      const auto exact = values[rank - 1];
      const auto told = h.percentile(permille / 10.0).value();
      CAPTURE(seed, permille, exact, told);
      REQUIRE(told >= exact);
      REQUIRE(told - exact <= exact / 256);
      REQUIRE(told <= values.back());
    }
  }
}

TEST_CASE("a rank that is whole is not rounded up by the way doubles are stored", "[measure]") {
  histogram h;
  for (std::uint64_t v = 1; v <= 100; ++v) h.record(v);
  for (int percent = 1; percent <= 100; ++percent) CHECK(h.percentile(percent) == percent);
  CHECK(h.percentile(98.5) == 99u);
  CHECK(h.percentile(99.9) == 100u);
}

TEST_CASE("percentiles never fall as the percentage rises", "[measure]") {
  const auto h = of(some_values(99, 1000, 64));
  std::uint64_t previous = 0;
  for (double p = 0; p <= 100; p += 0.25) {
    const auto told = h.percentile(p).value();
    REQUIRE(told >= previous);
    previous = told;
  }
  CHECK(previous == h.max());
}

TEST_CASE("histograms merged are the histogram of all values, in any order", "[measure]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto one = some_values(seed, 300, 64);
    const auto other = some_values(seed + 100, 7 * seed, 40);
    auto all = one;
    all.insert(all.end(), other.begin(), other.end());
    auto a = of(one);
    a.merge(of(other));
    auto b = of(other);
    b.merge(of(one));
    b.merge(histogram());
    const auto whole = of(all);
    for (const auto* merged : {&a, &b}) {
      REQUIRE(merged->count() == whole.count());
      REQUIRE(merged->min() == whole.min());
      REQUIRE(merged->max() == whole.max());
      for (std::uint64_t rank = 1; rank <= whole.count(); ++rank)
        REQUIRE(merged->at_rank(rank) == whole.at_rank(rank));
    }
  }
}

TEST_CASE("without values there is no figure, and never a number that is none", "[measure]") {
  histogram h;
  h.record(5);
  h.clear();
  CHECK(h.count() == 0);
  CHECK_FALSE(h.min());
  CHECK_FALSE(h.max());
  CHECK_FALSE(h.at_rank(1));
  CHECK_FALSE(h.percentile(50));
  h.merge(histogram());
  CHECK_FALSE(h.max());
  h.record(7);
  for (const double odd : {std::nan(""), -1.0, 0.0, 101.0, 1e300, -1e300})
    CHECK(h.percentile(odd) == 7u);
  CHECK(h.at_rank(0) == 7u);
  CHECK(h.at_rank(1000) == 7u);
}

TEST_CASE("what is out of range is counted, and its largest kept exactly", "[measure]") {
  histogram h;
  h.record(3);
  h.record(histogram::range);
  h.record(std::numeric_limits<std::uint64_t>::max());
  CHECK(h.count() == 3);
  CHECK(h.at_rank(1) == 3u);
  CHECK(h.percentile(100) == std::numeric_limits<std::uint64_t>::max());
  CHECK(h.percentile(50).value() >= histogram::range);
}
