// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <udpbench/report/text.hpp>

#include <string>

using namespace examples;
using printed::has;
using printed::tables;
using printed::text;

namespace {} // namespace

TEST_CASE("where the rate was chosen the table is about CPU time, and the rate stands beside it",
          "[report]") {
  const std::string out = text(scheduled_run());
  CHECK(has(out, "rate:200k, 1 KiB: CPU time per datagram (ns), lower is better"));
  const auto t = tables(out).at(0);
  CHECK(t.rows.at("sync").at("CPU") == "1,320");
  CHECK(t.rows.at("async").at("CPU") == "1,716");
  CHECK(t.rows.at("async").at("ratio") == "1.300");
  CHECK(t.rows.at("(control)").at("ratio") == "1.001");
  CHECK(tables(out).at(1).rows.at("async").at("rate") == "200");
  CHECK_FALSE(has(out, "The ratios compare another figure"));
  CHECK_FALSE(has(out, "was the limit"));
}

TEST_CASE("the sender's mean gap stands beside the schedule's, with who paced it", "[report]") {
  const std::string out = text(scheduled_run());
  CHECK(has(
      out, "Paced by the program alone, a datagram every 5,000 ns; the sender's mean gap was 5,001 "
           "ns."));
  CHECK_FALSE(has(out, "The sender was late"));
  CHECK_FALSE(has(out, "fell behind"));
  CHECK_FALSE(has(text(default_run()), "Paced by"));
}

TEST_CASE("how much of the time the sender's thread ran stands beside its schedule", "[report]") {
  record::run run = scheduled_run();
  for (record::result& r : run.results)
    for (record::round& each : r.rounds) each.sender_cpu_share = 0.0042;
  CHECK(has(text(run), "mean gap was 5,001 ns; its thread ran for 0.42 % of the time."));
}

TEST_CASE("a lag is told where it matters: by more than 1 ms, or than a slot", "[report]") {
  CHECK(
      has(text(scheduled_run(5001, 3'200'000)),
          "The sender was late: in the median round 1 % of the datagrams by 3,200 µs or more, the "
          "latest of all by 6,440 µs."));
  CHECK_FALSE(has(text(scheduled_run(5001, 990'000)), "The sender was late"));
  record::run slow = scheduled_run(5001, 3'200'000);
  for (record::result& r : slow.results)
    for (record::round& each : r.rounds) each.pacing->period_ns = 1e9;
  CHECK_FALSE(has(text(slow), "The sender was late"));
}

TEST_CASE(
    "a sender that fell behind its schedule is named as the limit, and CPU time still compares",
    "[report]") {
  record::run run = scheduled_run(9000, 40'000'000);
  const std::string out = text(run);
  CHECK(has(out,
            "The sender fell behind its schedule, so the rate is what it could send, not what was "
            "asked for; CPU time per datagram still compares."));
  CHECK(tables(out).at(0).rows.at("async").at("ratio") == "1.300");
  CHECK_FALSE(has(out, "No ratio"));
  run.results[0].summary.limited_by.reset();
  CHECK(has(text(run), "fell behind its schedule for async, so"));
}

TEST_CASE("at a low rate what waiting costs is told", "[report]") {
  record::run slow = scheduled_run();
  CHECK_FALSE(has(text(slow), "what waiting costs"));
  for (record::result& r : slow.results)
    for (record::round& each : r.rounds) each.pacing->period_ns = 1e6;
  CHECK(has(text(slow), "At so low a rate CPU time per datagram has much of what waiting costs"));
}

TEST_CASE("a window tells how often it was full", "[report]") {
  record::run run = sender_limited_run();
  for (record::result& r : run.results) {
    r.load = "window:64";
    r.pacer = "window";
    for (record::round& each : r.rounds) {
      each.pacing.emplace();
      each.pacing->waited_share = 0.62;
    }
  }
  for (record::comparison& c : run.comparisons) c.load = "window:64";
  const std::string out = text(run);
  CHECK(has(out, "The window was full for 62.0 % of the time"));
  CHECK(has(out, "window:64, 1 KiB: datagrams received per second"));
  CHECK_FALSE(has(out, "Paced by"));
}

TEST_CASE("a receiver that a window waits for is no buffer that overflowed", "[report]") {
  record::run run = sender_limited_run();
  for (record::result& r : run.results) {
    r.load = "window:1";
    r.summary.limited_by = record::limit::receiver;
    r.summary.cpu_share = 0.2;
  }
  run.comparisons.front().load = "window:1";
  run.comparisons.front().limited_by = record::limit::receiver;
  const std::string out = text(run);
  CHECK(has(out, "The receivers were the limit, not the sender."));
  CHECK_FALSE(has(out, "overflowed"));
  for (record::result& r : run.results) {
    r.summary.loss = 0.01;
    r.summary.limited_by = record::limit::sender;
  }
  CHECK(has(text(run), "overflowed"));
}
