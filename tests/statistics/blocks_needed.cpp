/** @file
    How many blocks would settle it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/blocks_needed.hpp>
#include <udpbench/statistics/judge.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <cstddef>

namespace statistics = udpbench::statistics;
using series::ladder;
using series::mentions;
using series::refusal;
using series::twenty;
using statistics::blocks_for;
using statistics::blocks_to_outrank;
using statistics::blocks_to_settle;
using statistics::summarise;

TEST_CASE("a width that is there already needs no more blocks", "[statistics]") {
  CHECK(blocks_for(21, 0.01, 0.01) == 21u);
  CHECK(blocks_for(20, 0.0, 0.0) == 20u);
}

TEST_CASE("half the width takes four times the blocks and a quarter on top", "[statistics]") {
  CHECK(blocks_for(20, 0.02, 0.01) == 100u);
  CHECK(blocks_for(20, 0.03, 0.01) == 226u); // 225, made even
}

TEST_CASE("a number of blocks that nobody would run is absent", "[statistics]") {
  CHECK(!blocks_for(20, 1, 0));
  CHECK(!blocks_for(20, 1, 1e-6));
  CHECK(blocks_for(8, 0.316227766, 0.001) == 1'000'000u);
}

TEST_CASE("half a width is taken in logarithms", "[statistics]") {
  CHECK(statistics::half_width({0.5, 2}) == Approx(std::log(2.0)));
}

TEST_CASE("an estimate of 1 needs a half-width of 0.65 margins", "[statistics]") {
  // 1.25 * 20 * (0.03 / (0.65 ln 1.02))^2 = 135.8
  CHECK(blocks_to_settle(twenty(0, 0.03), 0.02, 0.95) == 136u);
  CHECK(blocks_to_settle(twenty(0, 0.03), 0.02, 0.999) == 136u); // equivalence is not adjusted
}

TEST_CASE("an estimate within the margin needs 0.65 of what is left of it", "[statistics]") {
  // 1.25 * 20 * (0.03 / (0.65 (ln 1.02 - 0.01)))^2 = 554.3
  CHECK(blocks_to_settle(twenty(0.01, 0.03), 0.02, 0.95) == 556u);
  CHECK(blocks_to_settle(twenty(-0.01, 0.03), 0.02, 0.95) == 556u);
}

TEST_CASE("an estimate beyond the margin needs an interval without 1", "[statistics]") {
  // 1.25 * 20 * (0.09 / (0.7 * 0.08))^2 = 64.6, and at 1 - 0.05/20 with 7.5 steps for 4.5: 179.4
  CHECK(blocks_to_settle(twenty(0.08, 0.09), 0.02, 0.95) == 66u);
  CHECK(blocks_to_settle(twenty(-0.08, 0.09), 0.02, 0.95) == 66u);
  CHECK(blocks_to_settle(twenty(0.08, 0.09), 0.02, 1 - 0.05 / 20) == 180u);
}

TEST_CASE("the advice is never below the fewest blocks that have the interval", "[statistics]") {
  // 1 - 0.05/1000 is beyond 15 signs (2^-14 are left), 16 reach it (2^-15).
  CHECK(blocks_to_settle(summarise(ladder(6, 0.5, 0.0001)), 0.02, 1 - 0.05 / 1'000) == 16u);
}

TEST_CASE("an estimate just beyond the margin needs to stay beyond", "[statistics]") {
  // 1.25 * 20 * (0.03 / (2 (0.025 - ln 1.02)))^2 = 208.2, where 0.7 * 0.025 would have given 73.5
  CHECK(blocks_to_settle(twenty(0.025, 0.03), 0.02, 0.95) == 210u);
}

TEST_CASE("an estimate at the margin is settled by no number of blocks", "[statistics]") {
  CHECK(!blocks_to_settle(twenty(std::log(1.02), 0.03), 0.02, 0.95));
}

TEST_CASE("fewer than 6 blocks tell nothing of how many it takes", "[statistics]") {
  CHECK(!blocks_to_settle(summarise(ladder(5, 0, 0.1)), 0.02, 0.95));
  CHECK(!blocks_to_outrank(summarise(ladder(5, 0, 0.1)), 1.05));
}

TEST_CASE("the advice is even and more than there were and in blocks even where units were merged",
          "[statistics]") {
  CHECK(blocks_to_settle(twenty(0, 0.001), 0.02, 0.95) == 22u);
  auto odd = summarise(ladder(21, 0, 0.0001));
  CHECK(blocks_to_settle(odd, 0.02, 0.95) == 22u);
  auto merged = twenty(0, 0.03);
  merged.blocks_per_unit = 4;
  CHECK(blocks_to_settle(merged, 0.02, 0.95) == 4 * 136u);
}

TEST_CASE("a noisy control needs an interval that ends before the estimate", "[statistics]") {
  // 1.25 * 20 * (0.03 / (0.7 * 0.02))^2 = 114.8
  CHECK(blocks_to_outrank(twenty(0.005, 0.03), std::exp(0.025)) == 116u);
  CHECK(blocks_to_outrank(twenty(0.005, 0.03), std::exp(-0.015)) == 116u);
}

TEST_CASE("most of the runs that get the advised blocks are settled", "[statistics]") {
  series::engine random{20056};
  using namespace statistics;
  struct row {
    double effect, noise;
  };
  const auto r = GENERATE(Catch::Generators::values<row>({{0, 0.03}, {0.05, 0.08}, {-0.05, 0.08}}));
  const auto judged = [&](std::size_t n) {
    const auto ratio = summarise(series::normal(random, n, r.effect, r.noise));
    return judge(ratio, 0.02, better::lower, 1, {});
  };
  int advised = 0;
  int settled = 0;
  for (int run = 0; run != 300; ++run) {
    const auto pilot = judged(20);
    if (!pilot.blocks_needed || *pilot.blocks_needed > 2'000) continue;
    ++advised;
    settled += judged(*pilot.blocks_needed).word != verdict::inconclusive ? 1 : 0;
  }
  CAPTURE(r.effect, advised, settled);
  CHECK(advised > 100);
  CHECK(settled > 0.8 * advised);
}

TEST_CASE("widths and confidences that are none are refused", "[statistics]") {
  for (const auto bad : {-1.0, series::nan, series::infinity}) {
    CAPTURE(bad);
    CHECK(mentions(refusal([&] { blocks_for(20, bad, 0.01); }), "width"));
    CHECK(mentions(refusal([&] { blocks_for(20, 0.01, bad); }), "blocks_for"));
    CHECK(mentions(refusal([&] { blocks_to_settle(twenty(0, 0.1), 0.02, bad); }), "confidence"));
  }
  CHECK(mentions(refusal([] { blocks_to_settle(twenty(0, 0.1), series::nan, 0.95); }), "margin"));
  CHECK(mentions(refusal([] { blocks_to_outrank(twenty(0, 0.1), series::nan); }), "estimate"));
  CHECK(mentions(refusal([] { blocks_to_outrank(twenty(0, 0.1), 0); }), "estimate"));
  auto bare = twenty(0.08, 0.09);
  bare.log_ratios.clear();
  CHECK(mentions(refusal([] { statistics::half_width({series::nan, 1}); }), "half-width"));
  CHECK(mentions(refusal([] { statistics::half_width({0, 1}); }), "half-width"));
  CHECK(mentions(refusal([&] { blocks_to_settle(bare, 0.02, 0.95); }), "log ratios"));
  CHECK(mentions(refusal([&] { blocks_to_outrank(bare, 1.1); }), "log ratios"));
}
