/** @file
    Where datagrams were lost between two hosts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/net/device_counters.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/record/result.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace udpbench::experiment {

/** What the sender's interface drops from now on. Threads: one. */
class sending_device {
 public:
  /** @param remote  to which this host sends datagrams. */
  explicit sending_device(const net::endpoint& remote) {
    if (const auto from = net::address_towards(remote)) name_ = net::device_of(*from);
    before_ = net::read_device_counters(name_);
  }

  /** Packets that it has dropped since; empty where that can't be told. */
  std::optional<std::uint64_t> dropped() const {
    const auto now = net::read_device_counters(name_);
    if (!now || !before_) return {};
    return (*now - *before_).sent_dropped;
  }

 private:
  std::string name_;
  std::optional<net::device_counters> before_;
};

/** Divides what is unexplained of a round among those that counted drops. What finds the backlog full is also counted as dropped by the
    interface that it came by; and where one kernel has both ends, by the one that it was handed over by.
    @param s  of the round, with the counters of the receiver's host.
    @param sender_dropped  by the sender's interface.
    @param same_machine  one kernel has both ends. */
inline record::way_losses divide(const sample& s, std::optional<std::uint64_t> sender_dropped,
                                 bool same_machine) {
  record::way_losses out;
  out.sending_device = sender_dropped;
  if (s.host) {
    const auto backlog = s.host->softnet_dropped;
    const auto but_for_backlog = [backlog](std::uint64_t n) { return n - std::min(n, backlog); };
    out.backlog = backlog;
    out.receiving_device = but_for_backlog(s.host->device_dropped);
    if (same_machine && sender_dropped) out.sending_device = but_for_backlog(*sender_dropped);
    out.udp = s.host->memory_errors + s.host->checksum_errors;
  }
  out.remainder = unexplained(s);
  for (const auto& counted : {out.sending_device, out.receiving_device, out.backlog, out.udp})
    out.remainder -= static_cast<std::int64_t>(counted.value_or(0));
  return out;
}

} // namespace udpbench::experiment
