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

/** Why a valid round lacks the figure of that key, where it isn't for the reason of a summary. */
inline std::string why_round_lacks(std::string_view key, const record::result& r,
                                   const record::round& of) {
  const bool backlog = r.load.starts_with("backlog");
  if (key == "kernel_dropped")
    return of.lost_on_the_way ? "the socket counts trains, which its host has joined on the way"
                              : "the kernel doesn't tell what a socket dropped (SO_MEMINFO)";
  if (key == "duplicate" || key == "reordered") return "datagrams too short for a sequence number";
  if (key == "pacing") return "the load has no schedule, and no window";
  if (key == "lost_on_the_way") return "there is no network between the two ends";
  if (key == "system_counters") return "they are read only where a ledger doesn't balance";
  if (key == "queue_peak_bytes")
    return r.sockets > 1 || r.threads > 1 ? "several sockets aren't looked at"
           : backlog                      ? "the queue is filled before it is emptied"
                     : "the kernel doesn't tell what a queue takes (SO_MEMINFO)";
  if (backlog && (key == "offered_per_second" || key == "sender_cpu_share"))
    return "no sender runs beside the receiver";
  if (key == "send_calls") return "nothing was sent";
  if (key == "receive_calls") return "receive calls aren't counted";
  const std::string summed = std::string(key.substr(0, key.rfind("_ns"))) +
                             (key.ends_with("_ns") ? "_ns_per_datagram" : "_per_datagram");
  const auto other = why_absent(summed, r);
  return other == why_absent("", r) ? why_absent(key, r) : other;
}

/** Why a round with a pacing lacks a figure of it. */
inline std::string why_pacing_lacks(std::string_view key) {
  return key == "waited_share" ? "the load has no window" : "the load has no schedule";
}

/** Calls `lacks(key)` for each member of `of` that is empty. */
template <class Record, class Lacks>
void for_each_empty(const Record& of, Lacks lacks) {
  record::fields(
      [&](record::key k, const auto& figure) {
        if constexpr (requires { figure.has_value(); })
          if (!figure.has_value()) lacks(k.name);
      },
      of);
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
  const auto add_once = [&](const std::string& what, const std::string& why) {
    if (std::none_of(out.begin(), out.end(), [&](const auto& a) { return a.what == what; }))
      add(what, why);
  };
  detail::for_each_empty(r.summary,
                         [&](std::string_view key) { add(key, detail::why_absent(key, r)); });
  for (const record::round& each : r.rounds) {
    if (!each.valid) continue;
    detail::for_each_empty(each, [&](std::string_view key) {
      add_once(std::string(key), detail::why_round_lacks(key, r, each));
    });
    if (each.pacing)
      detail::for_each_empty(*each.pacing, [&](std::string_view key) {
        add_once("pacing." + std::string(key), detail::why_pacing_lacks(key));
      });
  }
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

/** The same of what is known of a machine. */
inline std::vector<record::absence> absences(const record::context& c) {
  std::vector<record::absence> out;
  detail::for_each_empty(c, [&](std::string_view key) {
    out.push_back({std::string(key), key == "overhead_ns" ? "nothing was measured"
                                     : key == "governor"
                                         ? "the kernel shows no governor of the cpus' frequency"
                                         : "the kernel doesn't tell"});
  });
  return out;
}

/** Says of the machine, and of each result and comparison, what it lacks, and why. */
inline void note_absences(record::run& run) {
  run.context.not_measured = absences(run.context);
  for (auto& r : run.results) r.not_measured = absences(r);
  for (auto& c : run.comparisons) c.not_measured = absences(c);
}

} // namespace udpbench::experiment
