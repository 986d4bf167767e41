/** @file
    What several tables say together: break-evens over works, crossings over depths.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/experiment/break_even.hpp>
#include <udpbench/experiment/crossing.hpp>

#include "catch.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace udpbench;
using namespace udpbench::experiment;
using statistics::verdict;

namespace {

/** One table of a series: a baseline, one receiver, and how they compare. */
struct table {
  std::string load = "backlog";
  std::string work = "";
  double work_ns = 0;
  double baseline_ns = 0;
  double ratio = 1;
  std::optional<verdict> word = verdict::slower;
  std::optional<std::uint64_t> depth = 46;
  std::optional<std::array<double, 2>> ci = {};
};

void add(record::run& run, const table& t) {
  for (const char* name : {"sync", "async"}) {
    record::result r;
    r.receiver = name;
    r.load = t.load;
    r.size = 1024;
    r.work = t.work;
    if (!t.work.empty()) r.work_ns = t.work_ns;
    r.depth = t.depth;
    r.summary.ns_per_datagram = name[0] == 's' ? t.baseline_ns : t.baseline_ns * t.ratio;
    run.results.push_back(r);
  }
  record::comparison c;
  c.receiver = "async";
  c.baseline = "sync";
  c.load = t.load;
  c.size = 1024;
  c.work = t.work;
  c.metric = "ns_per_datagram";
  c.ratio = t.ratio;
  c.verdict = t.word;
  c.ci = t.ci;
  run.comparisons.push_back(c);
}

record::run run_of(const std::vector<table>& tables) {
  record::run run;
  run.plan.margin = 0.02;
  for (const table& t : tables) add(run, t);
  return run;
}

} // namespace

TEST_CASE("a surcharge is within the margin beside enough work", "[experiment]") {
  const auto all = find_break_evens(run_of({
      {.work = "5us", .work_ns = 5000, .baseline_ns = 5400, .ratio = 5600.0 / 5400},
      {.baseline_ns = 400, .ratio = 1.5},
      {.work = "20us",
       .work_ns = 20'000,
       .baseline_ns = 20'400,
       .ratio = 20'600.0 / 20'400,
       .word = verdict::equivalent},
  }));
  REQUIRE(all.size() == 1);
  CHECK(all[0].receiver == "async");
  CHECK(all[0].baseline == "sync");
  CHECK(all[0].surcharge_ns == Approx(200));
  // Beside 9,600 ns of work the baseline takes 10,000 ns, of which 200 are 2 %.
  REQUIRE(all[0].work_ns);
  CHECK(*all[0].work_ns == Approx(9600));
  CHECK(all[0].equivalent_from == "20us");
  CHECK(all[0].equivalent_from_ns == 20'000);
}

TEST_CASE("a surcharge has the interval of the work in the middle, or one halfway between two",
          "[experiment]") {
  const table none{.baseline_ns = 400, .ratio = 1.5, .ci = {{1.45, 1.525}}};
  const table some{
      .work = "1us", .work_ns = 1000, .baseline_ns = 1400, .ratio = 1.1, .ci = {{1.05, 1.2}}};
  const table much{
      .work = "5us", .work_ns = 5000, .baseline_ns = 5400, .ratio = 1.1, .ci = {{1, 2}}};
  const auto interval = [](const std::vector<table>& tables) {
    const auto all = find_break_evens(run_of(tables));
    REQUIRE(all.size() == 1);
    return all[0].surcharge_ci;
  };
  // Of 140, 200 and 540 ns it is that of the 200.
  auto ci = interval({some, none, much});
  REQUIRE(ci);
  CHECK((*ci)[0] == Approx(180));
  CHECK((*ci)[1] == Approx(210));
  // 180 to 210 and 70 to 280.
  ci = interval({none, some});
  REQUIRE(ci);
  CHECK((*ci)[0] == Approx(125));
  CHECK((*ci)[1] == Approx(245));
  table few = some;
  few.ci.reset();
  CHECK_FALSE(interval({none, few}));
  CHECK(interval({few, none, much}));
}

TEST_CASE("an equivalence that a greater work takes back is none", "[experiment]") {
  const auto all = find_break_evens(run_of({
      {.baseline_ns = 400, .ratio = 1.01, .word = verdict::equivalent},
      {.work = "1us", .work_ns = 1000, .baseline_ns = 1400, .ratio = 1.2},
  }));
  REQUIRE(all.size() == 1);
  CHECK(all[0].equivalent_from.empty());
  CHECK_FALSE(all[0].equivalent_from_ns);
}

TEST_CASE("what is faster comes within the margin from below", "[experiment]") {
  const auto all = find_break_evens(run_of({
      {.baseline_ns = 400, .ratio = 0.5, .word = verdict::faster},
      {.work = "1us", .work_ns = 1000, .baseline_ns = 1400, .ratio = 1200.0 / 1400},
  }));
  REQUIRE(all.size() == 1);
  CHECK(all[0].surcharge_ns == Approx(-200));
  // (w + 200) / (w + 400) is 1 / 1.02 for w = 9,800.
  REQUIRE(all[0].work_ns);
  CHECK(*all[0].work_ns == Approx(9800));
}

TEST_CASE("what is within the margin needs no work", "[experiment]") {
  const auto all = find_break_evens(run_of({
      {.baseline_ns = 400, .ratio = 1.001, .word = verdict::equivalent},
      {.work = "1us",
       .work_ns = 1000,
       .baseline_ns = 1400,
       .ratio = 1,
       .word = verdict::equivalent},
  }));
  REQUIRE(all.size() == 1);
  CHECK_FALSE(all[0].work_ns);
  CHECK(all[0].equivalent_from == "0");
}

TEST_CASE("one work alone has no break-even, and neither has a rate", "[experiment]") {
  CHECK(find_break_evens(run_of({{.baseline_ns = 400, .ratio = 1.5}})).empty());
  auto run = run_of({{.baseline_ns = 400, .ratio = 1.5},
                     {.work = "1us", .work_ns = 1000, .baseline_ns = 1400, .ratio = 1.2}});
  for (auto& c : run.comparisons) c.metric = "received_per_second";
  CHECK(find_break_evens(run).empty());
}

namespace {

using judged = std::pair<std::uint64_t, std::optional<verdict>>;

std::vector<record::crossing> depths(std::vector<judged> all) {
  std::vector<table> tables;
  for (const auto& [depth, word] : all)
    tables.push_back({.load = "backlog:" + std::to_string(depth),
                      .baseline_ns = 400,
                      .ratio = 1 + 1.0 / static_cast<double>(depth),
                      .word = word,
                      .depth = depth});
  return find_crossings(run_of(tables));
}

} // namespace

TEST_CASE("a crossing is where it is faster at every greater depth", "[experiment]") {
  // Not in their order.
  auto all = depths({{64, verdict::faster},
                     {1, verdict::slower},
                     {4, verdict::slower},
                     {8, verdict::equivalent},
                     {16, verdict::faster}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].faster_from == 16u);
  CHECK(all[0].slower_up_to == 4u);

  all = depths({{1, verdict::faster}, {8, verdict::inconclusive}});
  REQUIRE(all.size() == 1);
  CHECK_FALSE(all[0].faster_from);
  CHECK_FALSE(all[0].slower_up_to);

  CHECK(depths({{8, verdict::faster}}).empty());
}

TEST_CASE("a receiver may as well be the faster one below the crossing", "[experiment]") {
  const auto all = depths(
      {{1, verdict::faster}, {4, verdict::faster}, {8, verdict::slower}, {64, verdict::slower}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].faster_up_to == 4u);
  CHECK(all[0].slower_from == 8u);
  CHECK_FALSE(all[0].slower_up_to);
  CHECK_FALSE(all[0].faster_from);
  REQUIRE(all[0].points.size() == 4);
  CHECK(all[0].points[1].at == 4);
  CHECK(all[0].points[1].ratio == 1.25);
  CHECK(all[0].points[1].verdict == verdict::faster);
}

TEST_CASE("what is slower at both ends and faster between them is not slower up to the last",
          "[experiment]") {
  const auto all = depths({{1, verdict::slower}, {8, verdict::faster}, {64, verdict::slower}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].slower_up_to == 1u);
  CHECK(all[0].slower_from == 64u);
  CHECK_FALSE(all[0].faster_from);
}

TEST_CASE("a depth without a verdict is in the series, and ends what goes up to it",
          "[experiment]") {
  const auto all = depths({{1, verdict::slower}, {8, {}}, {16, verdict::faster}, {64, {}}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].points.size() == 4);
  CHECK_FALSE(all[0].points[3].verdict);
  CHECK(all[0].slower_up_to == 1u);
  CHECK_FALSE(all[0].faster_from);
}

TEST_CASE("a crossing over sockets is one for each load", "[experiment]") {
  record::run run;
  for (const std::uint64_t sockets : {64u, 1u}) {
    add(run, {.load = "rate:100k",
              .baseline_ns = 400,
              .word = sockets == 1 ? verdict::slower : verdict::faster,
              .depth = {}});
    for (auto& r : run.results)
      if (r.sockets == 1 && &r >= &run.results[run.results.size() - 2]) r.sockets = sockets;
    run.comparisons.back().sockets = sockets;
  }
  const auto all = find_crossings(run);
  REQUIRE(all.size() == 1);
  CHECK(all[0].over == "sockets");
  CHECK(all[0].load == "rate:100k");
  CHECK(all[0].slower_up_to == 1u);
  CHECK(all[0].faster_from == 64u);
}
