/** @file
    Every datagram is booked once, in the right column.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/ledger.hpp>

#include "arrivals_text.hpp"
#include "books.hpp"
#include "catch.hpp"
#include "payload.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>

using support::numbered;
using udpbench::measure::arrivals;

TEST_CASE("datagrams in order are unique and nothing else", "[measure]") {
  books b;
  b.arrive({0, 1, 2, 3});
  CHECK(b.counts() == arrivals{.unique = 4, .bytes = 4 * books::size, .highest = 4});
  CHECK(b.missing(4) == 0);
}

TEST_CASE("a round in which nothing arrived has empty books", "[measure]") {
  const books b;
  CHECK(b.counts() == arrivals{});
  CHECK(b.counts().total() == 0);
}

TEST_CASE("a jump from 1 to 5 leaves three datagrams missing", "[measure]") {
  books b;
  b.arrive({0, 1, 5});
  CHECK(b.counts() == arrivals{.unique = 3, .bytes = 3 * books::size, .highest = 6});
  CHECK(b.missing(6) == 3);
}

TEST_CASE("duplicates never make up for a loss", "[measure]") {
  books b;
  b.arrive({0, 1, 1, 1, 5, 5, 0});
  CHECK(b.counts() ==
        arrivals{.unique = 3, .duplicate = 4, .bytes = 3 * books::size, .highest = 6});
  CHECK(b.missing(6) == 3);
}

TEST_CASE("a copy of a lost original counts", "[measure]") {
  books b;
  b.arrive({0, 2, 1}); // whether this 1 is the original or a copy can't be seen and doesn't matter
  CHECK(b.counts() ==
        arrivals{.unique = 3, .reordered = 1, .bytes = 3 * books::size, .highest = 3});
  CHECK(b.missing(3) == 0);
}

TEST_CASE("an arrival after a higher number is reordered and unique", "[measure]") {
  books b;
  b.arrive({3, 2, 1, 0});
  CHECK(b.counts() ==
        arrivals{.unique = 4, .reordered = 3, .bytes = 4 * books::size, .highest = 4});
}

TEST_CASE("a duplicate of a reordered datagram is a duplicate only", "[measure]") {
  books b;
  b.arrive({3, 1, 1});
  CHECK(b.counts() ==
        arrivals{
            .unique = 2, .duplicate = 1, .reordered = 1, .bytes = 2 * books::size, .highest = 4});
}

TEST_CASE("a duplicate after a jump is told from the datagrams that were jumped over",
          "[measure]") {
  for (const std::uint64_t jump : {2u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 65'536u}) {
    books b(1, 192);
    b.arrive_between(0, 100);
    b.arrive({100 + jump, 100 + jump, 99 + jump});
    CAPTURE(jump);
    CHECK(b.counts().unique == 103);
    CHECK(b.counts().duplicate == 1);
    CHECK(b.counts().reordered == 1);
    CHECK(b.missing(101 + jump) == static_cast<std::int64_t>(jump) - 2);
  }
}

TEST_CASE("a datagram below the duplicate window is old and never unique", "[measure]") {
  books b(1, 64);
  b.arrive({1000, 1001 - 64, 1001 - 65, 0});
  CHECK(b.counts() ==
        arrivals{.unique = 2, .old = 2, .reordered = 1, .bytes = 2 * books::size, .highest = 1001});
  b.arrive({0});
  CHECK(b.counts().old == 3);
}

TEST_CASE("the books go on right across sequence number 2^32", "[measure]") {
  books b;
  const auto start = (std::uint64_t{1} << 32) - 3;
  b.arrive_between(start, start + 5);
  b.arrive({start + 5, start + 7, start + 6, start - 10});
  CHECK(b.counts() == arrivals{.unique = 9,
                               .duplicate = 1,
                               .reordered = 2,
                               .bytes = 9 * books::size,
                               .highest = start + 8});
}

TEST_CASE("a lost tail shows against the sender's own count and nowhere else", "[measure]") {
  books b;
  b.arrive_between(0, 6); // 7, 8 and 9 are lost
  CHECK(b.counts().highest == 7);
  CHECK(b.missing(7) == 0);
  CHECK(b.missing(10) == 3);
}

TEST_CASE("a datagram of an earlier round is late and changes no closed round", "[measure]") {
  books b;
  b.arrive({0, 1, 3});
  const arrivals closed = b.counts();
  b.ledger.begin(books::run, books::round + 1);
  b.arrive({2}); // of the earlier round
  CHECK(b.counts() == arrivals{.late = 1});
  CHECK(closed == arrivals{.unique = 3, .bytes = 3 * books::size, .highest = 4});

  b.arrive({.round = books::round + 1, .run = books::run, .sequence = 2});
  CHECK(b.counts() == arrivals{.unique = 1, .late = 1, .bytes = books::size, .highest = 3});
}

TEST_CASE("a datagram of a later round is foreign", "[measure]") {
  books b;
  b.arrive({.round = books::round + 1, .run = books::run});
  CHECK(b.counts() == arrivals{.foreign = 1});
}

TEST_CASE("rounds are told apart where their number wraps at 2^16", "[measure]") {
  const auto booked = [](int current, int round) {
    books b;
    b.ledger.begin(books::run, static_cast<std::uint16_t>(current));
    b.arrive({.round = static_cast<std::uint16_t>(round), .run = books::run});
    return b.counts();
  };
  CHECK(booked(0, 0xffff).late == 1);
  CHECK(booked(5, 0xfff0).late == 1);
  CHECK(booked(0xffff, 0).foreign == 1);
  CHECK(booked(0x8000, 0).late == 1);
  CHECK(booked(0, 0x7fff).foreign == 1);
  CHECK(booked(0x7fff, 0).late == 1);
  CHECK(booked(0xffff, 0xffff).unique == 1);
}

TEST_CASE("a datagram of another run is foreign", "[measure]") {
  books b;
  for (std::size_t bit = 0; bit < 64; ++bit)
    b.arrive({.round = books::round, .run = books::run ^ (std::uint64_t{1} << bit)});
  CHECK(b.counts() == arrivals{.foreign = 64});
}

TEST_CASE("a datagram of another magic or version is foreign", "[measure]") {
  books b;
  for (std::size_t bit = 0; bit < 32; ++bit) {
    auto datagram = numbered({.round = books::round, .run = books::run});
    datagram[bit / 8] ^= std::byte{1} << (bit % 8);
    b.arrive(datagram);
  }
  CHECK(b.counts() == arrivals{.foreign = 32});
}

TEST_CASE("a datagram shorter than a header is foreign to a numbered round", "[measure]") {
  books b;
  for (std::size_t size = 0; size < udpbench::wire::header_bytes; ++size)
    b.arrive(numbered({.round = books::round, .run = books::run}, size));
  CHECK(b.counts() == arrivals{.foreign = udpbench::wire::header_bytes});
}

TEST_CASE("a datagram of a header alone is unique", "[measure]") {
  books b;
  b.arrive(numbered({.round = books::round, .run = books::run}, udpbench::wire::header_bytes));
  CHECK(b.counts() == arrivals{.unique = 1, .bytes = udpbench::wire::header_bytes, .highest = 1});
}

TEST_CASE("garbage is foreign", "[measure]") {
  books b;
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    support::bytes garbage(random() % 200);
    for (auto& byte : garbage) byte = static_cast<std::byte>(random());
    b.arrive(garbage);
  }
  CHECK(b.counts() == arrivals{.foreign = 1000});
}

TEST_CASE("a flow that isn't expected is foreign, of this round or an earlier one", "[measure]") {
  books b(2);
  b.arrive({.flow = 1, .round = books::round, .run = books::run});
  b.arrive({.flow = 2, .round = books::round, .run = books::run});
  b.arrive({.flow = 0xffff, .round = books::round, .run = books::run});
  b.arrive({.flow = 2, .round = books::round - 1, .run = books::run});
  CHECK(b.counts() == arrivals{.unique = 1, .foreign = 3, .bytes = books::size, .highest = 1});
}

TEST_CASE("each flow counts from 0 for itself", "[measure]") {
  books b(3);
  for (std::uint16_t flow = 0; flow < 3; ++flow)
    for (const std::uint64_t sequence : {0u, 2u, 1u, 1u})
      b.arrive(
          {.flow = flow, .round = books::round, .run = books::run, .sequence = sequence + flow});
  CHECK(b.counts() ==
        arrivals{
            .unique = 9, .duplicate = 3, .reordered = 3, .bytes = 9 * books::size, .highest = 5});
  CHECK(b.ledger.highest(0) == 3);
  CHECK(b.ledger.highest(1) == 4);
  CHECK(b.ledger.highest(2) == 5);
}

TEST_CASE("a sequence number that no sender reaches is foreign and leaves no gap", "[measure]") {
  books b;
  constexpr auto limit = std::uint64_t{1} << 63;
  b.arrive({0, limit, limit + 1, std::numeric_limits<std::uint64_t>::max(), 1});
  CHECK(b.counts() == arrivals{.unique = 2, .foreign = 3, .bytes = 2 * books::size, .highest = 2});

  b.arrive({limit - 1, limit - 1, limit - 2});
  CHECK(b.counts() == arrivals{.unique = 4,
                               .duplicate = 1,
                               .foreign = 3,
                               .reordered = 1,
                               .bytes = 4 * books::size,
                               .highest = limit});
}

TEST_CASE("a truncated datagram is unique with its bytes as received", "[measure]") {
  books b;
  b.arrive(numbered({.round = books::round, .run = books::run}, 2000), 100);
  CHECK(b.counts() == arrivals{.unique = 1, .truncated = 1, .bytes = 100, .highest = 1});

  b.arrive(numbered({.round = books::round, .run = books::run, .sequence = 1}, 2000), 2000);
  CHECK(b.counts() == arrivals{.unique = 2, .truncated = 1, .bytes = 2100, .highest = 2});
}

TEST_CASE("truncated are all but the foreign ones", "[measure]") {
  books b(1, 64);
  const auto arrive = [&](std::uint16_t round, std::uint64_t sequence,
                          std::uint64_t run = books::run) {
    b.arrive(numbered({.round = round, .run = run, .sequence = sequence}, 200), 100);
  };
  arrive(books::round, 1000);
  arrive(books::round, 1000);
  arrive(books::round, 1);
  arrive(books::round - 1, 1);
  CHECK(b.counts() == arrivals{.unique = 1,
                               .duplicate = 1,
                               .old = 1,
                               .late = 1,
                               .truncated = 4,
                               .bytes = 100,
                               .highest = 1001});
  arrive(books::round, 1001, books::run + 1);
  arrive(books::round + 1, 1001);
  arrive(books::round, std::uint64_t{1} << 63);
  CHECK(b.counts().foreign == 3);
  CHECK(b.counts().truncated == 4);
}

TEST_CASE("a datagram that is cut off within its header is foreign", "[measure]") {
  books b;
  b.arrive(numbered({.round = books::round, .run = books::run}), 31);
  CHECK(b.counts() == arrivals{.foreign = 1});
}

TEST_CASE("a round begins with empty books and an empty memory", "[measure]") {
  books b;
  b.arrive({0, 1, 1, 200, 0});
  b.ledger.begin(books::run, books::round);
  CHECK(b.counts() == arrivals{});
  CHECK(b.ledger.highest(0) == 0);
  b.arrive({1, 0, 200});
  CHECK(b.counts() ==
        arrivals{.unique = 3, .reordered = 1, .bytes = 3 * books::size, .highest = 201});
}

TEST_CASE("before a round has begun every datagram is foreign", "[measure]") {
  books b;
  b.ledger = udpbench::measure::ledger();
  b.arrive({0, 1});
  CHECK(b.counts() == arrivals{.foreign = 2});
}

TEST_CASE("the books of several receivers add up, and the highest is that of any", "[measure]") {
  const arrivals one{1, 2, 3, 4, 5, 6, 7, 8, 90};
  const arrivals two{10, 20, 30, 40, 50, 60, 70, 80, 9};
  arrivals sum = one;
  sum += two;
  CHECK(sum == arrivals{11, 22, 33, 44, 55, 66, 77, 88, 90});
  sum = two;
  sum += one;
  CHECK(sum == arrivals{11, 22, 33, 44, 55, 66, 77, 88, 90});
  CHECK(one.total() == 1 + 2 + 3 + 4 + 5);
}

TEST_CASE("counts go on above 2^32", "[measure]") {
  const auto big = std::uint64_t{1} << 32;
  arrivals sum{.unique = big, .duplicate = big, .bytes = big * 1000};
  sum += sum;
  CHECK(sum.unique == 2 * big);
  CHECK(sum.bytes == 2000 * big);
  CHECK(sum.total() == 4 * big);
}

TEST_CASE("whatever arrives, each datagram is booked once and the columns agree with a model",
          "[measure]") {
  constexpr std::uint64_t reach = 64;
  for (unsigned seed = 0; seed < 20; ++seed) {
    books b(2, reach);
    arrivals expected;
    std::map<std::uint16_t, std::set<std::uint64_t>> seen;
    std::mt19937_64 random(seed);
    const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
    for (int i = 0; i < 3000; ++i) {
      udpbench::wire::header h{.flow = static_cast<std::uint16_t>(random() % 2),
                               .round = books::round,
                               .run = books::run};
      auto& numbers = seen[h.flow];
      const std::uint64_t next = numbers.empty() ? 0 : *numbers.rbegin() + 1;
      h.sequence = chance(60) ? next : next + random() % 130 - std::min<std::uint64_t>(next, 90);
      const std::size_t size = 32 + random() % 100;
      const std::size_t room = 80;
      const bool truncated = size > room;
      if (chance(3)) {
        h.run ^= random() | 1;
        ++expected.foreign;
      } else if (chance(3)) {
        --h.round;
        ++expected.late;
        expected.truncated += truncated;
      } else {
        expected.truncated += truncated;
        if (h.sequence + reach < next)
          ++expected.old;
        else if (!numbers.insert(h.sequence).second)
          ++expected.duplicate;
        else {
          ++expected.unique;
          expected.reordered += h.sequence < next;
          expected.bytes += std::min(size, room);
          expected.highest = std::max(expected.highest, h.sequence + 1);
        }
      }
      b.arrive(numbered(h, size), room);
      REQUIRE(b.counts() == expected);
    }
    REQUIRE(b.counts().total() == 3000);
    REQUIRE(b.counts().old > 0);
  }
}
