/** @file
    Sentences about what was lost between two hosts.

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

namespace udpbench::report::detail {

/** What the valid rounds of a receiver lost on the way, and where. */
struct way {
  std::uint64_t sent = 0;
  std::int64_t unexplained = 0;
  record::way_losses lost = {0, 0, 0, 0, 0};
  std::uint64_t queue_peak = 0; ///< Bytes of the receiving socket.
  bool known = false;
};

inline way way_of(const record::result& r) {
  way out;
  const auto add = [](std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& n) {
    // One round that doesn't know leaves the sum unknown.
    to = to && n ? std::optional(*to + *n) : std::nullopt;
  };
  for (const record::round& each : r.rounds) {
    if (!each.valid || !each.lost_on_the_way) continue;
    const auto& lost = *each.lost_on_the_way;
    out.known = true;
    out.sent += each.sent;
    out.queue_peak = std::max(out.queue_peak, each.queue_peak_bytes.value_or(0));
    out.unexplained += each.unexplained;
    add(out.lost.sending_device, lost.sending_device);
    add(out.lost.receiving_device, lost.receiving_device);
    add(out.lost.backlog, lost.backlog);
    add(out.lost.udp, lost.udp);
    out.lost.remainder += lost.remainder;
  }
  return out;
}

/** One sentence for each receiver that lost something between the hosts: how much, and who counted it. */
inline void note_way(std::vector<std::string>& out, const group& g) {
  for (const record::result* r : g.receivers) {
    const way w = way_of(*r);
    if (!w.known || w.unexplained <= 0) continue;
    std::vector<std::string> where;
    const auto say = [&where](const std::optional<std::uint64_t>& n, const std::string& who) {
      if (n.value_or(0) > 0) where.push_back(count(*n) + ' ' + who);
    };
    say(w.lost.sending_device, "by the sender's interface");
    say(w.lost.receiving_device, "by the receiver's interface");
    say(w.lost.backlog, "by the receiver's kernel, before UDP had them");
    say(w.lost.udp, "by the receiver's UDP");
    const double part = static_cast<double>(w.unexplained) / static_cast<double>(w.sent);
    std::string text = "On the way " + r->receiver + " lost " +
                       counted(static_cast<std::uint64_t>(w.unexplained), "datagram") + ", " +
                       percent(part) + " of what was sent; ";
    text += where.empty()
                ? "no counter of either host has them."
                : "of packets dropped, whosever they were, were counted " + listed(where) + ".";
    if (w.queue_peak > 0)
      text += " Its receive buffer held up to " + bytes(w.queue_peak) + " meanwhile.";
    out.push_back(std::move(text));
  }
}

} // namespace udpbench::report::detail
