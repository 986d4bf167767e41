/** @file
    A plan as it stands on record. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/plan.hpp>
#include <udpbench/net/path_mtu.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/wire/header.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace udpbench::experiment {

/** Writes what fits into a packet on the way to the plan's address, and how many packets a datagram of each result takes.
    @param out  with its results.
    @param address  that was sent to.
    @param mtu  of the path there, bytes; empty: not known. */
inline void note_packets(record::run& out, const boost::asio::ip::address& address,
                         std::optional<std::size_t> mtu) {
  out.plan.path_mtu = mtu;
  if (!mtu) return;
  for (auto& r : out.results) r.packets = net::packets_of(r.size, *mtu, address);
}

/** Writes what was asked for; what comes of it is left as it is. */
inline void describe(const plan& asked, record::plan& p) {
  p.receivers = asked.receivers;
  for (const load& l : asked.loads) p.loads.push_back(l.name());
  p.sizes.assign(asked.sizes.begin(), asked.sizes.end());
  if (asked.mixed_sizes) p.mixed_from = wire::header_bytes;
  p.sockets.assign(asked.sockets.begin(), asked.sockets.end());
  p.threads = asked.threads;
  for (const work& w : asked.works) p.works.push_back(w.name().empty() ? "0" : w.name());
  p.count = asked.count;
  p.blocks = asked.blocks;
  p.margin = asked.margin;
  p.confidence = 0.95;
  p.precision = asked.precision;
  if (asked.precision) p.max_time_ns = static_cast<std::uint64_t>(asked.max_time.count());
  p.address = asked.address.to_string();
  p.send = name(asked.send);
  if (std::any_of(asked.loads.begin(), asked.loads.end(), [](const load& l) { return l.held(); }))
    p.fill = name(filled_by(asked.send));
  p.flows = asked.flows;
  p.receive_buffer.requested = asked.receive_buffer_bytes;
  p.pin = {
      .sender = asked.pin.sender, .receiver = asked.pin.receiver, .receivers = asked.pin.receivers};
  p.shared_cpu = asked.shared_cpu;
}

} // namespace udpbench::experiment
