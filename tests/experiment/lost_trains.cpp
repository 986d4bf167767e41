// What a drop counter that counts trains stands for.
#include "catch.hpp"
#include "payload.hpp"

#include <udpbench/experiment/lost_trains.hpp>

#include <initializer_list>
#include <utility>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

/** Trains one behind the other. */
std::vector<send::trains> trains_of(std::initializer_list<std::uint64_t> lengths) {
  send::trains out;
  for (const auto length : lengths) out.add(length);
  return {out};
}

/** A ledger of the datagrams in these ranges, the second number of which is one above the last. */
measure::ledger ledger_of(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> arrived) {
  measure::ledger out;
  out.begin(1, 1);
  for (const auto& [from, to] : arrived)
    for (auto i = from; i < to; ++i) {
      const auto bytes = support::numbered({.round = 1, .run = 1, .sequence = i});
      out(datagram{bytes, bytes.size()});
    }
  return out;
}

using lengths = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("equal trains are one entry, and nothing is none", "[experiment]") {
  send::trains t = trains_of({63, 63, 0, 63, 10}).front();
  CHECK_FALSE(t.empty());
  CHECK(t.runs() == std::vector<send::trains::run>{{63, 3}, {10, 1}});
  t += trains_of({10, 63}).front();
  CHECK(t.runs() == std::vector<send::trains::run>{{63, 3}, {10, 2}, {63, 1}});
  t.add(5, 0);
  CHECK(t.runs().size() == 3);
  CHECK(send::trains{}.empty());
}

TEST_CASE("a train is lost if no datagram of it has arrived", "[experiment]") {
  const auto sent = trains_of({4, 4, 3, 4, 1});
  CHECK(lost_trains(sent, ledger_of({{0, 16}})) == lengths{});
  CHECK(lost_trains(sent, ledger_of({{0, 4}, {8, 15}})) == lengths{4, 1});
  CHECK(lost_trains(sent, ledger_of({{4, 8}, {11, 16}})) == lengths{4, 3});
  // In another order than that of their numbers.
  CHECK(lost_trains(sent, ledger_of({{11, 16}, {4, 8}})) == lengths{4, 3});
  CHECK(lost_trains(sent, ledger_of({})) == lengths{4, 4, 3, 4, 1});
  // A part of it has arrived.
  CHECK(lost_trains(sent, ledger_of({{3, 5}, {15, 16}})) == lengths{3, 4});
}

TEST_CASE("each flow has trains and numbers of its own", "[experiment]") {
  measure::ledger ledger(2);
  ledger.begin(1, 1);
  for (const std::uint64_t i : {0u, 1u, 2u, 3u}) {
    const auto bytes = support::numbered({.flow = 1, .round = 1, .run = 1, .sequence = i});
    ledger(datagram{bytes, bytes.size()});
  }
  std::vector<send::trains> sent(2);
  sent[0].add(4);
  sent[1].add(4, 2);
  sent[1].add(3);
  CHECK(lost_trains(sent, ledger) == lengths{4, 4, 3});
}

TEST_CASE("beyond the ledger's reach there is no telling which trains were lost", "[experiment]") {
  std::vector<send::trains> sent(1);
  sent[0].add(64, measure::duplicate_window::default_reach / 64);
  CHECK(lost_trains(sent, ledger_of({{0, 1}})));
  sent[0].add(1);
  CHECK_FALSE(lost_trains(sent, ledger_of({{0, 1}})));
  auto further = ledger_of({});
  further.reach(measure::duplicate_window::default_reach + 1);
  further.begin(1, 1);
  CHECK(lost_trains(sent, further));
}

TEST_CASE("as many drops as lost trains are all of their datagrams", "[experiment]") {
  CHECK(dropped_datagrams(3, {63, 63, 10}) == 136);
  CHECK(dropped_datagrams(0, {}) == 0);
}

TEST_CASE("a lost train that no drop stands for stays unexplained", "[experiment]") {
  CHECK(dropped_datagrams(1, {10, 63}) == 63);
  CHECK(dropped_datagrams(0, {10, 63}) == 0);
}

TEST_CASE("a drop that no lost train stands for is a datagram of somebody else", "[experiment]") {
  CHECK(dropped_datagrams(3, {63, 10}) == 74);
  CHECK(dropped_datagrams(2, {}) == 2);
}

TEST_CASE("without numbers the missing datagrams are dropped if they can be so many trains",
          "[experiment]") {
  const auto sent = trains_of({64, 64, 64, 20});
  CHECK(dropped_unnumbered(2, sent, 128) == 128u);
  CHECK(dropped_unnumbered(2, sent, 84) == 84u);
  // 40 would be two of a train that was sent once.
  CHECK(dropped_unnumbered(2, sent, 40) == 128u);
  CHECK(dropped_unnumbered(2, sent, 127) == 128u);
  CHECK_FALSE(dropped_unnumbered(2, trains_of({1, 2, 3}), 5));
  CHECK(dropped_unnumbered(1, trains_of({5, 5}), 5) == 5u);
}

TEST_CASE("what was sent alone is dropped alone", "[experiment]") {
  const auto ledger = ledger_of({{0, 2}});
  CHECK(datagrams_dropped(7, {}, 7, &ledger) == 7u);
  CHECK(datagrams_dropped(7, {}, 7, nullptr) == 7u);
  CHECK(datagrams_dropped(1, trains_of({2, 7}), 7, &ledger) == 7u);
  CHECK(datagrams_dropped(1, trains_of({2, 7}), 7, nullptr) == 7u);
}
