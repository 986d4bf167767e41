/** @file
    What is compared with what, and in which order.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "scripted_place.hpp"

#include <udpbench/experiment/seats.hpp>

#include <random>
#include <set>

using namespace udpbench;
using namespace udpbench::experiment;
using statistics::verdict;

namespace {

using turns = std::vector<std::string>;

/** Seats of the first block at most: those of the others come later. */
constexpr std::size_t first_block = 3;

/** Costs with a noise of 1 %: `in_first` in the first repetition and `later` in all others, as multiples of the baseline's. */
record::run run_with(load::kind kind, double in_first, double later) {
  scripted_place where;
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1.0, 0.01);
  where.cost = [&](const std::string& r, std::size_t seat) {
    const double factor = r != "other" ? 1 : seat <= first_block ? in_first : later;
    return 500 * factor * noise(random);
  };
  return run_scripted(plan_for({"base", "other"}, kind), where);
}

} // namespace

TEST_CASE("the order of runs is random, and each is followed by its reverse", "[experiment]") {
  for (const auto kind : {load::kind::backlog, load::kind::flood}) {
    scripted_place where;
    auto p = plan_for({"a", "b", "c"}, kind);
    p.blocks = 20;
    run_scripted(p, where);
    constexpr std::ptrdiff_t contestants = 4; // with the control
    REQUIRE(where.turns.size() % (2 * contestants) == 0);
    std::set<turns> orders;
    std::map<std::string, int> first;
    for (auto at = where.turns.begin(); at != where.turns.end(); at += 2 * contestants) {
      const turns one(at, at + contestants);
      const turns next(at + contestants, at + 2 * contestants);
      CHECK(turns(next.rbegin(), next.rend()) == one);
      orders.insert(one);
      ++first[one.front()];
      ++first[next.front()];
    }
    // Of the twelve that names can tell apart.
    CHECK(orders.size() >= 6);
    CHECK(first.size() == 3);
  }
}

TEST_CASE("all repetitions count: a planted difference of 5 % is found that the first doesn't show",
          "[experiment]") {
  const auto backlog = run_with(load::kind::backlog, 1, 1.05).comparisons.front();
  CHECK(*backlog.ratio == Approx(1.05).epsilon(0.005));
  CHECK(backlog.verdict == verdict::slower);
  const auto flood = run_with(load::kind::flood, 1, 1.05).comparisons.front();
  CHECK(*flood.ratio == Approx(1 / 1.05).epsilon(0.005));
  CHECK(flood.verdict == verdict::slower);
}

TEST_CASE("all repetitions count: A against A isn't called different for what the first shows",
          "[experiment]") {
  for (const auto kind : {load::kind::backlog, load::kind::flood}) {
    const auto c = run_with(kind, 1.05, 1).comparisons.front();
    CHECK(*c.ratio == Approx(1).epsilon(0.005));
    CHECK(c.verdict == verdict::equivalent);
  }
}

TEST_CASE("rounds of the control alone that the sender limited are enough to publish no ratio",
          "[experiment]") {
  const auto p = plan_for({"base", "other"}, load::kind::flood);
  // A cost for each seat tells which seats were the control's.
  scripted_place before;
  before.cost = [](const std::string&, std::size_t seat) {
    return 500 + static_cast<double>(seat) / 100;
  };
  const auto plain = run_scripted(p, before);
  CHECK(plain.comparisons.front().ratio);
  const auto& second = plain.results.back();
  REQUIRE(second.control);
  std::set<double> costs;
  for (const auto& r : second.rounds) costs.insert(*r.ns_per_datagram);

  // The same seed gives the same seats.
  scripted_place where;
  where.cost = before.cost;
  where.spoil = [&](const std::string&, sample& s) {
    const double each = static_cast<double>(s.elapsed.count()) / static_cast<double>(s.timed);
    if (costs.contains(each)) s.cpu_share = 0.3;
  };
  const auto run = run_scripted(p, where);
  for (const auto& result : run.results)
    for (const auto& r : result.rounds)
      REQUIRE((r.limited_by == record::limit::sender) == result.control);
  CHECK_FALSE(run.comparisons.front().ratio);
  CHECK(run.comparisons.front().limited_by == record::limit::sender);
}

TEST_CASE("the ratio of sums of a rate has the direction of a rate", "[experiment]") {
  scripted_place where;
  where.cost = [](const std::string& r, std::size_t) { return r == "quick" ? 400 : 500; };
  const auto p = [](load::kind kind) { return plan_for({"base", "quick"}, kind); };
  const auto rate = run_scripted(p(load::kind::flood), where).comparisons.front();
  CHECK(*rate.ratio_of_sums == Approx(1.25));
  const auto time = run_scripted(p(load::kind::backlog), where).comparisons.front();
  CHECK(*time.ratio_of_sums == Approx(0.8));
}

TEST_CASE("a receiver that fails in use has its seat closed at once, and gets no other",
          "[experiment]") {
  scripted_place where;
  std::vector<contestant> contestants(2);
  contestants[0].receiver = "failing";
  contestants[1].receiver = "other";
  seats taken(where, contestants);
  taken.open(0, {});
  taken.open(1, {});
  REQUIRE(where.open_now == 2);
  taken.use(0, [](seat) { throw std::runtime_error("planted"); });
  CHECK(where.open_now == 1);
  CHECK_FALSE(taken.at(0));
  CHECK(taken.at(1));
  CHECK(contestants[0].failure == "planted");
  CHECK(contestants[1].failure.empty());
  taken.use(0, [](seat) { FAIL("a closed seat is used"); });
  taken.open(0, {});
  CHECK(where.open_now == 1);
  taken.use(1, [](seat) { throw 42; });
  CHECK(contestants[1].failure == "an exception that is no std::exception");
  CHECK(where.open_now == 0);
}
