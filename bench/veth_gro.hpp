/** @file
    One passage of datagrams from a network namespace to another, composed from the library's sender, receivers and ledger.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/sync_client.hpp>

#include <boost/asio/ip/address.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sched.h>

namespace veth_gro {

using clock = udpbench::measure::monotonic_clock;

/** Where to run. */
struct setting {
  std::string receiver;             ///< Name of its namespace.
  std::string sender;               ///< Likewise.
  boost::asio::ip::address address; ///< Of the receiver.
  std::uint64_t count = 0;          ///< Datagrams of each passage.
};

/** What is sent. */
struct traffic {
  std::uint16_t flows = 1; ///< Source ports, round robin by send call.
  bool mixed =
      false; ///< Each datagram has a size of its own, up to what fits; else all have 1 KiB.
};

/** What came of it. */
struct passage {
  std::uint64_t sent = 0;
  udpbench::measure::arrivals arrivals;
  std::optional<std::uint64_t> calls; ///< Receive calls that gave something; empty: nobody counts.
  double seconds = 0;                 ///< From the first receive to the last that gave something.
  double cpu_ns = 0;                  ///< Of the receiving thread.
};

/** Moves the calling thread into a network namespace; sockets that it opens from then on are there. Errors: throws system_error. */
inline void enter(const std::string& name) {
  const std::string path = "/run/netns/" + name;
  const udpbench::net::descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || ::setns(fd.get(), CLONE_NEWNET) != 0)
    throw udpbench::system_error(udpbench::error_code(errno, boost::system::system_category()),
                                 "enter " + path);
}

/** Sends all of it and returns how many datagrams were accepted. Equal sizes go as segmented sends, which are cut up at the sender's
    interface if that can't do it. */
inline std::uint64_t send(const udpbench::net::endpoint& to, const setting& s, const traffic& t) {
  udpbench::schedule what{.run = 1, .round = 1, .size = 1024};
  if (!t.mixed) {
    udpbench::sync_client<udpbench::send::segmented> client;
    client.open(to, t.flows);
    return client.send(what, s.count).sent;
  }
  what.size = 1472;
  what.mixed = 1;
  udpbench::sync_client<> client;
  client.open(to, t.flows);
  return client.send(what, s.count).sent;
}

/** Receives in the one namespace what is sent in the other, on two threads. Errors: throws what either of them threw. */
template <class Server>
passage pass(const setting& s, const traffic& t) {
  constexpr auto tail = std::chrono::milliseconds(250);
  udpbench::measure::ledger ledger(t.flows);
  ledger.begin(1, 1);
  passage out;
  udpbench::net::endpoint bound;
  std::atomic<bool> ready{false};
  std::atomic<bool> told{false};
  std::exception_ptr failure;

  std::thread receiving([&] {
    try {
      enter(s.receiver);
      Server server(ledger);
      bound = server.open({s.address, 0}, {.socket = {.receive_buffer_bytes = 4 << 20}});
      ready = true;
      ready.notify_one();
      auto quiet_since = clock::now();
      std::optional<clock::time_point> first;
      auto last = quiet_since;
      const auto cpu = udpbench::measure::thread_cpu_time();
      while (!told || clock::now() - quiet_since < tail) {
        if (server.receive(1024, clock::now() + udpbench::server_tick) == 0) continue;
        last = quiet_since = clock::now();
        if (!first) first = last;
      }
      out.cpu_ns = static_cast<double>((udpbench::measure::thread_cpu_time() - cpu).count());
      if (first) out.seconds = std::chrono::duration<double>(last - *first).count();
      if constexpr (udpbench::tells_receive_calls<Server>) out.calls = server.receive_calls();
    } catch (...) {
      failure = std::current_exception();
    }
    ready = true;
    ready.notify_one();
  });
  std::exception_ptr unsent;
  std::thread sending([&] {
    try {
      ready.wait(false);
      if (failure) return;
      enter(s.sender);
      out.sent = send(bound, s, t);
    } catch (...) {
      unsent = std::current_exception();
    }
  });
  sending.join();
  told = true;
  receiving.join();
  for (const auto& each : {failure, unsent})
    if (each) std::rethrow_exception(each);
  out.arrivals = ledger.counts();
  return out;
}

} // namespace veth_gro
