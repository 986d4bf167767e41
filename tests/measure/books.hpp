/** @file
    A ledger and the datagrams that reach it, without a socket.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "payload.hpp"

#include <udpbench/measure/ledger.hpp>
#include <udpbench/wire/header.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

/** The ledger of a round of one run that is under way. */
struct books {
  static constexpr std::uint64_t run = 0x1122334455667788;
  static constexpr std::uint16_t round = 7;
  static constexpr std::size_t size = 64;

  explicit books(std::uint16_t flows = 1, std::uint64_t reach = 64) : ledger(flows, reach) {
    ledger.begin(run, round);
  }

  /** A datagram reaches the receiver, whose buffers hold `room` bytes. */
  void arrive(const support::bytes& datagram, std::size_t room = 2048) {
    // A copy that ends where the buffer does, so that reading beyond it is seen.
    const support::bytes held(datagram.begin(),
                              datagram.begin() +
                                  static_cast<std::ptrdiff_t>(std::min(room, datagram.size())));
    ledger(udpbench::datagram{held, datagram.size()});
  }

  void arrive(const udpbench::wire::header& header) { arrive(support::numbered(header, size)); }

  /** Datagrams of this round and flow 0 arrive, in that order. */
  void arrive(std::initializer_list<std::uint64_t> sequences) {
    for (const auto sequence : sequences)
      arrive({.round = round, .run = run, .sequence = sequence});
  }

  void arrive_between(std::uint64_t first, std::uint64_t last) {
    for (auto sequence = first; sequence <= last; ++sequence) arrive({sequence});
  }

  const udpbench::measure::arrivals& counts() const { return ledger.counts(); }

  /** Of `sent` datagrams, those that never arrived. */
  std::int64_t missing(std::uint64_t sent) const {
    return static_cast<std::int64_t>(sent) - static_cast<std::int64_t>(counts().unique);
  }

  udpbench::measure::ledger ledger;
};
