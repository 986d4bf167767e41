/** @file
    The rank test: against published tails, against all divisions written out, and by simulation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/statistics/mann_whitney.hpp>

#include "../support/catch.hpp"
#include "series.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

namespace statistics = udpbench::statistics;
using series::ladder;
using series::mentions;
using series::refusal;
using statistics::mann_whitney;
using sample = std::vector<double>;

namespace {

/** Twice the pairs that a wins. */
int won(const sample& a, const sample& b) {
  int twice = 0;
  for (const auto x : a)
    for (const auto y : b) twice += x > y ? 2 : x == y ? 1 : 0;
  return twice;
}

/** The p value by trying every division of the values. */
double written_out(const sample& a, const sample& b) {
  sample all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto middle = static_cast<int>(a.size() * b.size());
  const auto distance = std::abs(won(a, b) - middle);
  int divisions = 0;
  int as_far = 0;
  for (unsigned mask = 0; mask != 1u << all.size(); ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) != a.size()) continue;
    sample in, out;
    for (std::size_t i = 0; i != all.size(); ++i) (mask >> i & 1u ? in : out).push_back(all[i]);
    ++divisions;
    as_far += std::abs(won(in, out) - middle) >= distance ? 1 : 0;
  }
  return static_cast<double>(as_far) / divisions;
}

} // namespace

TEST_CASE("series that are wholly apart have the p value of the one division that does it",
          "[statistics]") {
  // Two of C(6,3) = 20, of C(10,5) = 252, and of C(20,10) = 184756.
  struct row {
    std::size_t n;
    double p;
  };
  const auto r = GENERATE(
      Catch::Generators::values<row>({{3, 2.0 / 20}, {5, 2.0 / 252}, {10, 2.0 / 184'756}}));
  const auto up = mann_whitney(ladder(r.n, 100, 1), ladder(r.n, 0, 1)).value();
  CHECK(up.p == Approx(r.p).epsilon(1e-12));
  CHECK(up.share == 1);
  CHECK(up.exact);
  const auto down = mann_whitney(ladder(r.n, 0, 1), ladder(r.n, 100, 1)).value();
  CHECK(down.p == Approx(r.p).epsilon(1e-12));
  CHECK(down.share == 0);
}

TEST_CASE("the counted p value is that of all divisions, with ties and without", "[statistics]") {
  series::engine random{20064};
  for (const std::size_t m : {1u, 2u, 4u, 6u})
    for (const std::size_t n : {1u, 3u, 5u}) {
      auto a = series::normal(random, m, 0.5, 1);
      auto b = series::normal(random, n, 0, 1);
      CAPTURE(m, n);
      for (int pass = 0; pass != 2; ++pass) {
        const auto found = mann_whitney(a, b).value();
        CHECK(found.p == Approx(written_out(a, b)).epsilon(1e-12));
        CHECK(found.share == Approx(won(a, b) / (2.0 * static_cast<double>(m * n))));
        for (auto& x : a) x = std::round(x);
        for (auto& x : b) x = std::round(x);
      }
    }
}

TEST_CASE("the critical value at 1 % for ten and ten is the published one", "[statistics]") {
  // Tables give 16 for U: at 16 the difference is significant, at 17 it is not.
  const auto with_u = [](int u) {        // a's i-th value wins over as many of b's
    const sample b = ladder(10, 4.5, 1); // 0 to 9
    sample a;
    for (int i = 0; i != 10; ++i) {
      const int wins = std::min(u, 10);
      a.push_back(wins - 0.5 + i * 0.001);
      u -= wins;
    }
    return mann_whitney(a, b).value();
  };
  CHECK(with_u(16).share == Approx(0.16));
  CHECK(with_u(16).p <= 0.01);
  CHECK(with_u(17).p > 0.01);
}

TEST_CASE("above 50 values the normal law takes over and hardly differs", "[statistics]") {
  CHECK(mann_whitney(ladder(25, 0, 1), ladder(25, 0.5, 1))->exact);
  CHECK(!mann_whitney(ladder(26, 0, 1), ladder(25, 0.5, 1))->exact);
  auto tied = ladder(50, 0, 0.3);
  for (auto& x : tied) x = std::round(x);
  for (const auto& d : {ladder(50, 0, 1), tied}) {
    const auto ranks = statistics::detail::doubled_ranks(d);
    for (std::size_t sum = 25 * 51 - 500; sum <= 25 * 51 + 500; sum += 50) {
      CAPTURE(sum);
      CHECK(statistics::detail::normal_p(ranks, 25, sum) ==
            Approx(statistics::detail::counted_p(ranks, 25, sum)).margin(0.01).epsilon(0));
    }
  }
}

TEST_CASE("the normal law knows the variance that ties leave", "[statistics]") {
  // 30 zeros and 30 ones against 40 zeros and 20 ones: 3.6 ranks of 30, in wins of half a pair.
  sample a(30, 0.0), b(40, 0.0);
  a.resize(60, 1.0);
  b.resize(60, 1.0);
  // Sum of a's ranks: 30*35.5 + 30*95.5 = 3930, expected 3630. Deviations of the ranks from 60.5:
  // 70 of 25 and 50 of 35. Variance 60*60/(120*119) * (70*625 + 50*1225) = 26470.6
  const auto z = (300 - 0.5) / std::sqrt(60.0 * 60 / (120.0 * 119) * 105'000);
  CHECK(mann_whitney(a, b)->p == Approx(std::erfc(z / std::sqrt(2.0))));
}

TEST_CASE("two of the same are told apart at 5 % in 5 % of the runs", "[statistics]") {
  series::engine random{20066};
  CHECK(
      series::share(2'000, [&] {
        return mann_whitney(series::normal(random, 8, 0, 1), series::normal(random, 8, 0, 1))->p <=
               0.05;
      }) == Approx(0.0499).margin(0.015)); // three standard errors
  CHECK(series::share(2'000, [&] {
          return mann_whitney(series::normal(random, 30, 0, 1), series::normal(random, 40, 0, 1))
                     ->p <= 0.05;
        }) == Approx(0.05).margin(0.015));
}

TEST_CASE("a rank test without values is absent and without differences finds none",
          "[statistics]") {
  CHECK(!mann_whitney(sample{}, sample{1}));
  CHECK(!mann_whitney(sample{1}, sample{}));
  CHECK(mann_whitney(sample(3, 1.0), sample(4, 1.0))->p == 1);
  CHECK(mann_whitney(sample(3, 1.0), sample(4, 1.0))->share == 0.5);
  CHECK(mann_whitney(sample(30, 1.0), sample(40, 1.0))->p == 1);
}

TEST_CASE("a rank test refuses what is not finite", "[statistics]") {
  for (const auto bad : {series::nan, series::infinity, -series::infinity}) {
    CHECK(
        mentions(refusal([&] { mann_whitney(sample{0, bad}, sample{1}); }), "first series[1] is"));
    CHECK(
        mentions(refusal([&] { mann_whitney(sample{1}, sample{0, bad}); }), "second series[1] is"));
  }
}
