/** @file
    A receiver whose datagrams are worked on before they are counted.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/receiver.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace udpbench::app {

/** A sink of one's own before the ledger. Lifetime: the ledger outlives it. Threads: the receiving one. */
template <datagram_sink Sink>
  requires std::default_initializable<Sink>
class before_ledger {
 public:
  /** @param ledger  counts what `Sink` has seen. */
  explicit before_ledger(measure::ledger& ledger) noexcept : ledger_(ledger) {}

  /** Gives it to both. */
  void operator()(const datagram& d) noexcept {
    sink_(d);
    ledger_(d);
  }

 private:
  Sink sink_;
  measure::ledger& ledger_;
};

namespace detail {

/** The sinks of a server, which stand before it, as it refers to them. */
template <datagram_sink Sink>
struct sinks_before {
  explicit sinks_before(std::span<measure::ledger> ledgers) {
    for (measure::ledger& l : ledgers) before_ledgers.emplace_back(l);
  }

  std::vector<before_ledger<Sink>> before_ledgers;
};

} // namespace detail

/** A server together with the sinks that it gives datagrams to: a receiver as a catalogue makes it.
    Errors and threads: as the server's own. */
template <datagram_sink Sink, receiver Server>
class with_sink : detail::sinks_before<Sink>, public Server {
  using before = detail::sinks_before<Sink>;

 public:
  /** Of one socket. @param ledger  outlives it. */
  explicit with_sink(measure::ledger& ledger)
      : before(std::span(&ledger, 1)), Server(before::before_ledgers.front()) {}
  /** Of one socket and several threads. @param ledger  outlives it. @param threads  that work together. */
  with_sink(measure::ledger& ledger, std::size_t threads)
    requires std::constructible_from<Server, before_ledger<Sink>&, std::size_t>
      : before(std::span(&ledger, 1)), Server(before::before_ledgers.front(), threads) {}
  /** Of a socket for each of `ledgers`, which outlive it. */
  explicit with_sink(std::span<measure::ledger> ledgers)
    requires std::constructible_from<Server, std::span<before_ledger<Sink>>>
      : before(ledgers), Server(std::span(before::before_ledgers)) {}
};

} // namespace udpbench::app
