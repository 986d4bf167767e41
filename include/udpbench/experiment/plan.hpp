/** @file
    What a comparison is asked to do.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/load.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/experiment/work.hpp>
#include <udpbench/net/open.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

/** Plans in, records out: loads, blocks, comparisons, and the places where receivers live. */
namespace udpbench::experiment {

/** The cpu of the sender and that of the receiver; empty: not bound. */
struct pinning {
  std::optional<unsigned> sender;       ///< Its number, as the kernel counts.
  std::optional<unsigned> receiver;     ///< Likewise.
  std::vector<unsigned> receivers = {}; ///< Of several receiving threads: those that they share.

  /** All that receiving threads are bound to; empty: not bound. */
  std::vector<unsigned> receiving() const {
    if (receiver) return {*receiver};
    return receivers;
  }
};

/** One comparison. What it says stands on record as `record::plan`. */
struct plan {
  std::vector<std::string>
      receivers;           ///< By their names in the catalogue; the first is the baseline.
  std::vector<load> loads; ///< Each is run at each size.
  std::vector<std::size_t> sizes{1024}; ///< Payload, bytes.
  /** Each datagram has a size of its own, drawn by `seed` from `wire::header_bytes` up to that of `sizes`, the same for each receiver. */
  bool mixed_sizes = false;
  std::vector<std::size_t> sockets{1}; ///< Of each receiver; more than one: on threads of its own.
  std::size_t threads = 1;             ///< That receive one address and port, of each receiver.
  std::vector<work> works{work{}};     ///< Done with each datagram; each with each load and size.
  std::uint64_t count = 50'000;        ///< Datagrams a round; backlog has turns instead.
  std::uint64_t blocks = 20;           ///< Of each load and size; a starved one is repeated.
  /** Half-width of interval that is aimed at, 0.01 is 1 %: `blocks` are then a pilot, and more follow where their intervals are
      wider. Empty: no more follow. */
  std::optional<double> precision;
  /** What may pass, from the start of the whole comparison, before no more blocks follow. Pilots run in any case. */
  std::chrono::nanoseconds max_time = std::chrono::seconds(60);
  double margin = 0.02; ///< What counts as equivalent: 0.02 is 2 %.
  /** Receivers are bound to it. */
  boost::asio::ip::address address = boost::asio::ip::address_v4::loopback();
  /** The address is that of another host, or is reached as if it were one: on the way datagrams may be lost, and the sender has nothing in
      common with the receiver. */
  bool remote = false;
  /** That other host is this machine, behind an address of its own (a network namespace, a container). */
  bool same_machine = false;
  std::optional<std::size_t> receive_buffer_bytes; ///< Empty: the kernel's default.
  send_mode send = send_mode::automatic;           ///< Of a backlog, what fills it.
  std::uint16_t flows = 1;            ///< Source ports of these, used in turn by send calls.
  pinning pin;                        ///< Of the two threads.
  bool shared_cpu = false;            ///< Sender and receiver have one cpu between them.
  std::uint64_t seed = drawn() >> 33; ///< Of every random order; random unless it is set.
  std::uint64_t run = drawn();        ///< Run id, random: tells these datagrams from all others.

  /** The sender is on that other host, and the receivers here: the address is of this one. */
  bool reverse = false;

  /** Whether any of `sockets` is more than one. */
  bool several_sockets() const { return sockets != std::vector<std::size_t>{1}; }

  /** Whether there is a network between the two ends. */
  bool network() const { return remote && !address.is_loopback(); }

 private:
  static std::uint64_t drawn() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }
};

} // namespace udpbench::experiment
