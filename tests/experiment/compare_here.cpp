/** @file
    A comparison in one call, and what it looks at beside the receivers.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/experiment/overhead.hpp>

#include "catch.hpp"
#include "every_receiver.hpp"

#include <algorithm>
#include <cmath>

using namespace udpbench;
using namespace udpbench::experiment;

TEST_CASE("one call compares receivers here, and its record has the machine and the plan",
          "[experiment]") {
  plan p;
  p.receivers = {"sync", "async"};
  p.loads = {{.what = load_kind::backlog}};
  p.blocks = 2;
  p.count = 600;
  p.seed = 7;
  const auto run =
      compare(p, support::every_receiver(), {}, {.version = "1.2.3", .flags = "-O0"}, "a command");
  CHECK(run.error.empty());
  CHECK(run.complete);
  CHECK(run.context.version == "1.2.3");
  CHECK(run.context.command == "a command");
  CHECK(run.context.seed == 7);
  CHECK(run.context.overhead_ns > 0);
  CHECK(run.plan.receivers == p.receivers);
  CHECK(run.results.size() == 3);
  CHECK(run.comparisons.size() == 1);
  const auto& lacks = run.results.front().not_measured; // Under backlog, no rate.
  CHECK(std::any_of(lacks.begin(), lacks.end(), [](const auto& a) {
    return a.what == "received_per_second" || a.what == "summary";
  }));
}

TEST_CASE("a comparison that can't be made ends with a record that says why", "[experiment]") {
  plan p;
  p.receivers = {"sync"};
  p.loads = {{.what = load_kind::backlog}};
  p.sockets = {2};
  const auto run = compare(p, support::every_receiver());
  CHECK_FALSE(run.complete);
  CHECK(run.error.find("takes one socket") != std::string::npos);
}

TEST_CASE("a cpu that can't be had ends the comparison for the sender, its rounds for a receiver",
          "[experiment]") {
  plan p;
  p.receivers = {"sync"};
  p.loads = {{.what = load_kind::backlog}};
  p.blocks = 2;
  p.count = 600;
  p.pin.sender = 99'999;
  const auto sender = compare(p, support::every_receiver());
  CHECK_FALSE(sender.complete);
  CHECK(sender.error.starts_with("cpu 99999: no thread can be bound to it"));
  p.pin = {.sender = {}, .receiver = 99'999};
  const auto receiver = compare(p, support::every_receiver());
  std::string told;
  for (const auto& warning : receiver.warnings) told += warning + "\n";
  INFO(told);
  CHECK(told.find("cpu 99999: no thread can be bound to it") != std::string::npos);
}

TEST_CASE("a round tells how much of the time its sender ran", "[experiment]") {
  plan p;
  p.receivers = {"sync"};
  p.loads = {{.what = load_kind::flood}};
  p.blocks = 2;
  p.count = 2000;
  const auto run = compare(p, support::every_receiver());
  REQUIRE_FALSE(run.results.empty());
  const auto share = run.results.front().rounds.front().sender_cpu_share;
  CHECK(share.value_or(0) > 0);
  CHECK(share.value_or(2) < 1.5);
}

TEST_CASE("what changed meanwhile is told, and settings that changed make the run suspect",
          "[experiment]") {
  experiment::detail::look_around before;
  before.findings = {{.subject = "receive buffer", .found = "4 MiB."},
                     {.subject = "load", .found = "0.1."}};
  auto after = before;
  record::run run;
  experiment::detail::note_changes(run, before, after);
  CHECK(run.context.changes.empty());
  CHECK(run.suspect.empty());
  after.findings[0].found = "1 MiB.";
  after.findings[1].found = "3.0.";
  experiment::detail::note_changes(run, before, after);
  REQUIRE(run.context.changes.size() == 1);
  CHECK(run.context.changes.front() == "receive buffer changed. Before: 4 MiB. After: 1 MiB.");
  REQUIRE(run.suspect.size() == 1);
  CHECK(run.suspect.front().load.empty());
  CHECK(run.suspect.front().reason == run.context.changes.front());
}

TEST_CASE("the instrument measures what it costs itself", "[experiment]") {
  const double cost = instrument_overhead(50);
  CHECK(std::isfinite(cost));
  CHECK(cost > 0);
}
