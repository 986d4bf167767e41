/** @file
    Rounds of datagrams that are too short for a number.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/ledger.hpp>

#include "books.hpp"
#include "catch.hpp"
#include "payload.hpp"

#include <cstddef>

using support::numbered;
using udpbench::measure::arrivals;
namespace wire = udpbench::wire;

namespace {

constexpr wire::header expected{.round = books::round, .run = books::run};

books unnumbered(std::size_t size) {
  books b;
  b.ledger.begin_unnumbered(books::run, books::round, size);
  return b;
}

} // namespace

TEST_CASE("each datagram of an unnumbered round is unique, from 1 byte to 31", "[measure]") {
  for (std::size_t size = 1; size < wire::header_bytes; ++size) {
    auto b = unnumbered(size);
    for (int i = 0; i < 3; ++i) b.arrive(numbered(expected, size));
    CAPTURE(size);
    CHECK(b.counts() == arrivals{.unique = 3, .bytes = 3 * size});
  }
}

TEST_CASE("a datagram of another length is foreign to an unnumbered round", "[measure]") {
  for (std::size_t size = 1; size < wire::header_bytes; ++size) {
    auto b = unnumbered(size);
    std::uint64_t others = 0;
    for (std::size_t other = 0; other < wire::header_bytes; ++other) {
      if (other == size) continue;
      b.arrive(numbered(expected, other));
      ++others;
    }
    CAPTURE(size);
    CHECK(b.counts() == arrivals{.foreign = others});
  }
}

TEST_CASE("a datagram of another beginning is foreign to an unnumbered round", "[measure]") {
  for (std::size_t size = 1; size < wire::header_bytes; ++size)
    for (std::size_t at = 0; at < std::min(size, wire::offset::sequence); ++at) {
      auto b = unnumbered(size);
      auto datagram = numbered(expected, size);
      datagram[at] ^= std::byte{0x10};
      b.arrive(datagram);
      CAPTURE(size, at);
      CHECK(b.counts() == arrivals{.foreign = 1});
    }
}

TEST_CASE("what stands in the place of a sequence number doesn't matter to an unnumbered round",
          "[measure]") {
  auto b = unnumbered(24);
  b.arrive(numbered({.round = books::round, .run = books::run, .sequence = 77}, 24));
  CHECK(b.counts() == arrivals{.unique = 1, .bytes = 24});
}

TEST_CASE("a longer datagram that was cut off to the right length is foreign", "[measure]") {
  auto b = unnumbered(16);
  b.arrive(numbered(expected, 20), 16);
  CHECK(b.counts() == arrivals{.foreign = 1});
}

TEST_CASE("a datagram of an unnumbered round that is cut off is unique with its bytes as received",
          "[measure]") {
  auto b = unnumbered(20);
  b.arrive(numbered(expected, 20), 10);
  CHECK(b.counts() == arrivals{.unique = 1, .truncated = 1, .bytes = 10});
}

TEST_CASE("a numbered datagram of an earlier round is late in an unnumbered one", "[measure]") {
  auto b = unnumbered(16);
  b.arrive({.round = books::round - 1, .run = books::run});
  CHECK(b.counts() == arrivals{.late = 1});
}

TEST_CASE("a numbered round after an unnumbered one is numbered", "[measure]") {
  auto b = unnumbered(16);
  b.ledger.begin(books::run, books::round);
  b.arrive(numbered(expected, 16));
  b.arrive({0, 0});
  CHECK(b.counts() ==
        arrivals{.unique = 1, .duplicate = 1, .foreign = 1, .bytes = books::size, .highest = 1});
}
