/** @file
    How long a run gets after its pilot.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/pilot.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace statistics = udpbench::statistics;
using namespace std::chrono_literals;
using series::ladder;
using series::mentions;
using series::refusal;
using series::twenty;
using statistics::affordable_blocks;
using statistics::length_after_pilot;
using statistics::paired_ratio;
using statistics::run_length;
using statistics::summarise;
using pilots = std::vector<paired_ratio>;

namespace {

bool is(const run_length& r, std::size_t blocks, bool capped) {
  return r.blocks == blocks && r.capped == capped;
}

} // namespace

TEST_CASE("a pilot has 20 blocks, or as many as were asked for", "[statistics]") {
  CHECK(statistics::pilot_blocks(1) == 20);
  CHECK(statistics::pilot_blocks(20) == 20);
  CHECK(statistics::pilot_blocks(33) == 33);
}

TEST_CASE("a pilot that is precise enough is the whole run", "[statistics]") {
  CHECK(is(length_after_pilot(pilots{twenty(0.3, 0.00999)}, 20, 0.01, 1'000), 20, false));
  auto odd = summarise(ladder(33, 0, 0.0001));
  CHECK(is(length_after_pilot(pilots{odd}, 33, 0.01, 1'000), 33, false));
}

TEST_CASE("a pilot of twice the width asks for five times the blocks", "[statistics]") {
  // 1.25 * 20 * 1.999^2 = 99.9, and where it lies does not matter
  CHECK(is(length_after_pilot(pilots{twenty(0, 0.01999)}, 20, 0.01, 1'000), 100, false));
  CHECK(is(length_after_pilot(pilots{twenty(0.3, 0.03)}, 20, 0.01, 1'000), 226, false));
}

TEST_CASE("of several comparisons the widest decides", "[statistics]") {
  const pilots three{twenty(0, 0.005), twenty(0, 0.03), twenty(0, 0.02)};
  CHECK(is(length_after_pilot(three, 20, 0.01, 1'000), 226, false));
}

TEST_CASE("a pilot's length counts blocks where its units are merged", "[statistics]") {
  const auto merged = summarise(ladder(20, 0, 0.01999 / 4.5), 2);
  CHECK(is(length_after_pilot(pilots{merged}, 40, 0.01, 1'000), 200, false));
}

TEST_CASE("the time caps the run and says so", "[statistics]") {
  CHECK(is(length_after_pilot(pilots{twenty(0, 0.01999)}, 20, 0.01, 60), 60, true));
  CHECK(is(length_after_pilot(pilots{twenty(0, 0.01999)}, 20, 0.01, 100), 100, false));
  CHECK(is(length_after_pilot(pilots{twenty(0, 0.01999)}, 20, 0.01, 0), 20, true)); // it has run
  CHECK(is(length_after_pilot(pilots{twenty(0, 20)}, 20, 0.0001, 60), 60, true));   // beyond advice
}

TEST_CASE("a pilot whose noise is unknown takes the time there is", "[statistics]") {
  CHECK(is(length_after_pilot(pilots{summarise(ladder(5, 0, 1))}, 20, 0.01, 60), 60, true));
}

TEST_CASE("a pilot that compared nothing ends the run", "[statistics]") {
  CHECK(is(length_after_pilot(pilots{}, 20, 0.01, 60), 20, false));
}

TEST_CASE("a run is affordable if it ends in time at the pilot's pace", "[statistics]") {
  CHECK(affordable_blocks(20, 10s, 60s) == 120);
  CHECK(affordable_blocks(20, 7s, 60s) == 170); // 171.4
  CHECK(affordable_blocks(20, 61s, 60s) == 20); // what ran has run
  CHECK(affordable_blocks(33, 61s, 60s) == 33);
  CHECK(affordable_blocks(20, 10s, 0s) == 20);
  CHECK(affordable_blocks(20, 10s, -1s) == 20);
  CHECK(affordable_blocks(20, 1ns, 60s) == statistics::most_blocks);
  CHECK(affordable_blocks(20, 1ns, std::chrono::nanoseconds::max()) == statistics::most_blocks);
}

TEST_CASE("the target is reached by a half-width of at most the precision", "[statistics]") {
  CHECK(statistics::reaches(twenty(0.3, 0.00999), 0.01));
  CHECK(!statistics::reaches(twenty(0.3, 0.01001), 0.01));
  CHECK(!statistics::reaches(summarise(ladder(5, 0, 0.0001)), 0.01));
}

TEST_CASE("pilots and precisions that are none are refused", "[statistics]") {
  for (const auto bad : {0.0, -1.0, series::nan, series::infinity})
    CHECK(mentions(refusal([&] { length_after_pilot(pilots{}, 20, bad, 60); }), "precision"));
  auto bare = twenty(0, 0.02);
  bare.log_ratios.clear();
  CHECK(mentions(refusal([&] { length_after_pilot(pilots{bare}, 20, 0.01, 60); }), "log ratios"));
  CHECK(mentions(refusal([] { affordable_blocks(0, 1s, 60s); }), "no blocks"));
  CHECK(mentions(refusal([] { affordable_blocks(20, 0s, 60s); }), "no time"));
  CHECK(mentions(refusal([] { affordable_blocks(20, -1s, 60s); }), "no time"));
}
