/** @file
    A receiver whose datagrams are worked on before they are counted.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/receiver.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

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

/** A server together with the sink that it gives datagrams to: a receiver as a catalogue makes it.
    Errors and threads: as the server's own. */
template <datagram_sink Sink, receiver Server>
class with_sink {
 public:
  /** @param ledger  outlives it. */
  explicit with_sink(measure::ledger& ledger) : sink_(ledger), server_(sink_) {}

  /** @copydoc basic_server::open */
  net::endpoint open(const net::endpoint& local, const server_options& options = {}) {
    return server_.open(local, options);
  }
  /** @copydoc basic_server::receive */
  std::size_t receive(std::size_t n, measure::monotonic_clock::time_point deadline) {
    return server_.receive(n, deadline);
  }
  /** @copydoc basic_server::stop */
  void stop() noexcept { server_.stop(); }
  /** The socket's descriptor; -1 while closed. */
  int native_handle() { return server_.native_handle(); }
  /** What the handler memory was asked for. */
  memory::usage memory_use() const
    requires tells_memory_use<Server>
  {
    return server_.memory_use();
  }
  /** Receive calls that failed. */
  std::uint64_t receive_errors() const
    requires tells_receive_errors<Server>
  {
    return server_.receive_errors();
  }

 private:
  before_ledger<Sink> sink_;
  Server server_;
};

} // namespace udpbench::app
