/** @file
    Runs as they come out of an experiment, to be reported.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace examples {

namespace record = udpbench::record;
using udpbench::statistics::qualifier;
using udpbench::statistics::verdict;

inline record::run empty_run() {
  record::run r;
  r.experiment = "compare";
  r.context.version = "0.1.0";
  r.context.build_type = "Release";
  r.context.boost = "1.81.0";
  r.context.kernel = "6.18.5";
  r.context.cpu = "Example CPU @ 2.60GHz";
  r.context.cpus = 2;
  r.context.virtualised = true;
  r.context.rmem_max = 4194304;
  r.context.clock_resolution_ns = 1;
  r.context.clock_read_ns = 24.6;
  r.context.overhead_ns = 6.1;
  r.context.seed = 42;
  r.context.started = "2026-11-30T12:00:00Z";
  r.context.command =
      "udpbench compare sync async coroutine async+drain async+batch --load backlog,flood";
  r.plan.blocks = 20;
  r.plan.count = 20000;
  r.plan.margin = 0.02;
  r.plan.confidence = 0.95;
  r.plan.precision = 0.01;
  r.plan.address = "127.0.0.1";
  r.plan.send = "auto";
  r.plan.receive_buffer = {4194304, 8388608};
  r.plan.pin = {0, 1};
  return r;
}

/** What a receiver of an example does: a figure (ns per datagram, or received per second) and what goes with it. */
struct receiver {
  std::string name;
  double figure = 0;
  double cpu_ns = 0;
  double loss = 0;
  std::optional<double> hook_requests = std::nullopt;
  std::optional<double> allocations = std::nullopt;
  record::limit limited_by = record::limit::receiver;
};

inline record::result& add_result(record::run& run, const std::string& load, const receiver& x,
                                  std::uint64_t blocks = 20) {
  const bool backlog = load.starts_with("backlog");
  record::result& r = run.results.emplace_back();
  r.receiver = x.name;
  r.backend = "epoll";
  r.compiler = "g++ 12.2.0";
  r.flags = "-O3";
  r.load = load;
  r.size = 1024;
  r.send = backlog ? "single" : "segmented";
  if (backlog) {
    r.depth = 64;
    r.capacity = 3616;
    r.summary.ns_per_datagram = x.figure;
    r.summary.mean_ns_per_datagram = x.figure * 1.02;
  } else {
    r.summary.received_per_second = x.figure;
    r.summary.cpu_share = x.limited_by == record::limit::sender ? 0.41 : 0.998;
  }
  r.summary.loss = x.loss;
  r.summary.cpu_ns_per_datagram = x.cpu_ns;
  r.summary.hook_requests_per_datagram = x.hook_requests;
  r.summary.allocations_per_datagram = x.allocations;
  r.summary.limited_by = x.limited_by;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    record::round& round = r.rounds.emplace_back();
    round.block = block;
    round.intended = round.sent = round.timed = 20000;
    round.kernel_dropped = static_cast<std::uint64_t>(std::lround(x.loss * 20000));
    round.unique = round.sent - *round.kernel_dropped;
    round.duplicate = round.reordered = 0;
    round.limited_by = x.limited_by;
  }
  return r;
}

/** `half` is the interval's half-width, as a part of the ratio. */
inline record::comparison& add_comparison(record::run& run, const std::string& load,
                                          const std::string& receiver, double ratio, double half,
                                          verdict word, qualifier detail = qualifier::none) {
  record::comparison& c = run.comparisons.emplace_back();
  c.receiver = receiver;
  c.baseline = run.plan.receivers.front();
  c.load = load;
  c.size = 1024;
  c.metric = load.starts_with("backlog") ? "ns_per_datagram" : "received_per_second";
  c.ratio = ratio;
  c.ci = {{ratio * (1 - half), ratio * (1 + half)}};
  if (run.plan.precision) c.precision_reached = half <= *run.plan.precision;
  c.ratio_of_sums = ratio * 1.003;
  c.confidence = 0.95;
  c.blocks = 20;
  c.verdict = word;
  c.qualifier = detail;
  c.limited_by = record::limit::receiver;
  c.control = {1.001, {{0.998, 1.003}}, verdict::equivalent, false};
  return c;
}

inline void add_control(record::run& run, const std::string& load, receiver baseline) {
  baseline.figure *= 1.001;
  add_result(run, load, baseline).control = true;
}

inline void add_backlog(record::run& run) {
  run.plan.loads.push_back("backlog");
  run.plan.sizes = {1024};
  const receiver sync{"sync", 621.4, 618.2};
  add_result(run, "backlog", sync);
  add_result(run, "backlog", {"async", 871.0, 868.3, 0, 1.0, 0.0});
  add_result(run, "backlog", {"coroutine", 961.2, 958.8, 0, 1.0, 0.0});
  add_result(run, "backlog", {"async+drain", 652.6, 649.9, 0, 0.016, 0.0});
  add_result(run, "backlog", {"async+batch", 490.8, 488.1, 0, 0.016, 0.0});
  add_control(run, "backlog", sync);
  add_comparison(run, "backlog", "async", 1.412, 0.02, verdict::slower, qualifier::beyond_margin);
  add_comparison(run, "backlog", "coroutine", 1.553, 0.02, verdict::slower,
                 qualifier::beyond_margin);
  add_comparison(run, "backlog", "async+drain", 1.049, 0.008, verdict::slower,
                 qualifier::beyond_margin);
  add_comparison(run, "backlog", "async+batch", 0.791, 0.006, verdict::faster,
                 qualifier::beyond_margin);
}

inline void add_flood(record::run& run) {
  run.plan.loads.push_back("flood");
  run.plan.sizes = {1024};
  const receiver sync{"sync", 1247e3, 640, 0.0068};
  add_result(run, "flood", sync);
  add_result(run, "flood", {"async", 1023e3, 971, 0.3307, 1.0, 0.0});
  add_result(run, "flood", {"coroutine", 977e3, 1020, 0.3912, 1.0, 0.0});
  add_result(run, "flood", {"async+drain", 1170e3, 690, 0.0101, 0.021, 0.0});
  add_result(run, "flood", {"async+batch", 1240e3, 530, 0.0070, 0.018, 0.0});
  add_control(run, "flood", sync);
  add_comparison(run, "flood", "async", 0.820, 0.02, verdict::slower, qualifier::beyond_margin);
  add_comparison(run, "flood", "coroutine", 0.783, 0.02, verdict::slower, qualifier::beyond_margin);
  add_comparison(run, "flood", "async+drain", 0.969, 0.016, verdict::inconclusive,
                 qualifier::direction_only)
      .blocks_needed = 46;
  add_comparison(run, "flood", "async+batch", 0.994, 0.007, verdict::equivalent);
}

/** Judges the losses of a run's receivers as they stand in the summaries. */
inline void judge_losses(record::run& run) {
  for (record::comparison& c : run.comparisons) {
    const auto loss_of = [&](const std::string& name) {
      for (const record::result& r : run.results)
        if (r.receiver == name && r.load == c.load) return r.summary.loss.value_or(0);
      return 0.0;
    };
    using udpbench::statistics::loss_verdict;
    const double more = loss_of(c.receiver) - loss_of(c.baseline);
    c.loss.median = more;
    c.loss.ci = {{more - 0.001, more + 0.001}};
    c.loss.verdict = more > 0.005    ? loss_verdict::more
                     : more < -0.005 ? loss_verdict::less
                                     : loss_verdict::equivalent;
  }
}

inline record::run default_run() {
  record::run run = empty_run();
  run.plan.receivers = {"sync", "async", "coroutine", "async+drain", "async+batch"};
  add_backlog(run);
  add_flood(run);
  judge_losses(run);
  return run;
}

/** Two receivers faster than any sender: no ratio of their rates. */
inline record::run sender_limited_run() {
  record::run run = empty_run();
  run.plan.receivers = {"sync", "async+batch"};
  run.plan.loads = {"flood"};
  run.plan.sizes = {1024};
  run.plan.send = "segmented";
  const receiver sync{"sync", 261e3, 1320, 0, std::nullopt, std::nullopt, record::limit::sender};
  add_result(run, "flood", sync).send = "single";
  add_result(run, "flood", {"async+batch", 262e3, 1110, 0, 0.9, 0.0, record::limit::sender}).send =
      "single";
  add_control(run, "flood", sync);
  record::comparison& c =
      add_comparison(run, "flood", "async+batch", 1.004, 0.003, verdict::equivalent);
  c.limited_by = record::limit::sender;
  judge_losses(run);
  return run;
}

/** A chosen rate of 200 k/s; `mean_gap_ns` of a period of 5000, and how late 1 % of the datagrams were. */
inline record::run scheduled_run(double mean_gap_ns = 5001, std::uint64_t lag_p99_ns = 900) {
  record::run run = empty_run();
  run.plan.receivers = {"sync", "async"};
  run.plan.loads = {"rate:200k"};
  run.plan.sizes = {1024};
  const receiver sync{"sync", 200e3, 1320};
  add_result(run, "rate:200k", sync);
  add_result(run, "rate:200k", {"async", 200e3, 1716, 0, 1.0, 0.0});
  add_control(run, "rate:200k", sync);
  const bool behind = mean_gap_ns > 5050;
  for (record::result& r : run.results) {
    r.send = "single";
    r.pacer = "rate";
    r.summary.cpu_share = 0.31;
    r.summary.limited_by = behind ? std::optional(record::limit::sender) : std::nullopt;
    for (record::round& each : r.rounds) {
      each.limited_by = r.summary.limited_by;
      each.pacing = record::pacing{.period_ns = 5000,
                                   .mean_gap_ns = mean_gap_ns,
                                   .lag_p50_ns = 20,
                                   .lag_p99_ns = lag_p99_ns,
                                   .lag_max_ns = 2 * lag_p99_ns + 40'000,
                                   .gap_p50_ns = 4999,
                                   .gap_p99_ns = 6000,
                                   .gap_max_ns = 41'000,
                                   .waited_share = std::nullopt};
    }
  }
  record::comparison& c = add_comparison(run, "rate:200k", "async", 1.3, 0.01, verdict::slower,
                                         qualifier::beyond_margin);
  c.metric = "cpu_ns_per_datagram";
  c.limited_by = run.results.front().summary.limited_by;
  return run;
}

/** The test of 2005: both ends on one cpu. */
inline record::run shared_cpu_run() {
  record::run run = empty_run();
  run.plan.receivers = {"sync", "async"};
  run.plan.loads = {"pause:128/1ms"};
  run.plan.sizes = {1024};
  run.plan.shared_cpu = true;
  run.plan.receive_buffer = {std::nullopt, 212992};
  add_result(run, "pause:128/1ms",
             {"sync", 113e3, 4200, 0.402, std::nullopt, std::nullopt, record::limit::shared_cpu});
  add_result(run, "pause:128/1ms",
             {"async", 85e3, 5800, 0.583, 1.0, 0.0, record::limit::shared_cpu});
  add_comparison(run, "pause:128/1ms", "async", 0.752, 0.03, verdict::slower,
                 qualifier::beyond_margin);
  judge_losses(run);
  return run;
}

/** Two receivers under backlog whose comparison is to be filled in. */
inline record::run pair_run(double ratio, double half, verdict word,
                            qualifier detail = qualifier::none) {
  record::run run = empty_run();
  run.plan.receivers = {"sync", "async"};
  run.plan.loads = {"backlog"};
  run.plan.sizes = {1024};
  add_result(run, "backlog", {"sync", 620, 618});
  add_result(run, "backlog", {"async", 620 * ratio, 618 * ratio, 0, 1.0, 0.0});
  add_control(run, "backlog", {"sync", 620, 618});
  add_comparison(run, "backlog", "async", ratio, half, word, detail);
  return run;
}

/** Ended by a signal in block 3 of 20. */
inline record::run interrupted_run() {
  record::run run = pair_run(1.41, 0.1, verdict::inconclusive);
  run.complete = false;
  for (record::result& r : run.results) r.rounds.resize(3);
  run.comparisons.front().ci.reset();
  run.comparisons.front().blocks = 3;
  return run;
}

/** One block of two receivers is invalid, and no block of a third one counts. */
inline record::run invalid_run() {
  record::run run = pair_run(1.41, 0.02, verdict::slower, qualifier::beyond_margin);
  run.plan.receivers.push_back("coroutine");
  record::round& bad = run.results[1].rounds[7];
  bad.valid = false;
  bad.reason = "the ledger does not balance";
  bad.unique = 19990;
  bad.kernel_dropped = 7;
  bad.unexplained = 3;
  bad.system_counters = record::system_counters{3, 0, 3, 0, std::nullopt};
  for (record::round& r : add_result(run, "backlog", {"coroutine", 0, 0}).rounds) {
    r.valid = false;
    r.reason = "the thread had 91 % of its cpu";
  }
  run.results.back().summary = {};
  record::comparison& c = add_comparison(run, "backlog", "coroutine", 1, 0, verdict::inconclusive);
  c.ratio.reset();
  c.ci.reset();
  c.verdict.reset();
  c.reason = "no valid block";
  run.suspect.push_back({"backlog", 1024, 1, "", "more than 5 % of the blocks are invalid"});
  return run;
}

/** Adds what several works and several depths say together. */
inline void add_series(record::run& run) {
  run.break_evens = {{.receiver = "async",
                      .baseline = "sync",
                      .load = "backlog",
                      .size = 1024,
                      .surcharge_ns = 195,
                      .work_ns = 9343,
                      .equivalent_from = "touch",
                      .equivalent_from_ns = 280}};
  run.crossings = {{.receiver = "async+batch",
                    .baseline = "sync",
                    .over = "depth",
                    .load = "backlog",
                    .size = 1024,
                    .work = {},
                    .points = {{2, 1.25, verdict::slower}, {4, {}, {}}, {8, 0.5, verdict::faster}},
                    .faster_from = 8,
                    .slower_up_to = 2,
                    .slower_from = {},
                    .faster_up_to = {}}};
}

/** `run` with the name of a receiver changed everywhere. */
inline record::run renamed(record::run run, const std::string& from, const std::string& to) {
  for (std::string& name : run.plan.receivers) name = name == from ? to : name;
  for (record::result& r : run.results) r.receiver = r.receiver == from ? to : r.receiver;
  for (record::comparison& c : run.comparisons) {
    c.receiver = c.receiver == from ? to : c.receiver;
    c.baseline = c.baseline == from ? to : c.baseline;
  }
  return run;
}

} // namespace examples
