/** @file
    What held the rate and what was lost, as sentences.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/statistics/loss.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace udpbench::report {

/** A receiving thread that ran for less of the time than this was not what held the rate. */
inline constexpr double busy_share = 0.9;

/** From here on a loss is more than that of a late wake-up. */
inline constexpr double overrun_loss = 0.001;

namespace detail {

/** Datagrams were dropped from the receive buffer while the receiving thread mostly wasn't running. */
inline bool overflowed_idle(const record::result& r) {
  const figure& share = r.summary.cpu_share;
  return r.summary.limited_by == record::limit::sender && known(r.summary.loss) &&
         *r.summary.loss > overrun_loss && known(share) && *share < busy_share;
}

inline void explain_limits(std::vector<std::string>& out, const group& g) {
  std::vector<std::string> receiver;
  std::vector<std::string> overflown;
  std::vector<std::string> sender;
  std::vector<std::string> costs;
  std::vector<figure> cpu;
  for (const record::result* r : g.receivers) {
    if (overflowed_idle(*r)) {
      overflown.push_back(percent(r->summary.cpu_share) + " for " + r->receiver);
    } else if (r->summary.limited_by == record::limit::receiver) {
      receiver.push_back(r->receiver);
    } else if (r->summary.limited_by == record::limit::sender) {
      sender.push_back(r->receiver);
    }
    cpu.push_back(r->summary.cpu_ns_per_datagram);
  }
  if (!overflown.empty()) {
    out.push_back(
        "The receive buffer overflowed though the receiving thread ran only a part of the time (" +
        listed(overflown) +
        "): bursts were longer than the buffer, or others had the cpu. So these rates tell of that "
        "as much as of "
        "the receivers; a larger receive buffer or a quieter machine tells more.");
  }
  if (sender.empty()) {
    if (!receiver.empty() && !overflown.empty()) {
      out.push_back("For " + listed(receiver) + " the receiver was the limit.");
    } else if (!receiver.empty()) {
      out.push_back(receiver.size() == 1 ? "The receiver was the limit, not the sender."
                                         : "The receivers were the limit, not the sender.");
    }
    return;
  }
  const bool all = sender.size() == g.receivers.size();
  out.push_back("The sender was the limit" + (all ? "" : " for " + listed(sender)) + ", so " +
                (all ? "the rates don't" : "that rate doesn't") +
                " tell what a receiver can take.");
  const scale s = scale_for(time_ns, cpu);
  for (const record::result* r : g.receivers) {
    const figure& x = r->summary.cpu_ns_per_datagram;
    if (known(x)) costs.push_back(r->receiver + ' ' + s.with_unit(x));
  }
  if (costs.size() > 1)
    out.push_back("What still compares is CPU time per datagram: " + listed(costs) + '.');
}

inline void explain_loss(std::vector<std::string>& out, const group& g) {
  const record::result* base = g.result_of(g.baseline);
  if (base == nullptr || !known(base->summary.loss)) return;
  const double reference = *base->summary.loss;
  std::vector<std::string> differing;
  std::vector<std::string> alike;
  std::vector<std::string> open;
  bool none = reference == 0;
  for (const record::result* r : g.receivers) {
    const figure& loss = r->summary.loss;
    if (r == base || !known(loss)) continue;
    none = none && *loss == 0;
    const record::comparison* c = g.comparison_of(r->receiver);
    if (c == nullptr || !c->loss.verdict || !c->loss.median) continue;
    switch (*c->loss.verdict) {
    case statistics::loss_verdict::equivalent:
      alike.push_back(r->receiver);
      break;
    case statistics::loss_verdict::inconclusive:
      open.push_back(r->receiver + ' ' + percent(loss));
      break;
    case statistics::loss_verdict::more:
    case statistics::loss_verdict::less:
      differing.push_back(r->receiver + ' ' + percent(loss) + " (" +
                          fixed(std::abs(*c->loss.median) * 100, 1) +
                          (differing.empty() ? " percentage points " : " ") +
                          (*c->loss.median > 0 ? "more)" : "fewer)"));
    }
  }
  if (none) {
    out.push_back("The median round lost nothing.");
    return;
  }
  std::string text = g.baseline + " lost " + percent(reference) + " of what was sent";
  if (!differing.empty()) text += ", " + listed(differing);
  if (!alike.empty())
    text += "; " + listed(alike) + " lost as much, to within half a percentage point";
  if (!open.empty()) text += "; whether " + listed(open) + " lost another share stays open";
  out.push_back(text + '.');
}

} // namespace detail

} // namespace udpbench::report
