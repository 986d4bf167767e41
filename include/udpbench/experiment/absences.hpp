/** @file
    Why figures of a record are absent. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/result_fields.hpp>
#include <udpbench/record/run.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::experiment {

namespace detail {

/** Why a summary of valid rounds lacks the figure of that key. */
inline std::string why_absent(std::string_view key, const record::result& r) {
  const bool backlog = r.load.starts_with("backlog");
  if (key == "received_per_second" && backlog)
    return "a queue that is there already comes at no rate";
  if (key == "cpu_user_ns_per_datagram" || key == "cpu_system_ns_per_datagram")
    return backlog ? "the kernel divides by timer ticks, and a slice is shorter than one"
                   : "the division of CPU time isn't told";
  if (key == "hook_requests_per_datagram") return "no handler memory";
  if (key == "allocations_per_datagram")
    return r.summary.hook_requests_per_datagram ? "a handler memory that doesn't count them"
                                                : "no handler memory";
  if (key == "datagrams_per_receive_call") return "receive calls aren't counted";
  if (key == "loss_ci") return "it takes at least 6 valid rounds";
  if (key == "limited_by") return "the schedule was kept without loss, and held the rate itself";
  return "no datagram was received while it was measured";
}

/** Whether a valid round lacks what `figure` gives. */
template <class Figure>
bool any_lacks(const record::result& r, Figure figure) {
  return std::any_of(r.rounds.begin(), r.rounds.end(),
                     [&](const record::round& x) { return x.valid && !figure(x); });
}

} // namespace detail

/** The figures that a result lacks, each with its reason; one entry for all where it has no valid round. */
inline std::vector<record::absence> absences(const record::result& r) {
  std::vector<record::absence> out;
  const auto add = [&](std::string_view what, std::string why) {
    out.push_back({std::string(what), std::move(why)});
  };
  if (std::none_of(r.rounds.begin(), r.rounds.end(), [](const auto& x) { return x.valid; })) {
    add("summary", r.failure.empty() ? "no valid round" : r.failure);
    return out;
  }
  record::fields(
      [&](record::key k, const auto& figure) {
        if (!figure) add(k.name, detail::why_absent(k.name, r));
      },
      r.summary);
  if (detail::any_lacks(r, [](const auto& x) { return x.kernel_dropped; }))
    add("kernel_dropped", "the kernel doesn't tell what a socket dropped (SO_MEMINFO)");
  if (!r.sequenced)
    for (const auto* what : {"duplicate", "reordered"})
      add(what, "datagrams too short for a sequence number");
  if (!r.histograms.datagrams_per_wakeup)
    add("datagrams_per_wakeup", "it isn't told which receives follow one wake-up");
  return out;
}

/** The same of a comparison. */
inline std::vector<record::absence> absences(const record::comparison& c) {
  std::vector<record::absence> out;
  if (!c.ratio)
    out.push_back({"ratio", c.reason.empty() ? "not every process has one" : c.reason});
  else if (!c.ci)
    out.push_back({"ci", c.processes > 1 ? "it takes at least 6 processes"
                                         : "it takes at least 6 valid blocks"});
  if (!c.loss.median)
    out.push_back({"loss", c.load.starts_with("backlog")
                               ? "no more is queued than the receive buffer holds"
                               : "no valid block"});
  return out;
}

/** Says of each result and comparison what it lacks, and why. */
inline void note_absences(record::run& run) {
  for (auto& r : run.results) r.not_measured = absences(r);
  for (auto& c : run.comparisons) c.not_measured = absences(c);
}

} // namespace udpbench::experiment
