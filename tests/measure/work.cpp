/** @file
    What is done with each datagram is done whole, and once for each.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/work.hpp>

#include "catch.hpp"
#include "payload.hpp"

#include <cstdint>
#include <set>
#include <vector>

using udpbench::measure::spin;
using udpbench::measure::work;
using kind = udpbench::measure::work_plan::kind;

TEST_CASE("no turn of a spin is left out", "[measure]") {
  std::uint64_t expected = 3;
  for (std::uint64_t turns = 0; turns < 20; ++turns) {
    CHECK(spin(turns, 3) == expected);
    expected *= 0x9E37'79B9'7F4A'7C15;
  }
}

TEST_CASE("a time on the cpu is at least one turn", "[measure]") {
  CHECK(udpbench::measure::spin_turns(0) == 1);
  CHECK(udpbench::measure::spin_turns(10'000) > 1);
}

TEST_CASE("no work is none", "[measure]") {
  work none;
  CHECK_FALSE(none);
  none({{}, 0});
  CHECK(none.value() == 1);
}

TEST_CASE("touching reads every byte", "[measure]") {
  work touch({.what = kind::touch});
  CHECK(touch);
  const std::vector<std::byte> bytes(100, std::byte{2});
  touch({bytes, bytes.size()});
  CHECK(touch.value() == 1 + 200);
  touch({{}, 0});
  CHECK(touch.value() == 1 + 200);
}

TEST_CASE("random reads don't run in a circle", "[measure]") {
  work reads({.what = kind::random, .turns = 0, .bytes = 4096});
  std::set<std::uint64_t> values;
  for (int i = 0; i < 1000; ++i) {
    reads({{}, 0});
    values.insert(reads.value());
  }
  CHECK(values.size() == 1000);
  work larger({.what = kind::random, .turns = 0, .bytes = 8192});
  larger({{}, 0});
  CHECK_FALSE(values.contains(larger.value()));
}

TEST_CASE("copies take what fits", "[measure]") {
  work copy({.what = kind::copy, .turns = 0, .bytes = 10});
  const std::vector<std::byte> bytes(100);
  copy({bytes, bytes.size()});
  copy({{}, 0});
  CHECK(copy);
}

TEST_CASE("a ledger has its work done once for each datagram, whatever that is", "[measure]") {
  udpbench::measure::ledger ledger;
  ledger.then_do(work({.what = kind::spin, .turns = 1}));
  ledger.begin(7, 1);
  const auto own = support::numbered({.round = 1, .run = 7}, 100);
  const auto foreign = support::numbered({.round = 1, .run = 8}, 100);
  ledger({own, own.size()});
  ledger({own, own.size()});
  ledger({foreign, foreign.size()});
  CHECK(ledger.counts().total() == 3);
  CHECK(ledger.work_done().value() == spin(3, 1));
  ledger.begin(7, 2);
  ledger({own, own.size()});
  CHECK(ledger.work_done().value() == spin(4, 1));
}
