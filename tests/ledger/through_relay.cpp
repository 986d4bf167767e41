/** @file
    Books of real receivers, whose datagrams came through a network that is known to the last copy.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "passage.hpp"

using namespace passage;

namespace {

constexpr impairment everything{.drop = 60,
                                .duplicate = 60,
                                .reorder = 60,
                                .delay = 40,
                                .overstay = 30,
                                .lengthen = 40,
                                .shorten = 40,
                                .behead = 20,
                                .inject = 60};

/** Three rounds, so that there is one before and one after which something may come late. */
void check_rounds(const kind& k, const impairment& how, std::uint64_t seed,
                  std::uint64_t first_sequence = 0) {
  INFO("seed " << seed);
  route r(k, first_sequence);
  support::impaired_network network(how, seed, sizes);
  for (int round = 0; round < 3; ++round) check_round(r, 100, network.round(100));
}

template <class Test>
void for_all(Test test) {
  for (const kind& k : all()) {
    INFO(k.name);
    test(k);
  }
}

} // namespace

TEST_CASE("whatever the network does, the books show exactly that", "[ledger]") {
  for_all([](const kind& k) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) check_rounds(k, everything, seed);
  });
}

TEST_CASE("the books show exactly what the network does if it does one thing only", "[ledger]") {
  for_all([](const kind& k) {
    for (const auto column : {&impairment::drop, &impairment::duplicate, &impairment::reorder,
                              &impairment::delay, &impairment::overstay, &impairment::lengthen,
                              &impairment::shorten, &impairment::behead, &impairment::inject}) {
      impairment alone;
      alone.*column = 300;
      check_rounds(k, alone, 7);
    }
  });
}

TEST_CASE("a network that does everything most of the time is booked exactly, too", "[ledger]") {
  constexpr impairment worst{.drop = 500,
                             .duplicate = 800,
                             .reorder = 300,
                             .delay = 300,
                             .overstay = 300,
                             .lengthen = 200,
                             .shorten = 200,
                             .behead = 200,
                             .inject = 900};
  for_all([&](const kind& k) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) check_rounds(k, worst, seed);
  });
}

TEST_CASE("the books stay exact where the sequence numbers cross 2^32", "[ledger]") {
  constexpr auto start = (std::uint64_t{1} << 32) - 50;
  for_all([](const kind& k) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) check_rounds(k, everything, seed, start);
    route r(k, start);
    r.send(100);
    r.forward(support::impaired_network({}, 0, sizes).round(100));
    CHECK(r.arrivals().unique == 100);
    CHECK(r.arrivals().highest == start + 100);
  });
}

TEST_CASE("further copies of a datagram whose first copy was lost are unique once", "[ledger]") {
  for_all([](const kind& k) {
    route r(k);
    // 1 and 4 were dropped; of 1 three copies come after all, one of them much later.
    check_round(r, 6, untouched({0, 2, 1, 3, 1, 5, 1}));
    CHECK(r.arrivals().unique == 5);
    CHECK(r.arrivals().duplicate == 2);
    CHECK(r.arrivals().reordered == 1);
  });
}

TEST_CASE("datagrams of an earlier round that arrive late change no closed round", "[ledger]") {
  for_all([](const kind& k) {
    route r(k);
    check_round(r, 10, untouched({0, 1, 2, 3, 4, 6, 8}));
    const auto closed = r.arrivals();
    auto next = untouched({0, 1, 2});
    for (const std::uint64_t i : {5u, 7u, 9u, 0u})
      next.push_back({.index = i, .size = sizes.payload, .of_previous = true});
    check_round(r, 3, next);
    CHECK(r.arrivals().late == 4);
    CHECK(r.arrivals().unique == 3);
    CHECK(closed.unique == 7);
    // The round after finds nothing of either.
    check_round(r, 3, untouched({0, 1, 2}));
    CHECK(r.arrivals().late == 0);
  });
}
