/** @file
    The records of several processes, as one. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/absences.hpp>
#include <udpbench/experiment/analysis.hpp>
#include <udpbench/experiment/break_even.hpp>
#include <udpbench/experiment/crossing.hpp>
#include <udpbench/experiment/histograms.hpp>
#include <udpbench/experiment/suspicion.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/record/same_table.hpp>
#include <udpbench/statistics/hodges_lehmann.hpp>
#include <udpbench/statistics/judge.hpp>
#include <udpbench/statistics/loss.hpp>
#include <udpbench/statistics/processes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

namespace detail {

inline bool same_key(const record::result& a, const record::result& b) {
  return a.receiver == b.receiver && a.control == b.control && record::same_table(a, b);
}

inline bool same_key(const record::comparison& a, const record::comparison& b) {
  return a.receiver == b.receiver && record::same_table(a, b);
}

inline void join_results(record::run& out, const record::run& part, std::uint64_t process) {
  for (record::result r : part.results) {
    for (auto& round : r.rounds) round.process = process;
    const auto at = std::find_if(out.results.begin(), out.results.end(),
                                 [&](const auto& other) { return same_key(other, r); });
    if (at == out.results.end()) {
      out.results.push_back(std::move(r));
      continue;
    }
    at->rounds.insert(at->rounds.end(), r.rounds.begin(), r.rounds.end());
    add(at->histograms, r.histograms);
    if (!at->without_work) at->without_work = r.without_work;
    if (at->failure.empty()) at->failure = r.failure;
  }
}

template <class T, class Same>
void add_new(std::vector<T>& out, const std::vector<T>& part, Same same) {
  for (const T& x : part)
    if (std::none_of(out.begin(), out.end(), [&](const T& other) { return same(other, x); }))
      out.push_back(x);
}

/** One result of each table, in their order. Lifetime: that of the run's results. */
inline std::vector<const record::result*> one_of_each_table(const record::run& run) {
  std::vector<const record::result*> out;
  for (const auto& r : run.results)
    if (std::none_of(out.begin(), out.end(),
                     [&](const auto* other) { return record::same_table(*other, r); }))
      out.push_back(&r);
  return out;
}

/** ln of what `figure` gives for each process, where it gives something. */
template <class Figure>
std::vector<std::vector<double>>
logs_by_process(const std::vector<const record::comparison*>& parts, Figure figure) {
  std::vector<std::vector<double>> logs;
  for (const record::comparison* c : parts)
    if (const std::optional<double> x = figure(*c)) logs.push_back({std::log(*x)});
  return logs;
}

/** One comparison over the processes, of each of which its ratio, the median over its blocks, is one value. */
inline record::comparison join_comparison(const std::vector<const record::comparison*>& parts,
                                          std::size_t in_table, double margin) {
  record::comparison c = *parts.front();
  c.ratio.reset();
  c.ci.reset();
  c.verdict.reset();
  c.qualifier = statistics::qualifier::none;
  c.blocks_needed.reset();
  c.ratio_of_sums.reset();
  c.hodges_lehmann.reset();
  c.ljung_box_p.reset();
  c.runs_p.reset();
  c.control = {};
  c.loss = {};
  c.blocks = 0;
  c.processes = 0;
  std::vector<double> losses;
  for (const record::comparison* part : parts) {
    if (part->loss.median) losses.push_back(*part->loss.median);
    if (part->ratio) {
      c.blocks += part->blocks;
      ++c.processes;
    } else if (c.reason.empty()) {
      c.reason = part->reason;
    }
  }
  if (const auto loss = statistics::judge_loss(losses, in_table))
    c.loss = {.median = loss->median, .ci = as_array(loss->ci95), .verdict = loss->word};

  const auto which =
      c.metric == "received_per_second" ? statistics::better::higher : statistics::better::lower;
  std::optional<statistics::paired_ratio> control;
  const auto control_logs = logs_by_process(parts, [](const auto& x) { return x.control.ratio; });
  if (!control_logs.empty()) {
    control = statistics::summarise_processes(control_logs);
    c.control = control_from(*control, margin, which);
  }
  // A ratio from some of the processes alone would be of those that it came out well in.
  if (c.processes < parts.size()) return c;

  const auto logs = logs_by_process(parts, [](const auto& x) { return x.ratio; });
  const auto ratio = statistics::summarise_processes(logs);
  judge_into(c, ratio, control, margin, which, in_table);
  c.hodges_lehmann = std::exp(statistics::hodges_lehmann(ratio.log_ratios));
  return c;
}

} // namespace detail

/** One record of what several processes measured by the same plan, each with sockets and buffers of its own. The first gives plan and context. A
    comparison's unit is the process: its interval holds for all processes of this program on this machine, and `blocks_needed` are
    processes.
    @param parts  in the order in which they ran; at least one. */
inline record::run join_processes(std::span<const record::run> parts) {
  record::run out = parts.front();
  out.results.clear();
  out.comparisons.clear();
  out.suspect.clear();
  out.plan.processes = parts.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    detail::join_results(out, parts[i], i);
    detail::add_new(out.warnings, parts[i].warnings, std::equal_to<>());
    detail::add_new(out.context.changes, parts[i].context.changes, std::equal_to<>());
    out.complete = out.complete && parts[i].complete;
    if (out.error.empty()) out.error = parts[i].error;
    for (const auto& s : parts[i].suspect)
      if (s.load.empty()) out.suspect.push_back(s);
  }
  for (auto& r : out.results) r.summary = summarise_rounds(r.rounds);
  for (const auto* any : detail::one_of_each_table(out)) suspect_blocks(out, std::span(any, 1));

  for (const auto& first : parts.front().comparisons) {
    std::vector<const record::comparison*> same;
    for (const auto& part : parts)
      for (const auto& c : part.comparisons)
        if (detail::same_key(c, first)) same.push_back(&c);
    const auto in_table = static_cast<std::size_t>(
        std::count_if(parts.front().comparisons.begin(), parts.front().comparisons.end(),
                      [&](const auto& c) { return record::same_table(c, first); }));
    auto joined = detail::join_comparison(same, in_table, out.plan.margin);
    const auto result_of = [&](const std::string& name) -> const record::result& {
      return *std::find_if(out.results.begin(), out.results.end(), [&](const auto& r) {
        return r.receiver == name && !r.control && record::same_table(r, first);
      });
    };
    judge_precision(joined, out.plan.precision);
    joined.limited_by = result_of(first.receiver).summary.limited_by;
    out.comparisons.push_back(std::move(joined));
    std::vector<double> logs;
    for (const auto* c : same)
      if (c->ratio) logs.push_back(std::log(*c->ratio));
    suspect_drift(out, out.comparisons.back(), logs, out.plan.margin);
  }
  for (const auto* any : detail::one_of_each_table(out)) suspect_control(out, *any);
  out.break_evens = find_break_evens(out);
  out.crossings = find_crossings(out);
  note_absences(out);
  return out;
}

} // namespace udpbench::experiment
