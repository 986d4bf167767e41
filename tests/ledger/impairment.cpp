/** @file
    The planned network: what it says that books must show is true by hand, and each impairment does what it is called.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "passage.hpp"

using namespace passage;
using udpbench::measure::arrivals;

namespace {

constexpr std::size_t size = sizes.payload;

/** Books and losses of ten rounds of 100 that one network impairs, added up. */
struct season {
  explicit season(const impairment& how, std::uint64_t seed = 1) {
    support::impaired_network network(how, seed, sizes);
    for (int round = 0; round < 10; ++round) {
      const auto parcels = network.round(100);
      const auto expected = support::expected_of(parcels, 100, sizes);
      sum += expected.arrivals;
      lost += expected.lost;
    }
  }
  arrivals sum;
  std::uint64_t lost = 0;
};

} // namespace

TEST_CASE("of a network that impairs nothing all is expected as it was sent", "[ledger]") {
  const auto parcels = support::impaired_network({}, 1, sizes).round(4);
  CHECK(parcels == untouched({0, 1, 2, 3}));
  const auto expected = support::expected_of(parcels, 4, sizes);
  CHECK(expected.arrivals == arrivals{.unique = 4, .bytes = 4 * size, .highest = 4});
  CHECK(expected.lost == 0);
}

TEST_CASE("what is expected is what one counts by hand", "[ledger]") {
  auto parcels = untouched({4, 1, 1, 5, 0, 5, 9});
  parcels[1].size = sizes.room + 5; // the first copy of 1
  parcels[3].size = 40;             // the first copy of 5
  parcels.push_back({.index = 2, .size = 31});
  parcels.push_back({.index = 7, .size = size, .of_previous = true});
  parcels.push_back({.index = 8, .size = 31, .of_previous = true});
  parcels.push_back({.index = 3, .size = 200, .what = parcel::content::earlier_round});
  parcels.push_back({.index = 3, .size = 200, .what = parcel::content::wrong_run});
  const auto expected = support::expected_of(parcels, 12, sizes, 1000);
  CHECK(expected.arrivals == arrivals{.unique = 5,
                                      .duplicate = 2,
                                      .late = 2,
                                      .foreign = 3,
                                      .reordered = 2,
                                      .truncated = 2,
                                      .bytes = 3 * size + sizes.room + 40,
                                      .highest = 1010});
  CHECK(expected.lost == 7);
}

TEST_CASE("each impairment alone shows in its own column and in no other", "[ledger]") {
  const auto whole = arrivals{.unique = 1000, .bytes = 1000 * size, .highest = 100};
  using column = std::uint64_t arrivals::*;
  const auto changed = [&](const season& s, std::initializer_list<column> columns) {
    auto a = s.sum;
    a.bytes = whole.bytes;
    a.highest = whole.highest;
    for (const column each : columns) {
      CHECK(a.*each != whole.*each);
      a.*each = whole.*each;
    }
    CHECK(a == whole);
  };
  const season drop({.drop = 200});
  changed(drop, {&arrivals::unique});
  CHECK(drop.lost == 1000 - drop.sum.unique);
  changed(season({.duplicate = 200}), {&arrivals::duplicate});
  changed(season({.reorder = 200}), {&arrivals::reordered});
  changed(season({.delay = 200}), {&arrivals::reordered});
  changed(season({.overstay = 200}), {&arrivals::unique, &arrivals::late});
  changed(season({.lengthen = 200}), {&arrivals::truncated});
  const season shorter({.shorten = 200});
  changed(shorter, {});
  CHECK(shorter.sum.bytes < whole.bytes);
  changed(season({.behead = 200}), {&arrivals::unique, &arrivals::foreign});
  changed(season({.inject = 200}), {&arrivals::foreign, &arrivals::late});
}

TEST_CASE("equal seeds give equal networks and other seeds give others", "[ledger]") {
  const auto round = [](std::uint64_t seed) {
    return support::impaired_network({.drop = 100, .reorder = 100, .inject = 100}, seed, sizes)
        .round(100);
  };
  CHECK(round(1) == round(1));
  CHECK(round(1) != round(2));
}
