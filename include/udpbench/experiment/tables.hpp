/** @file
    From the blocks of a load and size to what stands on record of them. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/analysis.hpp>
#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/histograms.hpp>
#include <udpbench/experiment/suspicion.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** Busy polling as it stands on record. */
inline std::optional<record::busy_poll> book(const std::optional<net::busy_polling>& seen) {
  if (!seen) return {};
  record::busy_poll out;
  out.requested_us = static_cast<std::uint64_t>(seen->requested.count());
  if (seen->granted) out.granted_us = static_cast<std::uint64_t>(seen->granted->count());
  return out;
}

/** What each contestant's rounds come to; `common` is what all have in common. */
inline std::vector<record::result> results_of(const std::vector<contestant>& contestants,
                                              const std::vector<block>& blocks,
                                              const record::result& common) {
  std::vector<record::result> results;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    record::result r = common;
    r.receiver = contestants[i].receiver;
    r.control = contestants[i].control;
    r.failure = contestants[i].failure;
    r.threads = contestants[i].threads;
    r.backend = contestants[i].backend;
    r.busy_poll = book(contestants[i].busy_poll);
    r.without_work = contestants[i].without_work;
    for (const auto& b : blocks)
      r.rounds.insert(r.rounds.end(), b.parts[i].rounds.begin(), b.parts[i].rounds.end());
    r.summary = summarise_rounds(r.rounds);
    r.histograms = histograms_of(blocks, i);
    results.push_back(std::move(r));
  }
  return results;
}

/** Every receiver but the baseline, which comes first, against its two instances; the second comes last. */
inline std::vector<pairing> pairings(const std::vector<record::result>& results,
                                     const std::vector<block>& blocks, const load& l) {
  const std::size_t second = results.size() - 1;
  std::vector<pairing> all;
  for (std::size_t i = 1; i < second; ++i)
    all.push_back({.receiver = results[i],
                   .baseline = results[0],
                   .control = results[second],
                   .d = block_ratios(blocks, l, i, 0, second),
                   .control_d = block_ratios(blocks, l, second, 0, second),
                   .losses = block_losses(blocks, l, i, 0, second),
                   .comparisons = second - 1});
  return all;
}

/** The ratios that may be published so far. */
inline std::vector<statistics::paired_ratio>
published_ratios(const std::vector<contestant>& contestants, const std::vector<block>& blocks,
                 const load& l, const record::result& common) {
  const auto results = results_of(contestants, blocks, common);
  std::vector<statistics::paired_ratio> ratios;
  for (const pairing& p : pairings(results, blocks, l))
    if (no_ratio_because(p, metric_of(l)).empty()) ratios.push_back(ratio_over(p.d));
  return ratios;
}

/** Writes the results and comparisons of a load and size, and what speaks against them. */
inline void conclude(record::run& out, const std::vector<contestant>& contestants,
                     const std::vector<block>& blocks, const load& l, const record::result& common,
                     double margin) {
  auto results = results_of(contestants, blocks, common);
  for (const auto& r : results)
    if (!r.failure.empty())
      out.warnings.push_back(r.receiver + (r.control ? " (control)" : "") + " under " + r.load +
                             " failed: " + r.failure + ".");
  for (const pairing& p : pairings(results, blocks, l)) {
    out.comparisons.push_back(compare_pair(p, metric_of(l), margin));
    judge_precision(out.comparisons.back(), out.plan.precision);
    suspect_drift(out, out.comparisons.back(), p.d, margin);
  }
  suspect_blocks(out, results);
  suspect_control(out, results.front());
  std::move(results.begin(), results.end(), std::back_inserter(out.results));
}

} // namespace udpbench::experiment
