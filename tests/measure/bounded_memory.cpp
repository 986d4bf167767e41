/** @file
    No run is too long for a ledger.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/histogram.hpp>
#include <udpbench/measure/ledger.hpp>

#include "books.hpp"
#include "catch.hpp"
#include "count_new.hpp"
#include "payload.hpp"

#include <cstdint>

namespace wire = udpbench::wire;

TEST_CASE("a ledger takes no more memory however long the run and however large its gaps",
          "[measure]") {
  const auto before = support::news;
  udpbench::measure::ledger ledger(4);
  CHECK(support::news - before <= 1 + 4); // the windows and their bitmaps

  const auto ready = support::news;
  auto datagram = support::numbered({.round = 1, .run = 2});
  const auto after_datagram = support::news;
  CHECK(after_datagram > ready); // the counter counts
  ledger.begin(2, 1);
  std::uint64_t sequence = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    wire::store(datagram.data() + wire::offset::flow, static_cast<std::uint16_t>(i % 5));
    wire::store(datagram.data() + wire::offset::sequence, sequence);
    sequence += i * i * i / 8; // up to above 2^61
    ledger(udpbench::datagram{datagram, datagram.size()});
  }
  CHECK(support::news == after_datagram);
  CHECK(sequence >> 61 != 0);
  CHECK(ledger.counts().unique == 80'000);
  CHECK(ledger.counts().foreign == 20'000);
  CHECK(ledger.counts().total() == 100'000);
}

TEST_CASE("a histogram allocates when it is constructed and never again", "[measure]") {
  udpbench::measure::histogram h;
  udpbench::measure::histogram other;
  const auto before = support::news;
  for (std::uint64_t i = 0; i < 100; ++i) h.record(i * i * i * i * i * i);
  other.record(1);
  h.merge(other);
  h.percentile(99);
  h.clear();
  CHECK(support::news == before);
}
