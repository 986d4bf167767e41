/** @file
    Loss over rounds, and against the baseline.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/loss.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace statistics = udpbench::statistics;
using series::ladder;
using series::mentions;
using series::refusal;
using statistics::delivery;
using statistics::judge_loss;
using statistics::loss_of;
using statistics::loss_verdict;
using statistics::summarise_loss;
using rounds = std::vector<delivery>;
using values = std::vector<double>;

TEST_CASE("the loss of a round is the share that did not arrive", "[statistics]") {
  CHECK(loss_of({4, 3}) == 0.25);
  CHECK(loss_of({4, 4}) == 0.0);
  CHECK(loss_of({4, 0}) == 1.0);
  CHECK(!loss_of({0, 0}));
  // One of many is not rounded away, as it would be in 1 - unique/sent.
  constexpr auto many = std::uint64_t{1} << 60;
  CHECK(loss_of({many, many - 1}) == Approx(8.67e-19).epsilon(0.01));
}

TEST_CASE("a burst in one round moves the pooled loss and not the median", "[statistics]") {
  rounds r(9, {100, 99});
  r.push_back({300, 0});
  const auto s = summarise_loss(r).value();
  CHECK(s.median == 0.01);
  CHECK(s.pooled == Approx(309.0 / 1'200));
  CHECK(s.rounds == 10);
  CHECK(s.lossy == 10);
  CHECK(!s.at_most);
}

TEST_CASE("the interval of a loss is made of rounds", "[statistics]") {
  rounds r;
  for (std::uint64_t lost = 12; lost != 0; --lost) r.push_back({100, 100 - lost});
  const auto s = summarise_loss(r).value();
  CHECK(s.median == Approx(0.065));
  CHECK(s.ci95.value().low == 0.03); // 3rd and 10th of 12
  CHECK(s.ci95.value().high == 0.10);
  r.resize(5);
  CHECK(!summarise_loss(r)->ci95);
}

TEST_CASE("no lossy round leaves a bound on the share of lossy rounds", "[statistics]") {
  CHECK(summarise_loss(rounds(12, {100, 100}))->at_most.value() == Approx(0.22).margin(0.005));
  CHECK(summarise_loss(rounds(20, {100, 100}))->at_most.value() == Approx(0.14).margin(0.005));
  CHECK(summarise_loss(rounds(1, {100, 100}))->at_most.value() == Approx(0.95));
  rounds one(20, {100, 100});
  one[7].unique = 99;
  CHECK(summarise_loss(one)->lossy == 1);
  CHECK(!summarise_loss(one)->at_most);
  CHECK(mentions(refusal([] { statistics::most_lossy_share(0); }), "no rounds"));
}

TEST_CASE("rounds that sent nothing have no loss and don't count", "[statistics]") {
  CHECK(!summarise_loss(rounds{}));
  CHECK(!summarise_loss(rounds(3)));
  const auto s = summarise_loss(rounds{{0, 0}, {10, 9}, {10, 9}}).value();
  CHECK(s.rounds == 2);
  CHECK(s.median == 0.1);
}

TEST_CASE("a round that gained datagrams is refused", "[statistics]") {
  CHECK(mentions(refusal([] { loss_of({3, 4}); }), "gained"));
  CHECK(mentions(refusal([] { summarise_loss(rounds{{3, 3}, {0, 1}}); }), "gained"));
}

TEST_CASE("differences of loss within half a point are equivalent", "[statistics]") {
  // In steps of s the 90 and 95 % intervals of 20 reach 4.5 s to either side.
  CHECK(judge_loss(ladder(20, 0, 0.001), 1)->word == loss_verdict::equivalent);
  CHECK(judge_loss(ladder(20, 0.0045, 0.0001), 1)->word == loss_verdict::equivalent);
  CHECK(judge_loss(values(20, 0.0), 1)->word == loss_verdict::equivalent); // nobody lost any
  CHECK(judge_loss(ladder(20, 0, 0.001), 1'000)->word == loss_verdict::equivalent);
  CHECK(judge_loss(ladder(20, 0.001, 0.001), 1)->word == loss_verdict::inconclusive);
  // Of 52, 90 % reaches 0.0049 and 95 % 0.0056.
  CHECK(judge_loss(ladder(52, 0, 0.00075), 1)->word == loss_verdict::equivalent);
}

TEST_CASE("a receiver loses more above the baseline and less below", "[statistics]") {
  const auto more = judge_loss(ladder(20, 0.02, 0.004), 1).value();
  CHECK(more.word == loss_verdict::more);
  CHECK(more.median == Approx(0.02));
  CHECK(more.ci95.value().low == Approx(0.002));
  CHECK(more.ci95.value().high == Approx(0.038));
  CHECK(judge_loss(ladder(20, -0.02, 0.004), 1)->word == loss_verdict::less);
}

TEST_CASE("a difference of loss needs both an interval without 0 and a median beyond the margin",
          "[statistics]") {
  CHECK(judge_loss(ladder(20, 0.02, 0.005), 1)->word == loss_verdict::inconclusive);
  CHECK(judge_loss(ladder(20, 0.004, 0.0008), 1)->word == loss_verdict::inconclusive);
  CHECK(judge_loss(ladder(20, 0.004, 0.0008), 1, 0.003)->word == loss_verdict::more);
}

TEST_CASE("in a table a difference of loss needs the adjusted interval", "[statistics]") {
  CHECK(judge_loss(ladder(20, 0.02, 0.004), 5)->word == loss_verdict::inconclusive); // 6.5 steps
  CHECK(judge_loss(ladder(20, 0.02, 0.003), 5)->word == loss_verdict::more);
  CHECK(judge_loss(ladder(6, 0.5, 0.001), 2)->word == loss_verdict::inconclusive); // 96.9 %
}

TEST_CASE("below 6 blocks no difference of loss is judged", "[statistics]") {
  CHECK(!judge_loss(values{}, 1));
  for (std::size_t n = 1; n != 6; ++n) {
    const auto d = judge_loss(ladder(n, 0.5, 0.001), 1).value();
    CHECK(d.word == loss_verdict::inconclusive);
    CHECK(d.median == Approx(0.5));
    CHECK(!d.ci95);
    CHECK(judge_loss(values(n, 0.0), 1)->word == loss_verdict::inconclusive);
  }
  CHECK(judge_loss(ladder(6, 0.5, 0.001), 1)->word == loss_verdict::more);
}

TEST_CASE("equal bursty receivers are told apart in at most 5 % of the tables", "[statistics]") {
  series::engine random{20069};
  std::exponential_distribution<double> burst{1 / 0.03};
  CHECK(series::share(1'000, [&] {
          values d(20);
          for (auto& value : d) value = burst(random) - burst(random);
          const auto word = judge_loss(d, 1)->word;
          return word == loss_verdict::more || word == loss_verdict::less;
        }) <= 0.05);
}

TEST_CASE("what is no difference of losses is refused", "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, 1.5, -1.5})
    CHECK(mentions(refusal([&] { judge_loss(values{0, bad}, 1); }), "difference"));
  for (const auto bad : {0.0, -0.1, series::nan, series::infinity})
    CHECK(mentions(refusal([&] { judge_loss(values{0}, 1, bad); }), "margin"));
  CHECK(mentions(refusal([] { judge_loss(values{0}, 0); }), "comparisons"));
}
