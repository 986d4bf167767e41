/** @file
    What is said of losses between two hosts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"

#include <udpbench/report/group.hpp>
#include <udpbench/report/way_sentences.hpp>

#include <string>
#include <vector>

using namespace udpbench;

namespace {

/** Two rounds of one receiver over a network. */
record::result over_network(record::way_losses first, record::way_losses second) {
  record::result r;
  r.receiver = "sync";
  for (const auto& lost : {first, second}) {
    record::round round;
    round.sent = 1'000;
    round.unexplained = 50;
    round.queue_peak_bytes = 2'048 + r.rounds.size();
    round.lost_on_the_way = lost;
    r.rounds.push_back(round);
  }
  return r;
}

std::vector<std::string> said_of(const record::result& r) {
  report::group g;
  g.receivers.push_back(&r);
  std::vector<std::string> out;
  report::detail::note_way(out, g);
  return out;
}

} // namespace

TEST_CASE("what was lost between two hosts is said with who counted it", "[report]") {
  const auto r = over_network({30, 0, 20, 0, 0}, {10, 0, 0, 0, 40});
  const auto out = said_of(r);
  REQUIRE(out.size() == 1);
  CHECK_THAT(out[0], Catch::Contains("sync lost 100 datagrams, 5") &&
                         Catch::Contains("40 by the sender's interface") &&
                         Catch::Contains("20 by the receiver's kernel") &&
                         Catch::Contains("held up to 2,049 B") &&
                         !Catch::Contains("by the receiver's interface"));
}

TEST_CASE("what no counter saw is said so", "[report]") {
  const auto none = over_network({0, 0, 0, 0, 50}, {0, 0, 0, 0, 50});
  CHECK_THAT(said_of(none).at(0), Catch::Contains("no counter of either host has them"));
  // One round that doesn't know leaves the sum unknown.
  const auto half = over_network({7, 0, 0, 0, 43}, {std::nullopt, 0, 0, 0, 50});
  CHECK_THAT(said_of(half).at(0), !Catch::Contains("sender's interface"));
}

TEST_CASE("nothing is said of rounds that are invalid, lost nothing, or had no network",
          "[report]") {
  auto invalid = over_network({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1});
  for (auto& round : invalid.rounds) round.valid = false;
  CHECK(said_of(invalid).empty());
  auto whole = over_network({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1});
  for (auto& round : whole.rounds) round.unexplained = 0;
  CHECK(said_of(whole).empty());
  auto local = over_network({}, {});
  for (auto& round : local.rounds) round.lost_on_the_way.reset();
  CHECK(said_of(local).empty());
}
