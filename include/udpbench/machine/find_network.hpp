/** @file
    What there is to say of the way that datagrams take through the kernel.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/parse.hpp>
#include <udpbench/machine/words.hpp>

#include <string>
#include <vector>

namespace udpbench::machine {

/** Whether loopback hands datagrams to other cpus. */
inline finding find_steering(const facts& f) {
  finding out{.subject = "loopback steering"};
  if (!f.network.loopback_rps) {
    out.found = "The kernel doesn't show receive packet steering of the loopback device.";
    return out;
  }
  if (!any_in_mask(*f.network.loopback_rps)) {
    out.level = level::ok;
    out.found = "No packet steering on loopback: a datagram is queued by the cpu that sends it.";
    return out;
  }
  out.level = level::warning;
  out.found = "Packet steering on loopback hands datagrams to the cpus of the mask " +
              std::string(trimmed(*f.network.loopback_rps)) + ".";
  out.why = "The kernel's part of a send then runs on another cpu, perhaps the receiver's, and "
            "datagrams can be dropped before they reach the socket.";
  out.change = "As root: echo 0 > /sys/class/net/lo/queues/rx-0/rps_cpus.";
  return out;
}

/** Whether the queue before the sockets is as long as usual. */
inline finding find_softirq(const facts& f) {
  finding out{.subject = "softirq"};
  if (!f.network.max_backlog || !f.network.budget) {
    out.found = "The kernel doesn't show the limits of its network softirqs.";
    out.why = "Inside a container's network they are hidden.";
    return out;
  }
  out.level = level::ok;
  out.found = "net.core.netdev_max_backlog is " + std::to_string(*f.network.max_backlog) +
              ", net.core.netdev_budget " + std::to_string(*f.network.budget) + ".";
  // Below the kernel's own: 1000 and 300.
  if (*f.network.max_backlog >= 1000 && *f.network.budget >= 300) return out;
  out.level = level::warning;
  out.why = "That is below the kernel's own 1000 and 300. Loopback passes through this queue too, "
            "and what doesn't fit is dropped before the socket (softnet drops).";
  out.change = "As root: sysctl -w net.core.netdev_max_backlog=1000 net.core.netdev_budget=300.";
  return out;
}

/** Whether receive calls spin on the device. */
inline finding find_busy_poll(const facts& f) {
  finding out{.subject = "busy poll"};
  if (!f.network.busy_read || !f.network.busy_poll) {
    out.found = "The kernel doesn't show whether receive calls poll the device.";
    return out;
  }
  if (*f.network.busy_read == 0 && *f.network.busy_poll == 0) {
    out.level = level::ok;
    out.found = "Receive calls don't poll the device (net.core.busy_read and busy_poll are 0).";
    return out;
  }
  out.level = level::note;
  out.found = "net.core.busy_read is " + std::to_string(*f.network.busy_read) +
              " us, net.core.busy_poll " + std::to_string(*f.network.busy_poll) + " us.";
  out.why = "A receive call that finds nothing spins for so long on a device that supports it, "
            "which costs CPU time, and not every receiver alike. Loopback doesn't support it.";
  out.change = "As root: sysctl -w net.core.busy_read=0 net.core.busy_poll=0.";
  return out;
}

/** Whether a firewall looks at each datagram. */
inline finding find_firewall(const facts& f) {
  const firewall_facts& w = f.firewall;
  finding out{.subject = "firewall"};
  if (!w.modules && !w.tables && !w.tracked) {
    out.found = "The kernel shows nothing of netfilter: no modules, tables or connections.";
    out.why = "Such a kernel may still have it built in.";
    return out;
  }
  if (w.tracked && w.tracked_most && *w.tracked_most > 0 &&
      *w.tracked >= *w.tracked_most - *w.tracked_most / 10) {
    out.level = level::warning;
    out.found = "Connection tracking is nearly full: " + std::to_string(*w.tracked) + " of " +
                std::to_string(*w.tracked_most) + ".";
    out.why = "When it is full, the kernel drops datagrams of new flows.";
    out.change = "As root: raise net.netfilter.nf_conntrack_max.";
    return out;
  }
  std::vector<std::string> parts;
  if (w.tables && !w.tables->empty()) parts.push_back("tables " + listed(*w.tables));
  if (w.modules && !w.modules->empty()) parts.push_back("modules " + listed(*w.modules));
  if (w.tracked.value_or(0) > 0)
    parts.push_back(std::to_string(*w.tracked) + " connections tracked");
  if (parts.empty()) {
    out.level = level::ok;
    out.found = "No sign of firewall rules, though nftables built into the kernel would show none.";
    return out;
  }
  out.level = level::note;
  out.found = "A firewall may look at each datagram, also on loopback: " + listed(parts) + ".";
  out.why =
      "That is mostly work of the sender's cpu, and the same for every receiver; it lowers the "
      "rate that a sender reaches.";
  out.change = "Look at the rules with nft list ruleset; a rule that skips tracking for lo "
               "(notrack) spares most of it.";
  return out;
}

} // namespace udpbench::machine
