/** @file
    Which sequence numbers have been seen: by hand at the edges, and against a set that forgets nothing.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/duplicate_window.hpp>

#include "catch.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <set>

using udpbench::measure::duplicate_window;
using arrival = duplicate_window::arrival;

namespace {

/** What a window must answer, by remembering everything. */
class model {
 public:
  explicit model(std::uint64_t reach) : reach_(reach) {}

  arrival see(std::uint64_t sequence) {
    const bool first = seen_.insert(sequence).second;
    if (sequence >= next_) {
      next_ = sequence + 1;
      return arrival::in_order;
    }
    if (next_ - sequence > reach_) return arrival::old;
    return first ? arrival::reordered : arrival::duplicate;
  }

  std::uint64_t next() const { return next_; }

 private:
  std::uint64_t reach_;
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> seen_;
};

/** Runs at random through both, from `start` upward: mostly in order, with jumps and returns of every scale. */
void compare_with_model(std::uint64_t wanted, std::uint64_t start, std::uint64_t end, unsigned seed,
                        int arrivals = 20'000) {
  duplicate_window window(wanted);
  model expected(window.reach());
  std::mt19937_64 random(seed);
  const auto up_to = [&](std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most)(random);
  };
  // Every scale from one number to three windows is equally frequent.
  const auto distance = [&] {
    std::uint64_t scale = 1;
    for (auto doublings = up_to(std::bit_width(3 * window.reach()) - 1u); doublings != 0;
         --doublings)
      scale *= 2;
    return up_to(scale);
  };
  INFO("window " << wanted << ", start " << start << ", seed " << seed);
  std::uint64_t sequence = start;
  for (int i = 0; i < arrivals; ++i) {
    REQUIRE(window.see(sequence) == expected.see(sequence));
    REQUIRE(window.next() == expected.next());
    const auto next = window.next();
    const auto kind = up_to(9);
    if (kind < 6)
      sequence = next;
    else if (kind < 8)
      sequence = next + distance();
    else
      sequence = next - std::min(next, 1 + distance());
    sequence = std::min(sequence, end);
  }
}

constexpr auto top =
    std::numeric_limits<std::uint64_t>::max() - 1; // the highest that may be booked

} // namespace

TEST_CASE("a window answers as a set that remembers everything would", "[measure]") {
  for (const std::uint64_t wanted : {64u, 100u, 192u, 1000u})
    for (unsigned seed = 0; seed < 5; ++seed) compare_with_model(wanted, 0, top, seed);
}

TEST_CASE("a window answers right across 2^32 and up to the last number", "[measure]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    compare_with_model(192, (std::uint64_t{1} << 32) - 300, top, seed, 2000);
    compare_with_model(192, (std::uint64_t{1} << 63) - 300, top, seed, 2000);
    compare_with_model(192, top - 3000 - seed, top, seed, 2000);
  }
}

TEST_CASE("after a jump from anywhere to anywhere each number within reach is told apart",
          "[measure]") {
  duplicate_window window(64);
  REQUIRE(window.reach() == 64);
  for (std::uint64_t from = 0; from < 130; ++from)
    for (std::uint64_t jump = 1; jump < 260; ++jump) {
      const auto to = from + jump;
      window.clear();
      // A ring full of ones: what the jump doesn't clear shows.
      for (std::uint64_t sequence = 0; sequence <= from; ++sequence) window.see(sequence);
      REQUIRE(window.see(to) == arrival::in_order);
      for (std::uint64_t below = 0; below <= std::min<std::uint64_t>(to, 140); ++below) {
        const auto sequence = to - below;
        const auto expected = below >= window.reach()          ? arrival::old
                              : sequence <= from || below == 0 ? arrival::duplicate
                                                               : arrival::reordered;
        if (window.see(sequence) != expected) {
          CAPTURE(from, to, sequence);
          FAIL("a wrong answer");
        }
      }
    }
}

TEST_CASE("a window reaches at least as far as was asked for", "[measure]") {
  CHECK(duplicate_window(0).reach() == 64);
  CHECK(duplicate_window(64).reach() == 64);
  CHECK(duplicate_window(65).reach() == 192);
  CHECK(duplicate_window(192).reach() == 192);
  CHECK(duplicate_window(193).reach() == 448);
  CHECK(duplicate_window().reach() == 65'472);
}

TEST_CASE("the first number below the reach is old and the last within it is not", "[measure]") {
  duplicate_window window(192);
  window.see(1000);
  CHECK(window.see(1001 - 192) == arrival::reordered);
  CHECK(window.see(1001 - 193) == arrival::old);
  CHECK(window.see(0) == arrival::old);
}

TEST_CASE("an old number changes nothing", "[measure]") {
  duplicate_window window(64);
  window.see(1000);
  // In the ring it would share its place with 995.
  CHECK(window.see(995 - 128) == arrival::old);
  CHECK(window.see(995) == arrival::reordered);
  CHECK(window.next() == 1001);
}

TEST_CASE("a window that was cleared has seen nothing", "[measure]") {
  duplicate_window window(64);
  CHECK(window.next() == 0);
  for (std::uint64_t sequence = 0; sequence < 200; ++sequence) window.see(sequence);
  CHECK(window.next() == 200);
  window.clear();
  CHECK(window.next() == 0);
  CHECK(window.see(100) == arrival::in_order);
  for (std::uint64_t sequence = 50; sequence < 100; ++sequence)
    REQUIRE(window.see(sequence) == arrival::reordered);
}
