/** @file
    A run that is longer than every table that a ledger could keep.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/ledger.hpp>

#include "../support/arrivals_text.hpp"
#include "../support/catch.hpp"
#include "../support/count_new.hpp"
#include "../support/payload.hpp"

#include <cstdint>

namespace wire = udpbench::wire;
using udpbench::measure::duplicate_window;

TEST_CASE("a run of sixty windows across 2^32 is booked exactly and takes no more memory",
          "[ledger]") {
  constexpr std::uint64_t count = 60 * (duplicate_window::default_reach + 64);
  constexpr std::uint64_t start = (std::uint64_t{1} << 32) - count / 2;
  udpbench::measure::ledger ledger;
  ledger.begin(2, 1);
  const auto before = support::news;
  auto datagram = support::numbered({.round = 1, .run = 2});
  const auto ready = support::news;
  CHECK(ready > before); // the counter counts
  const auto arrive = [&](std::uint64_t sequence) {
    wire::store(datagram.data() + wire::offset::sequence, sequence);
    ledger({datagram, datagram.size()});
  };
  // Of each eight, the fourth is lost and the seventh comes twice, the second time from as far below as can be told.
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % 8 == 3) continue;
    arrive(start + i);
    if (i % 8 == 6 && i > duplicate_window::default_reach)
      arrive(start + i - duplicate_window::default_reach + 8);
  }
  CHECK(support::news == ready);
  constexpr std::uint64_t copies = (count - duplicate_window::default_reach) / 8;
  CHECK(ledger.counts() == udpbench::measure::arrivals{.unique = count / 8 * 7,
                                                       .duplicate = copies,
                                                       .bytes = count / 8 * 7 * datagram.size(),
                                                       .highest = start + count});
}
