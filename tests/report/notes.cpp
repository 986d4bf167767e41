/** @file
    What a reader has to know beside the figures stands under their table.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <string>

using namespace examples;
using printed::has;
using printed::tables;
using printed::text;

TEST_CASE("both ends on one cpu is said with what the kernel dropped", "[report]") {
  const std::string out = text(shared_cpu_run());
  CHECK(has(
      out,
      "Sender and receiver share one cpu, so this measures the scheduler as much as the receivers: "
      "of what was sent, the kernel dropped 40.2 % for sync and 58.3 % for async."));
  CHECK_FALSE(has(out, "epoll_wait"));
}

TEST_CASE("invalid rounds are told with their number, reason, places, ledger and counters",
          "[report]") {
  const std::string out = text(invalid_run());
  CHECK(has(out, "20 of 20 blocks are invalid and don't count."));
  CHECK(has(out, "1 invalid round: the ledger does not balance (async in block 7). Its ledger: "
                 "sent 20,000 = unique "
                 "19,990 + unread 0 + dropped by the kernel 7 + unexplained 3; the system counted "
                 "udp_in_errors 3 and "
                 "udp_memory_errors 3."));
  CHECK(has(out, "- 20 invalid rounds: the thread had 91 % of its cpu (coroutine in blocks 0, 1, "
                 "2, 3 and 16 more). "
                 "What this means"));
  CHECK(has(out, "suspect: more than 5 % of the blocks are invalid"));
}

TEST_CASE("rounds that are invalid for another's sake are not told as causes", "[report]") {
  record::run run = pair_run(1.41, 0.02, verdict::slower);
  for (record::result& r : run.results) {
    r.rounds[5].valid = false;
    r.rounds[5].reason = "another round of its block is invalid: late";
  }
  run.results[1].rounds[5].reason = "late";
  const std::string out = text(run);
  CHECK(has(out, "1 of 20 blocks is invalid and doesn't count."));
  CHECK(has(out, "1 invalid round: late (async in block 5)."));
  CHECK_FALSE(has(out, "another round"));
}

TEST_CASE("many reasons are not all printed", "[report]") {
  record::run run = pair_run(1.41, 0.02, verdict::slower);
  for (record::round& r : run.results[1].rounds) {
    r.valid = false;
    r.reason = "the thread had " + std::to_string(r.block) + " % of its cpu";
  }
  const std::string out = text(run);
  std::size_t told = 0;
  for (std::size_t at = 0; (at = out.find("1 invalid round", at)) != out.npos; ++at) ++told;
  CHECK(told == 5);
  CHECK(has(out, "There are 15 more reasons."));
}

TEST_CASE("what speaks against a table stands over it, what speaks against the run at its head",
          "[report]") {
  record::run run = default_run();
  CHECK_FALSE(has(text(run), "suspect"));
  run.suspect.push_back({"flood", 1024, 1, "", "the ratio of async to sync drifted"});
  const std::string one = text(run);
  CHECK(one.find("suspect: the ratio of async to sync drifted") > one.find("flood"));
  CHECK(has(one, "This table is suspect, so all this may not hold: measure again."));
  run.suspect = {{"", 0, 1, "", "The governor of cpu 1 changed."}};
  const std::string whole = text(run);
  CHECK(whole.find("suspect: The governor of cpu 1 changed.") < whole.find("------"));
}

TEST_CASE("what changed on the machine meanwhile is told", "[report]") {
  record::run run = default_run();
  run.context.changes = {"The governor of cpu 1 changed from performance to powersave."};
  CHECK(has(text(run), "meanwhile: The governor of cpu 1 changed from performance to powersave."));
}

TEST_CASE("depth and capacity of the backlog are told", "[report]") {
  record::run run = default_run();
  CHECK(has(text(run), "64 datagrams queued at a time, then taken; no sender runs meanwhile; "
                       "the receive buffer was measured to hold 3,616."));
  for (record::result& r : run.results) r.depth = r.capacity = std::nullopt;
  run.plan.depth = 16;
  CHECK(has(text(run), "16 datagrams queued at a time, then taken; no sender runs meanwhile."));
}

TEST_CASE("how a backlog was filled is told unless it was one by one, and what GRO found in that",
          "[report]") {
  record::run run = pair_run(1.41, 0.02, verdict::slower);
  CHECK_FALSE(has(text(run), "GRO"));
  CHECK_FALSE(has(text(run), "filled"));
  for (record::result& r : run.results) {
    r.depth = 46;
    r.capacity = 114;
    if (r.receiver == "async") r.receiver = "async+gro";
  }
  run.comparisons.front().receiver = "async+gro";
  CHECK(has(text(run),
            "GRO finds nothing to join in single sends; --send segmented fills by trains."));
  run.plan.fill = run.plan.send = "segmented";
  for (record::result& r : run.results) r.send = "segmented";
  const std::string out = text(run);
  CHECK(has(out, "46 datagrams queued at a time by segmented sends (UDP_SEGMENT), then taken; no "
                 "sender runs meanwhile; the receive buffer was measured to hold 114 of these."));
  CHECK(has(out, "On loopback GRO passes the sender's own segments through: its best case."));
  CHECK_FALSE(has(out, "nothing to join"));
  CHECK(has(out, "; backlog filled by segmented sends (UDP_SEGMENT); margin 2 %"));
}

TEST_CASE("mixed sizes are told where sizes are, with what they leave of trains", "[report]") {
  record::run run = default_run();
  CHECK_FALSE(has(text(run), "mixed"));
  run.plan.mixed_from = 32;
  const std::string out = text(run);
  CHECK(has(out, "backlog, mixed sizes up to 1 KiB: "));
  CHECK(has(out, "backlog, flood; mixed sizes up to 1 KiB; "));
  CHECK(has(out, "Each datagram has a size of its own, drawn from 32 B to 1 KiB, the same for "
                 "each receiver."));
  for (record::result& r : run.results)
    for (record::round& each : r.rounds) each.send_calls = each.sent * 2 / 3;
  CHECK(has(text(run), "the same for each receiver; a train has equal ones but for a shorter last, "
                       "so it came to 1.5 datagrams on the mean."));
}

TEST_CASE("busy polling is told as asked for and as granted", "[report]") {
  record::run run = default_run();
  CHECK_FALSE(has(text(run), "busy polling"));
  const std::string name = run.results.front().receiver;
  run.results.front().busy_poll = record::busy_poll{.requested_us = 50, .granted_us = 20};
  CHECK(has(text(run), name + " asked the kernel for 50 µs of busy polling and got 20; within one "
                              "host there is no device to poll."));
  run.results.front().busy_poll->granted_us.reset();
  CHECK(has(text(run), name + " asked the kernel for 50 µs of busy polling; within one host"));
}

TEST_CASE("a ratio of sums is told only where it differs by more than the margin", "[report]") {
  record::run run = pair_run(1.4, 0.005, verdict::slower);
  run.comparisons.front().ratio_of_sums = 1.4 * 1.019;
  CHECK_FALSE(has(text(run), "By totals"));
  run.comparisons.front().ratio_of_sums = 1.4 * 1.021;
  CHECK(has(text(run),
            "By totals instead of medians the ratio is another, by more than 2 %: async 1.429."));
  run.comparisons.front().ratio_of_sums = 1.4 / 1.021;
  CHECK(has(text(run), "async 1.371."));
}

TEST_CASE("a precision that was not reached is told", "[report]") {
  CHECK_FALSE(has(text(pair_run(1.4, 0.009, verdict::slower)), "Precision"));
  CHECK(
      has(text(pair_run(1.4, 0.011, verdict::slower)), "Precision of 1 % not reached for async."));
}

TEST_CASE("datagrams without sequence numbers are told of", "[report]") {
  record::run run = default_run();
  CHECK_FALSE(has(text(run), "without sequence numbers"));
  for (record::result& r : run.results) r.sequenced = false;
  CHECK(has(text(run), "Counted without sequence numbers"));
}

TEST_CASE("what was not counted or not sent is told", "[report]") {
  record::run run = shared_cpu_run();
  run.results[0].rounds[0].foreign = 1;
  run.results[0].rounds[1].late = 2;
  run.results[1].rounds[0].truncated = 3;
  run.results[1].rounds[2].intended += 5;
  run.results[1].rounds[3].old = 4;
  run.results[0].rounds[4].duplicate = 6;
  run.results[1].rounds[4].reordered = 7;
  const std::string out = text(run);
  CHECK(has(out, "Arrived but not counted: 1 of another program, 2 of an earlier round and 4 too "
                 "far behind to be told from duplicates."));
  CHECK(has(out, "Duplicates: 6; they make up for no loss."));
  CHECK(has(out, "Out of order: 7; they count as received."));
  CHECK(has(out, "3 datagrams did not fit into the receiver's buffer."));
  CHECK(has(out, "Not accepted by a send call: 5 of 800,005 datagrams; they count neither"));
}

TEST_CASE("why datagrams were not sent is told", "[report]") {
  record::run run = shared_cpu_run();
  record::round& round = run.results[1].rounds[2];
  round.intended += 6;
  round.send_refused = 3;
  const auto told = [&](const std::string& why) {
    return has(text(run), "Not accepted by a send call: 6 of 800,006 datagrams (" + why +
                              "); they count neither as sent nor as lost.");
  };
  CHECK(told("3 because the receiver's port was closed"));
  round.send_full = 2;
  round.send_failed = 1;
  CHECK(told("3 because the receiver's port was closed, 2 for want of room on the sender's host "
             "and 1 for other reasons"));
}

TEST_CASE("no loss in twenty rounds still allows for one in seven", "[report]") {
  CHECK(has(text(sender_limited_run()),
            "No loss in 20 rounds of sync and async+batch: with 95 % confidence at "
            "most 14 % of such rounds lose any."));
}

TEST_CASE("one lossy round is enough not to be called lossless", "[report]") {
  record::run run = sender_limited_run();
  run.results[0].rounds[11].unique -= 1;
  CHECK(has(text(run), "No loss in 20 rounds of async+batch:"));
}

TEST_CASE("loss is told with its interval where the record has one", "[report]") {
  record::run run = shared_cpu_run();
  run.results[0].summary.loss_ci = {{0.38, 0.41}};
  run.results[0].summary.pooled_loss = 0.405;
  CHECK(has(text(run),
            "Loss from round to round: sync 38.0 % to 41.0 % (all rounds together 40.5 %)."));
}

TEST_CASE("rounds without a receiver's work are told with what they decided, each kind by itself",
          "[report]") {
  record::run run = default_run();
  CHECK_FALSE(has(text(run), "without a receiver's work"));
  for (record::result& r : run.results) {
    if (r.load != "flood") continue;
    if (r.receiver == "async" || r.receiver == "coroutine") r.without_work = {1'302'400, 0.9991};
    if (r.receiver == "async+batch") r.without_work = {4'810'000, 1.002};
  }
  const std::string out = text(run);
  CHECK(has(out, "What was the limit for async and coroutine was decided by rounds without a "
                 "receiver's work: of 1,302 k/s offered 99.9 % arrived."));
  CHECK(has(out, "What was the limit for async+batch was decided by rounds without a receiver's "
                 "work: of 4,810 k/s offered 100.0 % arrived."));
}
