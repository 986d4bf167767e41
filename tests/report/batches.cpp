/** @file
    How many datagrams came together stands under the table, as the file has it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <udpbench/report/batch_sentences.hpp>

using namespace examples;
using printed::has;
using printed::text;
using udpbench::report::mean_together;
using udpbench::report::spread_words;

namespace {

/** Two receivers, of which the second counted 100 datagrams in 20 rounds, five in each. */
record::run run_with(const record::histograms& h) {
  record::run run = pair_run(1.41, 0.02, verdict::slower);
  for (record::round& r : run.results[1].rounds) r.counted = 5;
  run.results[1].histograms = h;
  return run;
}

} // namespace

TEST_CASE("the mean of what came together is that of all datagrams of the valid rounds",
          "[report]") {
  record::run run = run_with({.datagrams_per_wakeup = {{{1, 10}, {9, 10}}}});
  record::result& r = run.results[1];
  CHECK(mean_together(r, r.histograms.datagrams_per_wakeup) == 5);
  CHECK_FALSE(mean_together(r, r.histograms.datagrams_per_receive_call));
  CHECK_FALSE(mean_together(r, record::buckets()));
  r.rounds[3].valid = false;
  CHECK(*mean_together(r, r.histograms.datagrams_per_wakeup) == Approx(4.75));
}

TEST_CASE("beside the mean it is said how often a datagram came alone, and the most that came",
          "[report]") {
  using some = record::buckets;
  CHECK(spread_words(some{{1, 3}, {2, 1}, {64, 4}}) == " (1 in 37.5 %, at most 64)");
  CHECK(spread_words(some{{2, 1}, {128, 4}}) == " (at most 128)");
  CHECK(spread_words(some{{1, 1}, {129, 1}}) == " (1 in 50.0 %, up to more than 128)");
  CHECK(spread_words(some{{1, 1}, {512, 1}}) == " (1 in 50.0 %, up to more than 511)");
  CHECK(spread_words(some{{46, 100}}).empty());
  CHECK(spread_words(some{}).empty());
  CHECK(spread_words({}).empty());
}

TEST_CASE("wake-ups are told where they say more than the receive calls", "[report]") {
  const record::buckets wakeups{{1, 15}, {17, 5}};
  record::run run = run_with({.datagrams_per_wakeup = wakeups});
  CHECK(has(text(run), "Datagrams per wake-up: 5.0 for async (1 in 75.0 %, at most 17)."));
  CHECK_FALSE(has(text(run), "per receive call"));
  run.results[1].summary.datagrams_per_receive_call = 5;
  run.results[1].histograms.datagrams_per_receive_call = wakeups;
  CHECK(has(text(run), "Datagrams per receive call: 5.0 for async (1 in 75.0 %, at most 17)."));
  CHECK_FALSE(has(text(run), "per wake-up"));
  run.results[1].histograms.datagrams_per_receive_call = {{{1, 50}, {10, 5}}};
  CHECK(has(text(run), "Datagrams per wake-up: 5.0 for async"));
  CHECK_FALSE(has(text(pair_run(1.41, 0.02, verdict::slower)), "per wake-up"));
}
