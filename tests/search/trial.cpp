/** @file
    What the trials at one load say of it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/search/trial.hpp>

#include "../support/catch.hpp"

#include <chrono>
#include <stdexcept>
#include <vector>

namespace search = udpbench::search;
using namespace std::chrono_literals;
using search::bound;
using search::classify;
using search::conditional_throughput;
using search::trial;

namespace {

const search::goal of_four{
    .name = "four", .trial = 1s, .sum = 4s, .loss = 0.1, .exceed = 0.5, .width = 0.1};

/** 100 datagrams in a second, of which so many were lost. */
trial full(std::uint64_t lost) { return {100, 1s, 100, 0, 100 - lost}; }

/** The same in half a second. */
trial brief(std::uint64_t lost) { return {100, 500ms, 50, 0, 50 - lost}; }

} // namespace

TEST_CASE("what was not sent in time counts as lost", "[search]") {
  CHECK(search::loss_of({100, 1s, 100, 30, 60}) == 0.4);
  CHECK_THROWS_AS(search::loss_of({100, 1s, 100, 30, 71}), std::invalid_argument);
  CHECK_THROWS_AS(search::loss_of({100, 1s, 100, 101, 0}), std::invalid_argument);
  CHECK_THROWS_AS(search::loss_of({100, 1s, 0, 0, 0}), std::invalid_argument);
}

TEST_CASE("a load is decided when no missing trial could change it", "[search]") {
  CHECK(classify({}, of_four) == bound::undecided);
  CHECK(classify(std::vector{full(0)}, of_four) == bound::undecided);
  CHECK(classify(std::vector{full(0), full(10)}, of_four) ==
        bound::lower); // 10 % is still the goal.
  CHECK(classify(std::vector{full(11), full(11)}, of_four) == bound::undecided);
  CHECK(classify(std::vector{full(11), full(11), full(11)}, of_four) == bound::upper);
  CHECK(classify(std::vector{full(11), full(0), full(11), full(0)}, of_four) == bound::lower);
}

TEST_CASE("short trials count against a load, as far as more of them lose than may", "[search]") {
  std::vector<trial> at(4, brief(50));
  CHECK(classify(at, of_four) == bound::undecided); // 2 s of 4.
  at.push_back(brief(50));
  CHECK(classify(at, of_four) == bound::upper);
  at.push_back(brief(0));
  CHECK(classify(at, of_four) == bound::undecided);
  // And never for it.
  CHECK(classify(std::vector<trial>(100, brief(0)), of_four) == bound::undecided);
}

TEST_CASE("where nothing may exceed the goal, one trial ends it", "[search]") {
  const search::goal strict = search::preset("rfc2544");
  CHECK(classify(std::vector{trial{10, 1s, 10, 0, 9}}, strict) == bound::upper);
  CHECK(classify(std::vector{trial{10, 60s, 600, 0, 600}}, strict) == bound::lower);
  CHECK(classify(std::vector{trial{10, 60s, 600, 0, 600}, trial{10, 1s, 10, 0, 9}}, strict) ==
        bound::upper);
}

TEST_CASE("the conditional throughput is that of the best trials that are enough", "[search]") {
  CHECK(conditional_throughput(std::vector{full(5)}, of_four) ==
        0); // 1 s of the 2 s that it takes.
  CHECK(conditional_throughput(std::vector{full(5), full(20), full(1)}, of_four) == Approx(95));
  CHECK(conditional_throughput(std::vector{full(5), brief(0)}, of_four) == 0);
  std::vector<trial> six{full(0), full(1), full(2), full(3), full(4), full(5)};
  CHECK(conditional_throughput(six, of_four) == Approx(98)); // Of 6 s, 3 s.
  CHECK_THROWS_AS(conditional_throughput({}, of_four), std::invalid_argument);
}

TEST_CASE("a goal that can't be is refused with its name, the figure and what is allowed",
          "[search]") {
  const auto refusal = [](search::goal g) {
    try {
      search::check_goals(std::vector{g});
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto with = [&](auto change) {
    search::goal g = of_four;
    change(g);
    return refusal(g);
  };
  CHECK(refusal(of_four).empty());
  CHECK_THAT(with([](auto& g) { g.loss = 1; }), Catch::Contains("goal 'four': loss 1.0"));
  CHECK_THAT(with([](auto& g) { g.exceed = -0.1; }), Catch::Contains("exceed -0.1"));
  CHECK_THAT(with([](auto& g) { g.width = 0; }), Catch::Contains("width 0.0"));
  CHECK_THAT(with([](auto& g) { g.trial = 0ns; }), Catch::Contains("trial 0 ns"));
  CHECK_THAT(with([](auto& g) { g.sum = 999ms; }), Catch::Contains("sum 999000000 ns"));
  CHECK_THROWS_WITH(search::check_goals({}), "goals: at least one");
  CHECK_THROWS_WITH(search::check_goals(std::vector{of_four, of_four}),
                    "goal 'four': there are two of this name");
}

TEST_CASE("a preset that isn't there is named, with those that are", "[search]") {
  CHECK_THROWS_WITH(search::preset("mdr"), "goal 'mdr': allowed are rfc2544, ndr, pdr, quick");
  CHECK(search::preset("pdr").loss == 0.005);
}
