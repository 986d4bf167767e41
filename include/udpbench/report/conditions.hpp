/** @file
    Notes on how a table's figures came about: what was offered, and what held the rate.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace udpbench::report {

namespace detail {

using lines = std::vector<std::string>;

/** The names of those comparisons that `chosen` holds for. */
template <class Chosen>
lines names_where(const group& g, Chosen chosen) {
  lines out;
  for (const record::comparison* c : g.comparisons) {
    if (c->receiver != g.baseline && chosen(*c)) out.push_back(c->receiver);
  }
  return out;
}

/** What GRO finds in what was sent, whatever the address: what a host sends to itself goes by its loopback. */
inline void note_trains(lines& out, const group& g) {
  std::string alone;
  bool trains = false;
  for (const record::result* r : g.receivers) {
    if (r->receiver.find("+gro") == std::string::npos || r->send.empty()) continue;
    if (r->send == "segmented")
      trains = true;
    else
      alone = r->send;
  }
  if (trains)
    out.push_back("On loopback GRO passes the sender's own segments through: its best case.");
  if (g.backlog() && !alone.empty())
    out.push_back("GRO finds nothing to join in " + send_words(alone) +
                  "; --send segmented fills by trains.");
}

inline void note_backlog(lines& out, const record::run& run, const group& g) {
  const record::result& first = *g.receivers.front();
  const auto depth = first.depth ? first.depth : run.plan.depth;
  const auto capacity = first.capacity ? first.capacity : run.plan.capacity;
  if (depth) {
    const bool single = first.send.empty() || first.send == "single";
    out.push_back(counted(*depth, "datagram") + " queued at a time" +
                  (single ? std::string{} : " by " + send_words(first.send)) +
                  ", then taken; no sender runs meanwhile" +
                  (capacity ? "; the receive buffer was measured to hold " + count(*capacity) +
                                  (single ? "" : " of these")
                            : "") +
                  ".");
  }
  note_trains(out, g);
}

/** Which sizes there were, and what that leaves of trains. */
inline void note_sizes(lines& out, const record::run& run, const group& g) {
  if (!run.plan.mixed_from) return;
  std::string text = "Each datagram has a size of its own, drawn from " +
                     bytes(*run.plan.mixed_from) + " to " + bytes(g.size) +
                     ", the same for each receiver";
  std::uint64_t sent = 0;
  std::uint64_t calls = 0;
  for (const record::result* r : g.receivers)
    for (const record::round& each : r->rounds) {
      if (!each.valid || !each.send_calls || r->send != "segmented") continue;
      sent += each.sent;
      calls += *each.send_calls;
    }
  if (calls > 0)
    text += "; a train has equal ones but for a shorter last, so it came to " +
            trimmed(static_cast<double>(sent) / static_cast<double>(calls), 2) +
            " datagrams on the mean";
  out.push_back(text + ".");
}

/** Datagrams that no packet holds whole. Under IPv6, an address has a colon. */
inline void note_fragments(lines& out, const record::run& run, const group& g) {
  const auto packets = g.receivers.front()->packets;
  const auto mtu = run.plan.path_mtu;
  if (!packets || *packets <= 1 || !mtu) return;
  const bool six = run.plan.address.find(':') != std::string::npos;
  out.push_back((run.plan.mixed_from ? "The largest datagrams are" : "Each datagram is") +
                std::string(" sent in ") + count(*packets) +
                " fragments, which one lost fragment loses whole: the path's MTU is " +
                count(*mtu) + " bytes, of which " + count(*mtu - (six ? 48 : 28)) +
                " are left for a payload over " + (six ? "IPv6" : "IPv4") + ".");
}

inline void note_load(lines& out, const record::run& run, const group& g) {
  const record::result& first = *g.receivers.front();
  if (first.work_ns)
    out.push_back("The work " + first.work + " with each datagram takes " +
                  scale_for(time_ns, {*first.work_ns}).with_unit(*first.work_ns) +
                  " when measured alone; it is part of all figures.");
  note_sizes(out, run, g);
  note_fragments(out, run, g);
  if (g.backlog()) return note_backlog(out, run, g);
  std::map<std::string, lines> senders;
  for (const record::result* r : g.receivers) {
    if (!r->send.empty()) senders[r->send].push_back(r->receiver);
  }
  for (const auto& [send, names] : senders) {
    std::string text = "Sent by " + send_words(send);
    if (first.flows > 1) text += " from " + count(first.flows) + " ports in turn";
    if (run.plan.send != "auto" && !run.plan.send.empty() && run.plan.send != send) {
      text += ", though " + send_words(run.plan.send) + " were asked for";
    }
    out.push_back(text + (senders.size() > 1 ? " for " + listed(names) : std::string{}) + ".");
  }
  note_trains(out, g);
}

/** What decided whose rate it was, where rounds didn't show it by themselves. */
inline void note_without_work(lines& out, const group& g) {
  std::map<std::string, lines> held_against;
  for (const record::result* r : g.receivers) {
    if (!r->without_work) continue;
    const auto& [offered, part] = *r->without_work;
    held_against[scale_for(per_second, {offered}).with_unit(offered) + " offered " +
                 percent(std::min(part, 1.0)) + " arrived"]
        .push_back(r->receiver);
  }
  for (const auto& [what, names] : held_against)
    out.push_back("What was the limit for " + listed(names) +
                  " was decided by rounds without a receiver's work: of " + what + ".");
}

inline void note_limits(lines& out, const record::run& run, const group& g) {
  if (g.backlog()) return;
  const lines unfair = names_where(g, [](const record::comparison& c) {
    return !has_ratio(c) && c.limited_by == record::limit::sender;
  });
  if (!unfair.empty()) {
    out.push_back("No ratio of rates for " + listed(unfair) +
                  ": the sender was the limit, there or for the baseline, so a rate is what was "
                  "sent and not what a "
                  "receiver can take; "
                  "compare CPU ns per datagram instead.");
  }

  lines network;
  lines drops;
  bool shared = run.plan.shared_cpu;
  for (const record::result* r : g.receivers) {
    if (r->summary.limited_by == record::limit::network) network.push_back(r->receiver);
    shared = shared || r->summary.limited_by == record::limit::shared_cpu;
    std::uint64_t sent = 0;
    std::uint64_t dropped = 0;
    for (const record::round& each : r->rounds) {
      if (!each.valid || !each.kernel_dropped) continue;
      sent += each.sent;
      dropped += *each.kernel_dropped;
    }
    if (sent > 0) {
      const double part = static_cast<double>(dropped) / static_cast<double>(sent);
      drops.push_back(percent(part) + " for " + r->receiver);
    }
  }
  if (!network.empty()) out.push_back("The network was the limit for " + listed(network) + ".");
  if (shared) {
    out.push_back(
        "Sender and receiver share one cpu, so this measures the scheduler as much as the "
        "receivers" +
        (drops.empty() ? "." : ": of what was sent, the kernel dropped " + listed(drops) + "."));
  }
}

} // namespace detail

} // namespace udpbench::report
