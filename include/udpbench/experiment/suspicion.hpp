/** @file
    Why the verdicts of a run should not be trusted: each reason with the table that it is about.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/record/same_table.hpp>
#include <udpbench/statistics/drift.hpp>

#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** A reason that is about the table in which `x` stands. */
template <class OfTable>
record::suspicion suspicion_of(const OfTable& x, std::string reason) {
  return {.load = x.load,
          .size = x.size,
          .sockets = x.sockets,
          .work = x.work,
          .reason = std::move(reason)};
}

/** Whether so many of the blocks are invalid that the rest may be a selection: more than 5 %. */
inline bool many_invalid(const std::vector<record::round>& rounds) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> all;
  std::set<std::pair<std::uint64_t, std::uint64_t>> invalid;
  for (const auto& r : rounds) {
    all.emplace(r.process, r.block);
    if (!r.valid) invalid.emplace(r.process, r.block);
  }
  return 20 * invalid.size() > all.size();
}

/** An invalid round takes its block with it, so the rounds of any receiver tell of all blocks.
    @param out  gets the reason.
    @param results  of one load and size. */
inline void suspect_blocks(record::run& out, std::span<const record::result> results) {
  for (const auto& r : results)
    if (many_invalid(r.rounds)) {
      out.suspect.push_back(suspicion_of(r, "more than 5 % of the blocks are invalid"));
      return;
    }
}

/** The control is one for all comparisons of a table, and means nothing where no ratio does.
    @param out  gets the reason.
    @param of  any result of the table. */
inline void suspect_control(record::run& out, const record::result& of) {
  for (const auto& c : out.comparisons)
    if (record::same_table(c, of) && c.ratio && c.control.suspect) {
      out.suspect.push_back(
          suspicion_of(c, "the control differs from the baseline, though both are " + c.baseline));
      return;
    }
}

/** Whether a ratio was one in the first half of the run, and another in the second.
    @param out  gets the reason.
    @param c  has the ratio.
    @param logs  of it, in the order of their measurement.
    @param margin  of the plan. */
inline void suspect_drift(record::run& out, const record::comparison& c,
                          std::span<const double> logs, double margin) {
  if (!c.ratio) return;
  const auto drift = statistics::find_drift(logs, margin);
  if (!drift || !drift->alarm) return;
  const auto percent = static_cast<int>(std::lround(std::abs(drift->ratio - 1) * 100));
  out.suspect.push_back(suspicion_of(c, "the ratio of " + c.receiver + " to " + c.baseline +
                                            " drifted: it was " + std::to_string(percent) + " % " +
                                            (drift->ratio > 1 ? "higher" : "lower") +
                                            " in the second half of the run than in the first"));
}

} // namespace udpbench::experiment
