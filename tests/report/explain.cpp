// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <udpbench/report/explain.hpp>

#include <cstddef>
#include <string>

using namespace examples;
using printed::has;

namespace {

/** All sentences about a table of the run. */
std::string meaning(const record::run& run, std::size_t table = 0) {
  const auto all = udpbench::report::groups(run);
  std::string out;
  for (const std::string& sentence : udpbench::report::explain(run, all.at(table))) {
    out += (out.empty() ? "" : " ") + sentence;
  }
  return out;
}

} // namespace

TEST_CASE("what only the number of comparisons keeps open is said to be that, not a matter of size",
          "[report]") {
  const auto text = meaning(pair_run(1.85, 0.003, verdict::inconclusive, qualifier::below_level));
  CHECK(has(text, "if it is taken alone, but not at the level that so many comparisons ask for"));
  CHECK_FALSE(has(text, "stays open"));
}

TEST_CASE("slower is told with ratio, interval and the reason that the name tells", "[report]") {
  CHECK(meaning(pair_run(1.41, 0.02, verdict::slower, qualifier::beyond_margin)) ==
        "async costs 1.41 × sync per datagram here (1.38 to 1.44): on epoll each datagram takes a "
        "pass through the "
        "scheduler and an epoll_wait beside the receive itself.");
}

TEST_CASE("no reason is told for a receiver that nothing is known of", "[report]") {
  record::run run = pair_run(1.41, 0.02, verdict::slower);
  run.plan.receivers[1] = run.results[1].receiver = run.comparisons[0].receiver = "mine";
  CHECK(meaning(run) == "mine costs 1.41 × sync per datagram here (1.38 to 1.44).");
  run = pair_run(1.41, 0.02, verdict::slower);
  run.results[1].backend = "io_uring";
  CHECK_FALSE(has(meaning(run), "epoll"));
}

TEST_CASE("no reason is told where both pay the same price", "[report]") {
  record::run run = pair_run(1.05, 0.01, verdict::slower);
  run.plan.receivers = {"async", "async/heap"};
  run.results[0].receiver = run.results[2].receiver = run.comparisons[0].baseline = "async";
  run.results[1].receiver = run.comparisons[0].receiver = "async/heap";
  CHECK_FALSE(has(meaning(run), "epoll"));
}

TEST_CASE("faster is told with the reason too", "[report]") {
  record::run run = pair_run(0.79, 0.01, verdict::faster);
  run.plan.receivers[1] = run.results[1].receiver = run.comparisons[0].receiver = "async+batch32";
  CHECK(meaning(run) ==
        "async+batch32 costs 0.79 × sync per datagram here (0.78 to 0.80): several datagrams are "
        "taken with one system call.");
  run = pair_run(0.7, 0.01, verdict::faster);
  run.plan.receivers = {"async", "sync"};
  run.results[0].receiver = run.results[2].receiver = run.comparisons[0].baseline = "async";
  run.results[1].receiver = run.comparisons[0].receiver = "sync";
  CHECK(has(meaning(run),
            "sync costs 0.70 × async per datagram here (0.69 to 0.71): it spares the pass"));
}

TEST_CASE("a ratio near 1 is told with three decimals", "[report]") {
  CHECK(has(meaning(pair_run(1.049, 0.008, verdict::slower)),
            "1.049 × sync per datagram here (1.041 to 1.057)"));
}

TEST_CASE("several receivers are told in one sentence, and whether batching makes up for it",
          "[report]") {
  const std::string text = meaning(default_run(), 0);
  CHECK(has(text, "async costs 1.41 × sync per datagram here (1.38 to 1.44), coroutine 1.55 × "
                  "(1.52 to 1.58) and "
                  "async+drain 1.049 × (1.041 to 1.057). For async and coroutine: on epoll"));
  CHECK(has(
      text,
      "Of what async falls behind, draining the socket (async+drain) makes up a part and batching "
      "(async+batch) makes up more than all."));
}

TEST_CASE("what batching makes up follows from its verdict and its interval", "[report]") {
  record::run run = default_run();
  record::comparison& batch = run.comparisons[3];
  REQUIRE(batch.receiver == "async+batch");
  const auto says = [&](verdict word, double ratio, const char* words) {
    batch.verdict = word;
    batch.ratio = ratio;
    batch.ci = {{ratio * 0.99, ratio * 1.01}};
    INFO(meaning(run, 0));
    return has(meaning(run, 0), std::string{"batching (async+batch) makes up "} + words + '.');
  };
  CHECK(says(verdict::faster, 0.8, "more than all"));
  CHECK(says(verdict::equivalent, 1.001, "all"));
  CHECK(says(verdict::slower, 1.03, "nearly all"));
  CHECK(says(verdict::slower, 1.2, "a part"));
  CHECK(says(verdict::slower, 1.41, "nothing"));
  CHECK(says(verdict::slower, 1.6, "nothing"));
  CHECK(says(verdict::inconclusive, 1.03, "at least a part"));
  CHECK(says(verdict::inconclusive, 1.40, "perhaps a part"));
}

TEST_CASE("heap memory is told with the measured count", "[report]") {
  record::run run = pair_run(1.5, 0.01, verdict::slower);
  run.plan.receivers[1] = run.results[1].receiver = run.comparisons[0].receiver = "async/heap";
  run.results[1].summary.allocations_per_datagram = 1;
  CHECK(has(meaning(run), "Per datagram async/heap allocates 1.00 times from the heap."));
  run.results[1].summary.allocations_per_datagram.reset();
  CHECK_FALSE(has(meaning(run), "heap."));
}

TEST_CASE("equivalent is a difference ruled out and not an equality", "[report]") {
  CHECK(meaning(pair_run(1.003, 0.004, verdict::equivalent)) ==
        "async is equivalent to sync: a difference of more than 2 % is ruled out.");
  CHECK(meaning(pair_run(1.008, 0.004, verdict::equivalent, qualifier::below_margin)) ==
        "async is equivalent to sync: a difference of more than 2 % is ruled out, a smaller one is "
        "shown.");
}

TEST_CASE("inconclusive is open, with the blocks that would settle it", "[report]") {
  record::run run = pair_run(1.03, 0.05, verdict::inconclusive);
  run.comparisons[0].blocks_needed = 120;
  CHECK(meaning(run) ==
        "Whether async is slower or faster than sync stays open (0.978 to 1.082); about 120 blocks "
        "would settle it.");
}

TEST_CASE("a direction without a size is told as one", "[report]") {
  CHECK(meaning(pair_run(1.02, 0.01, verdict::inconclusive, qualifier::direction_only)) ==
        "async is slower than sync (1.010 to 1.030), but whether by more than 2 % stays open.");
  CHECK(has(meaning(pair_run(0.98, 0.01, verdict::inconclusive, qualifier::direction_only)),
            "async is faster"));
}

TEST_CASE("a lower rate is slower and a higher one faster", "[report]") {
  record::run run = default_run();
  CHECK(has(meaning(run, 1), "async+drain is slower than sync (0.953 to 0.985)"));
  CHECK(has(meaning(run, 1),
            "async receives 0.82 × as much as sync here (0.80 to 0.84) and coroutine 0.78 ×"));
}

TEST_CASE("a difference within the noise is called that", "[report]") {
  CHECK(meaning(pair_run(1.04, 0.01, verdict::inconclusive, qualifier::noise_floor)) ==
        "async differs from sync (1.030 to 1.050) no more than sync differs from itself in this "
        "run.");
}

TEST_CASE("a suspect control takes the place of every verdict", "[report]") {
  record::run run = pair_run(1.41, 0.01, verdict::slower);
  run.comparisons[0].control = {1.03, {{1.025, 1.035}}, verdict::slower, true};
  CHECK(has(meaning(run),
            "This table is suspect: sync compared with itself gives 1.030 (1.025 to 1.035)"));
  CHECK_FALSE(has(meaning(run), "costs"));
}

TEST_CASE("what held the rate of a flood is told", "[report]") {
  CHECK(has(meaning(default_run(), 1), "The receivers were the limit, not the sender."));
  CHECK(meaning(sender_limited_run()) ==
        "The sender was the limit, so the rates don't tell what a receiver can take. What still "
        "compares is CPU time "
        "per datagram: sync 1,320 ns and async+batch 1,110 ns. The median round lost nothing.");
  record::run mixed = sender_limited_run();
  mixed.results[0].summary.limited_by = record::limit::receiver;
  CHECK(has(meaning(mixed), "The sender was the limit for async+batch, so that rate doesn't tell"));
}

TEST_CASE("losses are compared in percentage points, and alike within half a point", "[report]") {
  CHECK(has(
      meaning(default_run(), 1),
      "sync lost 0.68 % of what was sent, async 33.1 % (32.4 percentage points more) and coroutine "
      "39.1 % "
      "(38.4 more); async+drain and async+batch lost as much, to within half a percentage point."));
  record::run run = shared_cpu_run();
  run.results[1].summary.loss = 0.3;
  judge_losses(run);
  CHECK(has(meaning(run), "(10.2 percentage points fewer)"));
  run.results[1].summary.loss = 0.402 + 0.0049;
  judge_losses(run);
  CHECK(has(meaning(run), "; async lost as much"));
  run.results[1].summary.loss = 0.402 + 0.0051;
  judge_losses(run);
  CHECK(has(meaning(run), "async 40.7 % (0.5 percentage points more)"));
  run.results[1].summary.loss = 0.3;
  judge_losses(run);
  CHECK(has(meaning(run),
            "sync lost 40.2 % of what was sent, async 30.0 % (10.2 percentage points fewer)."));
  run.comparisons[0].loss.verdict = udpbench::statistics::loss_verdict::inconclusive;
  CHECK(has(meaning(run),
            "sync lost 40.2 % of what was sent; whether async 30.0 % lost another share "
            "stays open."));
}

TEST_CASE("one cpu for both ends gives no reason and no limit", "[report]") {
  CHECK(meaning(shared_cpu_run()) == "async receives 0.75 × as much as sync here (0.73 to 0.77). "
                                     "sync lost 40.2 % of what was sent, async 58.3 % "
                                     "(18.1 percentage points more).");
}

TEST_CASE("an interrupted run is told to rest on fewer blocks", "[report]") {
  CHECK(meaning(interrupted_run()) ==
        "There are too few valid blocks to tell async from sync. All this rests on 3 of "
        "20 blocks, since the run was interrupted.");
}

TEST_CASE("an overflowing buffer of a thread that mostly slept is told", "[report]") {
  record::run run = default_run();
  for (record::result& r : run.results) {
    if (r.load != "flood" || r.receiver != "async") continue;
    r.summary.cpu_share = 0.107;
    r.summary.limited_by = record::limit::sender;
  }
  CHECK(has(meaning(run, 1),
            "The receive buffer overflowed though the receiving thread ran only a part of the time "
            "(10.7 % for async)"));
  CHECK(has(meaning(run, 1),
            "For sync, coroutine, async+drain and async+batch the receiver was the limit."));
  CHECK_FALSE(has(meaning(run, 1), "epoll")); // the cause may be another
  CHECK(has(meaning(run, 0), "epoll"));
  CHECK_FALSE(has(meaning(default_run(), 1), "overflowed"));
  CHECK_FALSE(has(meaning(sender_limited_run()), "overflowed"));
}

TEST_CASE("one receiver is told without a comparison", "[report]") {
  record::run run = pair_run(1, 0, verdict::equivalent);
  run.comparisons.clear();
  run.results.resize(1);
  run.plan.receivers = {"sync"};
  CHECK(
      meaning(run) ==
      "sync takes 620 ns to receive a queued datagram, so one thread takes at most about 1,613 k/s "
      "this way, before it does anything with them. There is no second receiver to compare it "
      "with.");
}

TEST_CASE("where nothing is valid nothing is said", "[report]") {
  record::run run = invalid_run();
  for (record::result& r : run.results) r.summary = {};
  CHECK(meaning(run) == "No valid round, so nothing can be said.");
}

TEST_CASE("what is suspect is a caution", "[report]") {
  CHECK(has(meaning(invalid_run()),
            "This table is suspect, so all this may not hold: measure again."));
}

TEST_CASE("the baseline's figures may be missing", "[report]") {
  record::run run = default_run();
  for (record::result& r : run.results) {
    if (r.receiver == "sync") r.summary = {};
  }
  for (record::comparison& c : run.comparisons) {
    c.ratio.reset();
    c.ci.reset();
    c.verdict.reset();
    c.control = {};
  }
  CHECK(meaning(run, 0) == "There is no ratio to draw a conclusion from.");
  CHECK_FALSE(has(meaning(run, 1), "lost"));
}
