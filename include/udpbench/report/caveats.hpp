/** @file
    Notes on where a table's figures mislead: ratios that are missing or wide, loss, and what was not counted.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/conditions.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/report/receiver_name.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace udpbench::report {

namespace detail {

inline void note_ratios(lines& out, const record::run& run, const group& g) {
  const double margin = run.plan.margin;
  std::map<std::string, lines> reasons;
  lines sums;
  lines wide;
  lines few;
  for (const record::comparison* c : g.comparisons) {
    if (c->receiver == g.baseline) continue;
    if (!has_ratio(*c)) {
      if (c->limited_by != record::limit::sender && !c->reason.empty())
        reasons[c->reason].push_back(c->receiver);
      continue;
    }
    if (known(c->ratio_of_sums) && *c->ratio_of_sums > 0 && margin > 0 &&
        std::abs(std::log(*c->ratio_of_sums / *c->ratio)) > std::log1p(margin)) {
      sums.push_back(c->receiver + ' ' + ratio(c->ratio_of_sums));
    }
    if (!c->ci)
      few.push_back(c->receiver);
    else if (run.plan.precision && c->precision_reached == false)
      wide.push_back(c->receiver);
  }
  for (const auto& [reason, names] : reasons) {
    out.push_back("No ratio for " + listed(names) + ": " + reason + ".");
  }
  if (!few.empty()) {
    out.push_back("No interval for " + listed(few) + ": it takes at least 6 valid blocks.");
  }
  if (!wide.empty()) {
    out.push_back("Precision of " + chosen_percent(*run.plan.precision) + " not reached for " +
                  listed(wide) + ".");
  }
  if (!sums.empty()) {
    out.push_back("By totals instead of medians the ratio is another, by more than " +
                  margin_words(margin) + ": " + listed(sums) +
                  ". Rare and costly datagrams weigh there.");
  }
  if (!g.comparisons.empty()) {
    const record::comparison& c = *g.comparisons.front();
    const std::string_view usual = g.backlog()     ? "ns_per_datagram"
                                   : g.scheduled() ? "cpu_ns_per_datagram"
                                                   : "received_per_second";
    if (c.metric != usual && !c.metric.empty()) {
      const metric_words w = words_of_metric(c.metric);
      out.push_back("The ratios compare another figure, " + std::string{w.name} +
                    (w.higher_is_better ? " (higher is better)." : " (lower is better)."));
    }
  }
}

/** Asked beside granted: a figure of a receiver that got nothing of it is another's. */
inline void note_busy_poll(lines& out, const group& g) {
  for (const record::result* r : g.receivers) {
    if (!r->busy_poll) continue;
    const auto& p = *r->busy_poll;
    out.push_back(r->receiver + " asked the kernel for " + count(p.requested_us) +
                  " µs of busy polling" + (p.granted_us ? " and got " + count(*p.granted_us) : "") +
                  "; within one host there is no device to poll.");
  }
}

/** A process has luck of its own, which no interval over the blocks of one run holds. */
inline void note_elsewhere(lines& out, const group& g) {
  lines elsewhere;
  for (const record::result* r : g.receivers)
    if (!receiver_name{r->receiver}.backend.empty()) elsewhere.push_back(r->receiver);
  if (elsewhere.empty()) return;
  out.push_back(listed(elsewhere) +
                " ran in another process than the rest. One receiver may differ "
                "by 1 to 2 % between two processes; --processes 12 evens that out.");
}

inline void note_loss(lines& out, const group& g) {
  if (g.backlog()) return;
  lines spread;
  std::map<std::uint64_t, lines> lossless;
  for (const record::result* r : g.receivers) {
    const record::summary& s = r->summary;
    if (s.loss_ci && *s.loss_ci != std::array<double, 2>{}) {
      spread.push_back(
          r->receiver + ' ' + percent((*s.loss_ci)[0]) + " to " + percent((*s.loss_ci)[1]) +
          (s.pooled_loss ? " (all rounds together " + percent(s.pooled_loss) + ')' : ""));
    }
    std::uint64_t valid = 0;
    std::uint64_t lossy = 0;
    for (const record::round& each : r->rounds) {
      if (!each.valid) continue;
      ++valid;
      if (each.unique < each.sent) ++lossy;
    }
    if (valid > 0 && lossy == 0) lossless[valid].push_back(r->receiver);
  }
  if (!spread.empty()) out.push_back("Loss from round to round: " + listed(spread) + ".");
  for (const auto& [n, names] : lossless) {
    const double most = 1 - std::pow(0.05, 1 / static_cast<double>(n));
    out.push_back("No loss in " + counted(n, "round") + " of " + listed(names) +
                  ": with 95 % confidence at most " + trimmed(most * 100, 0) +
                  " % of such rounds lose any.");
  }
}

inline void note_counting(lines& out, const group& g) {
  lines bare;
  std::uint64_t foreign = 0;
  std::uint64_t late = 0;
  std::uint64_t truncated = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t reordered = 0;
  std::uint64_t old = 0;
  std::uint64_t unsent = 0;
  std::uint64_t refused = 0;
  std::uint64_t full = 0;
  std::uint64_t failed = 0;
  std::uint64_t intended = 0;
  for (const record::result* r : g.receivers) {
    if (!r->sequenced) bare.push_back(r->receiver);
    for (const record::round& each : r->rounds) {
      foreign += each.foreign;
      late += each.late;
      truncated += each.truncated;
      duplicate += each.duplicate.value_or(0);
      reordered += each.reordered.value_or(0);
      old += each.old;
      intended += each.intended;
      unsent += each.intended > each.sent ? each.intended - each.sent : 0;
      refused += each.send_refused;
      full += each.send_full;
      failed += each.send_failed;
    }
  }
  if (!bare.empty()) {
    out.push_back("Counted without sequence numbers, which these datagrams are too short for: a "
                  "duplicate would "
                  "pass for a datagram that was lost.");
  }
  if (unsent > 0) {
    lines causes;
    if (refused > 0) causes.push_back(count(refused) + " because the receiver's port was closed");
    if (full > 0) causes.push_back(count(full) + " for want of room on the sender's host");
    if (failed > 0) causes.push_back(count(failed) + " for other reasons");
    const std::string why = causes.empty() ? "" : " (" + listed(causes) + ')';
    out.push_back("Not accepted by a send call: " + count(unsent) + " of " +
                  counted(intended, "datagram") + why +
                  "; they count neither as sent nor as lost.");
  }
  lines uncounted;
  if (foreign > 0) uncounted.push_back(count(foreign) + " of another program");
  if (late > 0) uncounted.push_back(count(late) + " of an earlier round");
  if (old > 0) uncounted.push_back(count(old) + " too far behind to be told from duplicates");
  if (!uncounted.empty()) out.push_back("Arrived but not counted: " + listed(uncounted) + ".");
  if (duplicate > 0)
    out.push_back("Duplicates: " + count(duplicate) + "; they make up for no loss.");
  if (reordered > 0)
    out.push_back("Out of order: " + count(reordered) + "; they count as received.");
  if (truncated > 0)
    out.push_back(counted(truncated, "datagram") + " did not fit into the receiver's buffer.");
}

} // namespace detail

} // namespace udpbench::report
