/** @file
    Every branch of the verdict, by hand, and how often it errs, by simulation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/judge.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace statistics = udpbench::statistics;
using series::directed;
using series::ladder;
using series::mentions;
using series::refusal;
using series::twenty;
using statistics::better;
using statistics::judge_control;
using statistics::judgement;
using statistics::paired_ratio;
using statistics::qualifier;
using statistics::summarise;
using statistics::verdict;

// In logs the margin of 2 % is 0.0198.

namespace {

/** A time, margin 2 %, alone in its table, without a control, where a test says nothing else. */
judgement judge(const paired_ratio& ratio, std::size_t comparisons = 1,
                const std::optional<paired_ratio>& control = {}) {
  return statistics::judge(ratio, 0.02, better::lower, comparisons, control);
}

bool is(const judgement& j, verdict word, qualifier detail = qualifier::none) {
  return j.word == word && j.detail == detail;
}

} // namespace

TEST_CASE("a 90 % interval within the margin is equivalent", "[statistics]") {
  CHECK(is(judge(twenty(0, 0.015)), verdict::equivalent));
  CHECK(!judge(twenty(0, 0.015)).blocks_needed);
  // Of 52, 90 % reaches 0.0182 and 95 % reaches 0.021.
  CHECK(is(judge(summarise(ladder(52, 0, 0.0028))), verdict::equivalent));
}

TEST_CASE("a difference within the margin is equivalent and said to differ", "[statistics]") {
  CHECK(is(judge(twenty(0.010, 0.005)), verdict::equivalent, qualifier::below_margin));
  CHECK(is(judge(twenty(-0.010, 0.005)), verdict::equivalent, qualifier::below_margin));
  // Of 52, 90 % excludes 1 (0.0005 to 0.0135) and 95 % does not (-0.0005 to 0.0145).
  CHECK(is(judge(summarise(ladder(52, 0.007, 0.001))), verdict::equivalent));
}

TEST_CASE("the lower end of the margin is the inverse of the upper end", "[statistics]") {
  // 0.638 to 1.284: above 1 - 0.5 and below 1.5, but not above 1/1.5.
  const auto ratio = twenty(-0.1, 0.35);
  CHECK(is(statistics::judge(ratio, 0.5, better::lower, 1, {}), verdict::inconclusive));
}

TEST_CASE("a time is slower above 1 and faster below", "[statistics]") {
  CHECK(is(judge(twenty(0.03, 0.02)), verdict::slower));
  CHECK(is(judge(twenty(-0.03, 0.02)), verdict::faster));
  CHECK(!judge(twenty(0.03, 0.02)).blocks_needed);
}

TEST_CASE("a rate is faster above 1 and slower below", "[statistics]") {
  const auto judge_rate = [](const paired_ratio& ratio) {
    return statistics::judge(ratio, 0.02, better::higher, 1, {});
  };
  CHECK(is(judge_rate(twenty(0.03, 0.02)), verdict::faster));
  CHECK(is(judge_rate(twenty(-0.03, 0.02)), verdict::slower));
  CHECK(is(judge_rate(twenty(-0.05, 0.02)), verdict::slower, qualifier::beyond_margin));
}

TEST_CASE("more than the margin is said only where the whole interval is beyond it",
          "[statistics]") {
  CHECK(is(judge(twenty(0.05, 0.02)), verdict::slower, qualifier::beyond_margin));
  CHECK(is(judge(twenty(-0.05, 0.02)), verdict::faster, qualifier::beyond_margin));
  CHECK(is(judge(twenty(0.05, 0.04)), verdict::slower));
  // Of 52, 90 % is beyond (from 0.0235 - 0.0035 + 0.0005 = 0.0205) and 95 % is not (0.0195).
  CHECK(is(judge(summarise(ladder(52, 0.027, 0.001))), verdict::slower));
}

TEST_CASE("an interval with 1 in it and an end beyond the margin is inconclusive", "[statistics]") {
  const auto j = judge(twenty(0, 0.03));
  CHECK(is(j, verdict::inconclusive));
  CHECK(j.blocks_needed.value_or(0) > 20);
  CHECK(is(judge(twenty(0.03, 0.04)), verdict::inconclusive));
}

TEST_CASE("a direction without a size is inconclusive and said to be a direction", "[statistics]") {
  const auto j = judge(twenty(0.015, 0.012)); // 0.003 to 0.027 about an estimate within the margin
  CHECK(is(j, verdict::inconclusive, qualifier::direction_only));
  CHECK(j.blocks_needed.value_or(0) > 20);
  CHECK(is(judge(twenty(-0.015, 0.012)), verdict::inconclusive, qualifier::direction_only));
}

TEST_CASE("below 6 blocks every comparison is inconclusive", "[statistics]") {
  for (std::size_t n = 1; n != 6; ++n) {
    CHECK(is(judge(summarise(ladder(n, 0, 0.0001))), verdict::inconclusive));
    CHECK(is(judge(summarise(ladder(n, 0.5, 0.0001))), verdict::inconclusive));
    CHECK(!judge(summarise(ladder(n, 0, 0.0001))).blocks_needed);
  }
  CHECK(is(judge(summarise(ladder(6, 0, 0.0001))), verdict::equivalent));
  CHECK(is(judge(summarise(ladder(6, 0.5, 0.0001))), verdict::slower, qualifier::beyond_margin));
}

TEST_CASE("in a table a direction needs the adjusted interval to exclude 1", "[statistics]") {
  // In steps of 0.0043 from 0.03 the 6th, 4th and 3rd of 20 are at 0.0107, 0.0021 and -0.0023.
  const auto ratio = summarise(ladder(20, 0.03, 0.0043));
  CHECK(is(judge(ratio, 1), verdict::slower));
  CHECK(is(judge(ratio, 5), verdict::slower));
  CHECK(is(judge(ratio, 10), verdict::slower));
  CHECK(is(judge(ratio, 20), verdict::inconclusive, qualifier::below_level));
  // The advice is for the adjusted interval: 1.25 * 20 * (7.5 * 0.0043 / (2 (0.03 - ln 1.02)))^2
  // = 62.5
  CHECK(judge(ratio, 20).blocks_needed == 64u);
}

TEST_CASE("in a table too large for its blocks no direction is decided", "[statistics]") {
  const auto ratio = summarise(ladder(6, 0.5, 0.0001));
  CHECK(is(judge(ratio, 1), verdict::slower, qualifier::beyond_margin));
  const auto j = judge(ratio, 2); // 6 signs reach 96.9 %, 97.5 % is asked for
  CHECK(is(j, verdict::inconclusive, qualifier::below_level));
  CHECK(j.blocks_needed == 8u); // 7 give 98.4 %
}

TEST_CASE("in a table equivalence stays unadjusted", "[statistics]") {
  CHECK(is(judge(twenty(0, 0.015), 1'000), verdict::equivalent));
}

TEST_CASE("a noisy control holds back an estimate that its interval covers", "[statistics]") {
  const auto control = twenty(0, 0.03);
  const auto covered = judge(twenty(0.025, 0.01), 1, control);
  CHECK(is(covered, verdict::inconclusive, qualifier::noise_floor));
  CHECK(covered.blocks_needed.value_or(0) > 20);
  CHECK(is(judge(twenty(-0.025, 0.01), 1, control), verdict::inconclusive, qualifier::noise_floor));
  CHECK(is(judge(twenty(0.035, 0.01), 1, control), verdict::slower, qualifier::beyond_margin));
  CHECK(is(judge(twenty(-0.035, 0.01), 1, control), verdict::faster, qualifier::beyond_margin));
}

TEST_CASE("a noisy control changes no equivalence", "[statistics]") {
  CHECK(is(judge(twenty(0, 0.015), 1, twenty(0, 0.03)), verdict::equivalent));
}

TEST_CASE("an equivalent control holds nothing back", "[statistics]") {
  // Its 95 % interval reaches 0.021 and covers the estimate, its 90 % interval is within the
  // margin.
  const auto control = summarise(ladder(52, 0, 0.0028));
  CHECK(is(judge(twenty(0.0205, 0.01), 1, control), verdict::slower));
}

TEST_CASE("a control without an interval excludes nothing", "[statistics]") {
  const auto control = summarise(ladder(5, 0, 0.0001));
  CHECK(is(judge(twenty(0.5, 0.01), 1, control), verdict::inconclusive, qualifier::noise_floor));
}

TEST_CASE("a control is suspect where it differs at 99 % and is not equivalent", "[statistics]") {
  const auto apart = judge_control(twenty(0.05, 0.02), 0.02); // 99 %: 0.0211 to 0.0789
  CHECK(apart.suspect);
  CHECK(apart.word == verdict::slower);
  CHECK(judge_control(twenty(0.05, 0.02), 0.02, better::higher).word == verdict::faster);

  const auto at_95_only = judge_control(twenty(0.03, 0.025), 0.02); // 95 %: 0.005, 99 %: -0.006
  CHECK(!at_95_only.suspect);
  CHECK(at_95_only.word == verdict::slower);

  const auto tiny = judge_control(twenty(0.01, 0.005), 0.02); // 99 %: 0.0028 to 0.0172
  CHECK(!tiny.suspect);
  CHECK(tiny.word == verdict::equivalent);

  const auto noisy = judge_control(twenty(0, 0.03), 0.02);
  CHECK(!noisy.suspect);
  CHECK(noisy.word == verdict::inconclusive);

  CHECK(!judge_control(summarise(ladder(7, 0.5, 0.001)), 0.02).suspect); // no 99 % interval
  CHECK(judge_control(summarise(ladder(8, 0.5, 0.001)), 0.02).suspect);
}

TEST_CASE("two of the same are rarely told apart", "[statistics]") {
  series::engine random{20053};
  int directions = 0;
  int in_table = 0;
  constexpr int runs = 1'000;
  for (int run = 0; run != runs; ++run) {
    const auto ratio =
        summarise(series::normal(random, 20, 0, 0.08)); // noise four times the margin
    directions += directed(judge(ratio)) ? 1 : 0;
    in_table += directed(judge(ratio, 10)) ? 1 : 0;
  }
  CHECK(directions < 0.06 * runs); // 4.1 % by the 6th and 15th rank
  CHECK(in_table < 0.01 * runs);   // 0.3 % by the 4th and 17th
}

TEST_CASE("two of the same with little noise are equivalent", "[statistics]") {
  series::engine random{20054};
  CHECK(series::share(500, [&] {
          return judge(summarise(series::normal(random, 20, 0, 0.01))).word == verdict::equivalent;
        }) > 0.99);
}

TEST_CASE("a planted difference of 5 % is found", "[statistics]") {
  series::engine random{20055};
  const auto control = [&random] { return summarise(series::normal(random, 20, 0, 0.01)); };
  CHECK(series::share(500, [&] {
          const auto ratio = summarise(series::normal(random, 20, std::log(1.05), 0.02));
          return judge(ratio, 5, control()).word == verdict::slower;
        }) > 0.99);
}

TEST_CASE("what is no margin and no table is refused", "[statistics]") {
  const auto ratio = twenty(0, 0.01);
  for (const auto bad : {0.0, -0.02, series::nan, series::infinity}) {
    CAPTURE(bad);
    const auto call = [&] { statistics::judge(ratio, bad, better::lower, 1, {}); };
    CHECK(mentions(refusal(call), "margin"));
    CHECK(mentions(refusal([&] { judge_control(ratio, bad); }), "margin"));
  }
  CHECK(mentions(refusal([&] { judge(ratio, 0); }), "comparisons"));
}

TEST_CASE("a ratio that is no positive number is refused", "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, 0.0, -1.0}) {
    CAPTURE(bad);
    auto estimate = twenty(0, 0.01);
    estimate.estimate = bad;
    auto low = twenty(0, 0.01);
    low.ci95->low = bad;
    auto high = twenty(0, 0.01);
    high.ci90->high = bad;
    auto bare = twenty(0.05, 0.01);
    bare.log_ratios.clear();
    auto value = twenty(0.05, 0.01);
    value.log_ratios[3] = series::nan;
    for (const auto& spoilt : {estimate, low, high, bare, value}) {
      CHECK(mentions(refusal([&] { judge(spoilt); }), "ratio"));
      CHECK(mentions(refusal([&] { judge(twenty(0.05, 0.01), 1, spoilt); }), "ratio"));
    }
  }
}
