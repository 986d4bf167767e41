/** @file
    How the sender kept its schedule, or what its window let through, as sentences.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::report {

/** A sender later than this, or than a slot where that is longer, for one datagram in 100 has not kept its schedule well. */
inline constexpr double lag_that_matters_ns = 1e6;

/** From this period on, a receiver wakes for its own tick of 20 ms more than once in 20 datagrams. */
inline constexpr double slow_period_ns = 1e6;

/** What the senders of a table's valid rounds saw: medians over the rounds, and the latest datagram of all. */
struct schedule_kept {
  figure period_ns;   ///< As the schedule has it.
  figure mean_gap_ns; ///< From send to send.
  figure lag_p99_ns;  ///< From slot to sending.
  figure lag_max_ns;  ///< Of all rounds.
  figure waited;      ///< Share of the sender's time in which its window was full.
  figure ran;         ///< Share of the sender's time in which its thread ran.

  /** The lag is more than what scheduling on a quiet machine brings about. */
  bool late() const {
    return known(lag_p99_ns) &&
           *lag_p99_ns > std::max(lag_that_matters_ns, known(period_ns) ? *period_ns : 0);
  }
};

namespace detail {

/** The middle one, or the upper of two; empty without any. */
inline figure middle(std::vector<double> values) {
  if (values.empty()) return {};
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

} // namespace detail

/** Reads it off the rounds. */
inline schedule_kept schedule_of(const group& g) {
  std::vector<double> gaps;
  std::vector<double> lags;
  std::vector<double> waited;
  std::vector<double> ran;
  schedule_kept out;
  const auto add = [](std::vector<double>& to, const auto& value) {
    if (value) to.push_back(static_cast<double>(*value));
  };
  for (const record::result* r : g.receivers)
    for (const record::round& each : r->rounds) {
      if (!each.valid || !each.pacing) continue;
      const record::pacing& p = *each.pacing;
      out.period_ns = p.period_ns ? p.period_ns : out.period_ns;
      add(gaps, p.mean_gap_ns);
      add(lags, p.lag_p99_ns);
      add(waited, p.waited_share);
      add(ran, each.sender_cpu_share);
      if (p.lag_max_ns)
        out.lag_max_ns = std::max(out.lag_max_ns.value_or(0), static_cast<double>(*p.lag_max_ns));
    }
  out.mean_gap_ns = detail::middle(std::move(gaps));
  out.lag_p99_ns = detail::middle(std::move(lags));
  out.waited = detail::middle(std::move(waited));
  out.ran = detail::middle(std::move(ran));
  return out;
}

namespace detail {

inline std::string time(const figure& ns) { return scale_for(time_ns, {ns}).with_unit(ns); }

/** What was paced and how well; nothing of a load without schedule and window. */
inline void note_schedule(std::vector<std::string>& out, const group& g) {
  const schedule_kept kept = schedule_of(g);
  if (known(kept.period_ns) && known(kept.mean_gap_ns)) {
    const scale s = scale_for(time_ns, {kept.period_ns, kept.mean_gap_ns});
    out.push_back(
        "Paced by the program alone, a datagram every " + s.with_unit(kept.period_ns) +
        "; the sender's mean gap was " + s.with_unit(kept.mean_gap_ns) +
        (known(kept.ran) ? "; its thread ran for " + percent(kept.ran) + " of the time." : "."));
    if (kept.late())
      out.push_back("The sender was late: in the median round 1 % of the datagrams by " +
                    time(kept.lag_p99_ns) + " or more, the latest of all by " +
                    time(kept.lag_max_ns) +
                    ". What it makes up for comes in bursts, which a receive buffer may not hold.");
  }
  if (known(kept.period_ns) && *kept.period_ns >= slow_period_ns)
    out.push_back(
        "At so low a rate CPU time per datagram has much of what waiting costs: a waiting "
        "receiver looks at its deadline 50 times a second.");
  if (known(kept.waited))
    out.push_back("The window was full for " + percent(kept.waited) +
                  " of the time, in which the sender waited for the receiver.");
}

/** Of a load with a schedule: who fell behind, if anybody. */
inline void explain_schedule(std::vector<std::string>& out, const group& g) {
  std::vector<std::string> behind;
  for (const record::result* r : g.receivers)
    if (r->summary.limited_by == record::limit::sender) behind.push_back(r->receiver);
  if (behind.empty()) return;
  const bool all = behind.size() == g.receivers.size();
  out.push_back(
      "The sender fell behind its schedule" + (all ? "" : " for " + listed(behind)) +
      ", so the rate is what it could send, not what was asked for; CPU time per datagram "
      "still compares" +
      (all ? "." : ", at different rates."));
}

} // namespace detail

} // namespace udpbench::report
