/** @file
    What is said of several threads: what they share, how the datagrams were spread, and on how many cpus they ran.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "printed_table.hpp"
#include "threads_example.hpp"

#include <udpbench/report/thread_sentences.hpp>

#include <string>

using namespace examples;
using printed::has;
using printed::text;

TEST_CASE("a table says how many threads its receivers have, and the head where they run",
          "[report]") {
  record::run run = threads_run();
  CHECK(has(text(run), "flood, 1 KiB, 2 threads: datagrams received per second"));
  CHECK(has(text(run), "sender on cpu 0; receiving threads on cpus 1, 2 and 3"));
  run.plan.pin.receivers = {1};
  CHECK(has(text(run), "sender on cpu 0; receiving threads on cpu 1"));
  CHECK_FALSE(has(text(default_run()), "threads"));
}

TEST_CASE("the spread over threads is told, from the busiest to the idlest, as medians of rounds",
          "[report]") {
  record::run run = threads_run();
  CHECK(has(text(run), "a hash spreads 32 flows over them. The busiest and the idlest got, of an "
                       "even 50.0 %: sync 60.0 % and 40.0 % (medians of the rounds)."));
  CHECK(has(text(run), "2 threads of async.shared run one context with one socket"));
  CHECK_FALSE(has(text(run), "got nothing"));
  auto& rounds = run.results.front().rounds;
  rounds[0].per_thread = {1000, 0};
  rounds[3].per_thread = {0, 1000};
  CHECK(has(text(run), "In 2 of 20 rounds of sync a thread got nothing."));
  rounds[3].valid = false;
  CHECK(has(text(run), "In 1 of 19 rounds of sync a thread got nothing."));
}

TEST_CASE("a receiver without a valid round isn't said to share a context", "[report]") {
  record::run run = threads_run();
  for (record::round& each : run.results.front().rounds) each.valid = false;
  CHECK_FALSE(has(text(run), "of sync and async.shared run one context"));
  CHECK_FALSE(has(text(run), "The busiest"));
}

TEST_CASE("more threads than cpus are said to show what they cost, and not what they gain",
          "[report]") {
  record::run run = threads_run();
  CHECK_FALSE(has(text(run), "between them"));
  run.plan.pin.receivers = {1};
  CHECK(has(text(run), "2 threads have 1 cpu between them here, so this shows what several threads "
                       "cost and not what they gain."));
  run.plan.pin = {.sender = 0, .receiver = 1};
  CHECK(has(text(run), "2 threads have 1 cpu between them"));
  run.plan.pin = {.sender = {}, .receiver = {}};
  CHECK_FALSE(has(text(run), "between them"));
}

TEST_CASE("the spread is empty where no valid round tells it", "[report]") {
  record::result r;
  CHECK_FALSE(udpbench::report::spread_of(r).has_value());
  r.rounds.resize(3);
  CHECK_FALSE(udpbench::report::spread_of(r).has_value());
  r.rounds[0].per_thread = {0, 0};
  r.rounds[1].per_thread = {1, 3};
  r.rounds[1].valid = false;
  CHECK_FALSE(udpbench::report::spread_of(r).has_value());
  r.rounds[2].per_thread = {3, 1, 0};
  const auto s = udpbench::report::spread_of(r);
  REQUIRE(s.has_value());
  CHECK(s->most == 0.75);
  CHECK(s->least == 0);
  CHECK(s->rounds == 1);
  CHECK(s->without == 1);
}
