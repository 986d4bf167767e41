/** @file
    The search, against receivers whose bounds are known.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "simulated.hpp"

#include "../support/catch.hpp"

#include <random>
#include <stdexcept>
#include <vector>

namespace search = udpbench::search;
using search::ending;
using search::preset;
using simulated::capacity;
using simulated::carry_out;

namespace {

/** From 1,000 to 10 million datagrams a second. */
search::search for_goals(std::vector<search::goal> goals, std::uint64_t most_trials = 10'000) {
  return search::search({1'000, 10'000'000, std::move(goals), most_trials});
}

} // namespace

TEST_CASE(
    "a receiver that always loses above one rate is found to carry that rate, within the width",
    "[search]") {
  for (const char* name : {"rfc2544", "ndr", "quick"}) {
    std::mt19937 random(7);
    for (int i = 0; i < 100; ++i) {
      const search::rate truth =
          std::uniform_int_distribution<search::rate>(2'000, 9'000'000)(random);
      search::search s = for_goals({preset(name)});
      carry_out(s, capacity(truth));
      const search::outcome found = s.outcomes().front();
      INFO(name << ", " << truth << "/s");
      REQUIRE(found.how == ending::regular);
      CHECK(*found.found.lower <= truth);
      CHECK(*found.found.upper > truth);
      CHECK(*found.found.width() <= preset(name).width);
      CHECK(*found.conditional_throughput == Approx(*found.found.lower));
      CHECK_FALSE(found.sender_ends);
    }
  }
}

TEST_CASE("a partial-loss goal is met by what may be lost", "[search]") {
  search::search s = for_goals({preset("pdr")});
  carry_out(s, capacity(1'000'000));
  const auto found = s.outcomes().front();
  REQUIRE(found.how == ending::regular);
  // 0.5 % of 1,005,025 is lost where 1,000,000 are carried.
  CHECK(*found.found.lower <= 1'005'025);
  CHECK(*found.found.upper >= 1'005'025);
  CHECK(*found.conditional_throughput ==
        Approx(std::min(1e6, 1.0 * static_cast<double>(*found.found.lower))));
}

TEST_CASE("of 100 noisy receivers at least 95 are found within the width, and none is far off",
          "[search]") {
  int within = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const double truth = 300'000 + 20'011.0 * seed;
    search::search s = for_goals({preset("ndr")});
    carry_out(s, simulated::noisy(truth, seed));
    const auto found = s.outcomes().front();
    REQUIRE(found.how == ending::regular);
    const auto lower = static_cast<double>(*found.found.lower);
    const auto upper = static_cast<double>(*found.found.upper);
    if (lower <= truth * 1.005 && upper >= truth * 0.995) ++within;
    // Its trials are half of 21 at least without a loss, so that a load at which most lose hardly passes.
    CHECK(simulated::likely(*found.found.lower, truth) < 0.8);
  }
  CHECK(within >= 95);
}

TEST_CASE("a receiver that loses at a lower rate, and not at a higher one, isn't said to carry the "
          "higher one",
          "[search]") {
  for (const search::rate from : {200'000u, 400'000u, 600'000u, 800'000u}) {
    const auto with_a_hole = [from](search::rate load) {
      if (load >= from && load < from + from / 4) return 0.02;
      return capacity(1'000'000)(load);
    };
    search::search s = for_goals({preset("ndr")});
    carry_out(s, with_a_hole);
    const auto found = s.outcomes().front();
    REQUIRE(found.how == ending::regular);
    CHECK(with_a_hole(*found.found.lower) == 0);
    CHECK(with_a_hole(*found.found.upper) > 0);
    for (const auto& [load, trials] : s.measured())
      if (load < *found.found.lower)
        CHECK(search::classify(trials, preset("ndr")) != search::bound::upper);
  }
}

TEST_CASE("where the sender ends, no receiver is said to lose", "[search]") {
  search::search s = for_goals({preset("ndr")});
  carry_out(s, capacity(9'000'000), 500'000);
  const auto found = s.outcomes().front();
  CHECK(found.how == ending::regular);
  CHECK(*found.found.lower <= 500'000);
  CHECK(*found.found.lower >= 497'000);
  CHECK(found.sender_ends);
}

TEST_CASE("a receiver that carries all that was allowed carries at least that", "[search]") {
  search::search s = for_goals({preset("ndr")});
  CHECK(carry_out(s, capacity(20'000'000)) ==
        12); // One warms up, and more than half of 21 s decide.
  const auto found = s.outcomes().front();
  CHECK(found.how == ending::at_least);
  CHECK(*found.found.lower == 10'000'000);
  CHECK_FALSE(found.found.upper);
}

TEST_CASE("a receiver that loses at the least rate is below it, with the loss there", "[search]") {
  search::search s = for_goals({preset("ndr")});
  carry_out(s, [](search::rate) { return 0.25; });
  const auto found = s.outcomes().front();
  CHECK(found.how == ending::below);
  CHECK(*found.found.upper == 1'000);
  CHECK_FALSE(found.found.lower);
  CHECK(*found.least_loss == Approx(0.25));
}

TEST_CASE("several goals share their trials", "[search]") {
  const auto trials = [](std::vector<search::goal> goals) {
    search::search s = for_goals(std::move(goals));
    const int n = carry_out(s, simulated::noisy(1e6, 3));
    for (const auto& each : s.outcomes()) CHECK(each.how == ending::regular);
    return n;
  };
  search::goal wide = preset("ndr");
  wide.name = "wide";
  wide.width = 0.02;
  const int alone = trials({preset("ndr")});
  CHECK(trials({preset("ndr"), wide}) ==
        alone); // What decided about the one decides about the other.
}

TEST_CASE("a search ends with its maximum of trials, and says that it isn't finished", "[search]") {
  search::search s = for_goals({preset("ndr")}, 5);
  CHECK(carry_out(s, capacity(1'000'000)) == 6); // And one to warm up.
  CHECK(s.outcomes().front().how == ending::unfinished);
}

TEST_CASE("of neighbours there is none between", "[search]") {
  search::search s({1, 100, {preset("ndr")}, 10'000});
  carry_out(s, capacity(3));
  const auto found = s.outcomes().front();
  CHECK(found.how == ending::regular);
  CHECK(*found.found.lower == 3);
  CHECK(*found.found.upper == 4);
}

TEST_CASE("the first trial warms up, and counts for nothing", "[search]") {
  search::search s = for_goals({preset("quick")});
  const auto first = s.next();
  REQUIRE(first);
  CHECK(first->warm_up);
  CHECK(first->load == 10'000'000);
  CHECK(s.next()->warm_up); // The same until it was told.
  s.tell(simulated::run(*first, capacity(5)));
  CHECK(s.measured().empty());
  CHECK_FALSE(s.next()->warm_up);
}

TEST_CASE("a result of a trial that nobody asked for is refused", "[search]") {
  search::search s = for_goals({preset("quick")});
  CHECK_THROWS_AS(s.tell({}), std::logic_error);
  auto order = *s.next();
  order.load = 5;
  CHECK_THROWS_WITH(s.tell(simulated::run(order, capacity(5))),
                    "a trial at 5/s, which was not asked for");
}

TEST_CASE("a range without a rate is refused by name", "[search]") {
  CHECK_THROWS_WITH(search::search({0, 5, {preset("ndr")}}), Catch::Contains("least rate 0"));
  CHECK_THROWS_WITH(search::search({6, 5, {preset("ndr")}}),
                    "highest rate 5: allowed is from the least one, 6");
}
