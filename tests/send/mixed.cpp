/** @file
    Datagrams of unlike sizes: which there are, and how they go.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/send/batch.hpp>
#include <udpbench/send/drawn_size.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/send/single.hpp>
#include <udpbench/sync_client.hpp>
#include <udpbench/wire/header.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "scripted.hpp"
#include "skip.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using udpbench::schedule;
using udpbench::sync_client;
using udpbench::send::drawn_size;

namespace {

/** Sends `count` datagrams over loopback; each has to arrive with the length that its numbers say, and carries those. */
template <class Send>
udpbench::send_counts check_arrival(const schedule& s, std::uint64_t count, std::uint16_t flows) {
  support::link link(support::v4());
  sync_client<Send> client;
  client.open(link.endpoint(), flows);
  std::map<std::uint16_t, std::uint64_t> next;
  udpbench::send_counts all;
  auto part = s;
  // A receive buffer holds so many in any case.
  constexpr std::uint64_t held = 24;
  for (std::uint64_t done = 0; done < count; done += held) {
    const auto counts = client.send(part, held);
    REQUIRE(counts.sent == held);
    part.first_sequence += held / flows;
    all += counts;
    for (std::uint64_t i = 0; i < held; ++i) {
      const auto got = support::receive(link.receiver());
      const auto header = udpbench::wire::decode(got).value();
      CHECK(header.run == s.run);
      CHECK(header.round == s.round);
      CHECK(got.size() == s.length(header.flow, header.sequence));
      if (flows == 1) CHECK(header.sequence == next[header.flow]++);
    }
  }
  return all;
}

} // namespace

TEST_CASE("drawn sizes go from that of the header to the largest, each as often, and are the same "
          "each time",
          "[send]") {
  constexpr std::size_t largest = 41;
  std::map<std::size_t, int> seen;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const auto size = drawn_size(7, 0, i, largest);
    CHECK(size == drawn_size(7, 0, i, largest));
    ++seen[size];
  }
  REQUIRE(seen.size() == 10);
  CHECK(seen.begin()->first == udpbench::wire::header_bytes);
  CHECK(seen.rbegin()->first == largest);
  for (const auto& [size, times] : seen) CHECK(std::abs(times - 1000) < 200);
  // Seeds and flows have sizes of their own.
  int same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    same += drawn_size(7, 0, i, 1024) == drawn_size(8, 0, i, 1024) ||
            drawn_size(7, 0, i, 1024) == drawn_size(7, 1, i, 1024);
  CHECK(same < 20);
  CHECK(drawn_size(7, 0, 0, udpbench::wire::header_bytes) == udpbench::wire::header_bytes);
  CHECK(schedule{.size = 1024}.length(0, 5) == 1024);
}

TEST_CASE("mixed sizes arrive as they were drawn, whatever sends them", "[send]") {
  const schedule s{.run = 9, .round = 3, .size = 700, .mixed = 42};
  CHECK(check_arrival<udpbench::send::single>(s, 240, 1).calls == 240);
  CHECK(check_arrival<udpbench::send::batch<8>>(s, 240, 1).calls == 30);
  check_arrival<udpbench::send::single>(s, 48, 3);
  const auto counts = check_arrival<udpbench::send::segmented>(s, 240, 1);
  CHECK(counts.calls < 240);
  CHECK(counts.calls > 120);
  // Their lengths are on record.
  std::uint64_t carried = 0;
  for (const auto& run : counts.trains.at(0).runs()) carried += run.length * run.count;
  CHECK(carried == 240);
}

TEST_CASE("a segmented send joins equal sizes, and a shorter one ends it", "[send]") {
  using udpbench::send::segmented;
  CHECK(segmented::joins(500, 500, 500));
  CHECK(segmented::joins(500, 500, 499));
  CHECK_FALSE(segmented::joins(500, 499, 499));
  CHECK_FALSE(segmented::joins(500, 500, 501));
  std::vector<std::size_t> out;
  const std::vector<std::size_t> drawn{5, 5, 5, 3, 3, 9};
  std::size_t from = 0;
  const auto draw = [&](std::size_t most) {
    udpbench::send::draw_call<segmented>(
        out, most, [&](std::size_t i) { return i + from < drawn.size() ? drawn[i + from] : 100; });
    from += out.size();
    return out;
  };
  CHECK(draw(64) == std::vector<std::size_t>{5, 5, 5, 3});
  CHECK(draw(64) == std::vector<std::size_t>{3});
  CHECK(draw(64) == std::vector<std::size_t>{9});
  from = 0;
  CHECK(draw(2) == std::vector<std::size_t>{5, 5});
  CHECK(draw(2) == std::vector<std::size_t>{5, 3});
}

TEST_CASE("of mixed sizes a policy that doesn't join unlike ones gets each by itself", "[send]") {
  scripted::network to;
  sync_client<scripted::policy> client({}, {&to});
  support::link link(support::v4());
  client.open(link.endpoint());
  const schedule s{.run = 1, .round = 1, .size = 100, .mixed = 5};
  client.send(s, 12);
  CHECK(to.calls == std::vector<std::size_t>(12, 1));
  for (std::uint64_t i = 0; i < 12; ++i) {
    CHECK(to.offered[i].size() == s.length(0, i));
    CHECK(udpbench::wire::decode(to.offered[i]).value().sequence == i);
  }
}

TEST_CASE("what isn't accepted of mixed sizes keeps its size for the next that takes its number",
          "[send]") {
  scripted::network to;
  to.script = {{0, 1, make_error_code(boost::system::errc::connection_refused)}};
  sync_client<scripted::policy> client({}, {&to});
  support::link link(support::v4());
  client.open(link.endpoint());
  const schedule s{.run = 1, .round = 1, .size = 100, .mixed = 5};
  const auto counts = client.send(s, 3);
  CHECK(counts.refused == 1);
  REQUIRE(to.offered.size() == 3);
  CHECK(to.offered[0].size() == to.offered[1].size());
  CHECK(scripted::sequences(to.offered) == std::vector<std::uint64_t>{0, 0, 1});
}

TEST_CASE("mixed sizes need room above the header", "[send]") {
  support::link link(support::v4());
  sync_client<> client;
  client.open(link.endpoint());
  CHECK_THROWS_AS(client.send({.size = 32, .mixed = 1}, 1), udpbench::system_error);
  CHECK(client.send({.size = 33, .mixed = 1}, 1).sent == 1);
}
