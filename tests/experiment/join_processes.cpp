/** @file
    Several processes count as so many values, whatever happened within each.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/experiment/join_processes.hpp>

#include "catch.hpp"
#include "scripted_place.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace udpbench;
using namespace udpbench::experiment;
using statistics::verdict;

namespace {

/** One process whose receiver costs so many times the baseline, in every block alike. */
record::run process(double ratio, load::kind kind = load::kind::backlog) {
  scripted_place where;
  where.cost = [ratio](const std::string& r, std::size_t) { return r == "b" ? 500 * ratio : 500; };
  auto p = plan_for({"a", "b"}, kind);
  p.blocks = 6;
  return run_scripted(p, where);
}

std::vector<record::run> processes(const std::vector<double>& ratios) {
  std::vector<record::run> all;
  for (const double ratio : ratios) all.push_back(process(ratio));
  return all;
}

} // namespace

TEST_CASE("a difference that is a matter of the process is not called one of the receiver",
          "[experiment]") {
  // In each process alone the interval excludes 1.
  const auto parts = processes({1.05, 0.95, 1.06, 0.94, 1.05, 0.96, 1.04, 0.95});
  for (const auto& part : parts) CHECK(part.comparisons.front().verdict != verdict::equivalent);
  const auto run = join_processes(parts);
  REQUIRE(run.comparisons.size() == 1);
  const auto& c = run.comparisons.front();
  CHECK(c.verdict == verdict::inconclusive);
  CHECK((*c.ci)[0] < 1);
  CHECK((*c.ci)[1] > 1);
  CHECK(c.processes == 8);
  CHECK(c.blocks == 48);
  CHECK(run.results.front().not_measured.size() > 0);
  REQUIRE(c.not_measured.size() == 1);
  CHECK(c.not_measured.front().what == "loss");
}

TEST_CASE("a difference in all processes is called one", "[experiment]") {
  const auto run = join_processes(processes({1.10, 1.11, 1.12, 1.10, 1.09, 1.10}));
  const auto& c = run.comparisons.front();
  CHECK(c.verdict == verdict::slower);
  CHECK(*c.ratio == Approx(1.10).epsilon(0.002));
  CHECK((*c.ci)[0] == Approx(1.09).epsilon(0.002));
  CHECK((*c.ci)[1] == Approx(1.12).epsilon(0.002));
  CHECK(*c.hodges_lehmann == Approx(1.102).epsilon(0.003));
  CHECK(c.control.verdict == verdict::equivalent);
}

TEST_CASE("whether a precision is reached is told by the interval over the processes",
          "[experiment]") {
  // Each process alone knows its ratio to the last digit.
  auto parts = processes({1.10, 1.11, 1.12, 1.10, 1.09, 1.10});
  CHECK_FALSE(join_processes(parts).comparisons.front().precision_reached);
  parts.front().plan.precision = 0.02;
  CHECK(join_processes(parts).comparisons.front().precision_reached == true);
  parts.front().plan.precision = 0.01;
  CHECK(join_processes(parts).comparisons.front().precision_reached == false);
}

TEST_CASE("rounds say which process they ran in, and summaries are over all of them",
          "[experiment]") {
  const auto run = join_processes(processes({1.0, 2.0, 3.0}));
  CHECK(run.plan.processes == 3);
  const auto& b = run.results[1];
  REQUIRE(b.rounds.size() == 18);
  for (std::size_t i = 0; i < b.rounds.size(); ++i) CHECK(b.rounds[i].process == i / 6);
  CHECK(*b.summary.ns_per_datagram == Approx(1000).epsilon(0.01));
  CHECK(run.results.size() == 3);
}

TEST_CASE("histograms are those of all processes, also where one has none", "[experiment]") {
  auto parts = processes({1.0, 1.0, 1.0});
  parts[1].results[0].histograms.lag_ns = {{30, 2}};
  parts[2].results[0].histograms.lag_ns = {{20, 1}, {30, 5}};
  const auto run = join_processes(parts);
  CHECK(run.results[0].histograms.lag_ns == measure::buckets{{20, 1}, {30, 7}});
  CHECK_FALSE(run.results[1].histograms.lag_ns);
}

TEST_CASE("what rounds were held against is that of the first process which has it",
          "[experiment]") {
  auto parts = processes({1.0, 1.0, 1.0});
  parts[1].results[1].without_work = {1e6, 0.5};
  parts[2].results[1].without_work = {2e6, 0.25};
  const auto run = join_processes(parts);
  CHECK_FALSE(run.results[0].without_work);
  CHECK(run.results[1].without_work.value().part_taken == 0.5);
}

TEST_CASE("where a process has no ratio the whole has none, and the reason is told",
          "[experiment]") {
  auto parts = processes({1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1});
  parts[3].comparisons.front().ratio.reset();
  parts[3].comparisons.front().reason = "no valid block";
  const auto run = join_processes(parts);
  const auto& c = run.comparisons.front();
  CHECK_FALSE(c.ratio);
  CHECK_FALSE(c.verdict);
  CHECK(c.reason == "no valid block");
}

TEST_CASE("of a rate, more is better over processes, too", "[experiment]") {
  std::vector<record::run> parts;
  for (int i = 0; i < 6; ++i) parts.push_back(process(0.8, load::kind::flood));
  const auto run = join_processes(parts);
  CHECK(run.comparisons.front().verdict == verdict::faster);
  CHECK(*run.comparisons.front().ratio == Approx(1.25).epsilon(0.01));
}

TEST_CASE("a control that differs over the processes makes the whole suspect", "[experiment]") {
  auto parts = processes({1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1});
  for (auto& part : parts) part.comparisons.front().control.ratio = 1.06;
  const auto run = join_processes(parts);
  REQUIRE(run.suspect.size() == 1);
  CHECK(run.suspect.front().reason == "the control differs from the baseline, though both are a");
  CHECK(run.comparisons.front().control.suspect);
}

TEST_CASE("a ratio that is one in the first processes and another in the last ones is suspect",
          "[experiment]") {
  const auto run = join_processes(
      processes({1.20, 1.21, 1.20, 1.22, 1.21, 1.20, 1.1, 1.1, 1.11, 1.1, 1.1, 1.1}));
  REQUIRE(run.suspect.size() == 1);
  CHECK_THAT(run.suspect.front().reason, Catch::Contains("drifted: it was 9 % lower"));
  // So they differ, but in no order.
  CHECK(
      join_processes(processes({1.20, 1.1, 1.21, 1.1, 1.20, 1.1, 1.22, 1.1, 1.21, 1.1, 1.20, 1.1}))
          .suspect.empty());
}

TEST_CASE("what one process says of the machine, an error or an interrupt holds for the whole",
          "[experiment]") {
  auto parts = processes({1.1, 1.1});
  parts[1].suspect.push_back({"", 0, 1, "", "The governor changed."});
  parts[1].suspect.push_back({"backlog", 1024, 1, "", "the ratio drifted"});
  parts[1].context.changes = {"The governor changed."};
  parts[1].warnings = {"b failed: why."};
  parts[1].error = "no memory";
  parts[1].complete = false;
  const auto run = join_processes(parts);
  REQUIRE(run.suspect.size() == 1);
  CHECK(run.suspect.front().reason == "The governor changed.");
  CHECK(run.context.changes.size() == 1);
  CHECK(run.warnings == parts[1].warnings);
  CHECK(run.error == "no memory");
  CHECK_FALSE(run.complete);
}
