/** @file
    Rounds of a server that has several sockets, on threads of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/observe.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/host_counters.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/server.hpp>
#include <udpbench/sync_client.hpp>

#include <boost/thread/exceptions.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** A server with a socket and a ledger for each of `plan.sockets`, for one round: `begin` starts its threads and warms them, `end`
    stops them. What its threads use is all that the process uses and the calling thread doesn't, so nobody else may be at work in it.
    Whether all has arrived is told by the sockets' queues: no datagram pays for it. Threads: one, which also sends. */
class many_sockets {
 public:
  /** Makes a server of a ledger for each socket. */
  using maker = std::function<any_server(std::span<measure::ledger>)>;

  /** Opens all sockets. Errors: throws what the server throws. */
  many_sockets(const seat_plan& plan, const maker& make)
      : plan_(plan), ledgers_(plan.sockets), server_(make(ledgers_)) {
    for (auto& ledger : ledgers_) ledger.then_do(measure::work(plan.work));
    const std::vector<net::endpoint> locals(plan.sockets, net::endpoint(plan.address, 0));
    endpoints_ = server_.open_each(locals, plan.options);
  }

  /** Where they are bound. */
  const std::vector<net::endpoint>& endpoints() const noexcept { return endpoints_; }
  /** The first socket's descriptor. */
  int native_handle() { return server_.native_handle(0); }
  /** Threads that receive. */
  std::size_t threads() { return server_.own_threads(); }

  /** Starts the threads and sends each socket its first datagrams, which count in the ledger and are not timed.
      Errors: throws std::runtime_error where they don't arrive; what the server throws. */
  schedule begin(const round_plan& plan) {
    round_ = plan;
    schedule_ = {.run = plan_.run, .round = 1, .size = plan.size};
    for (auto& ledger : ledgers_) begin_ledger(ledger, schedule_);
    host_before_ = net::read_host_counters();
    for (std::size_t i = 0; i < ledgers_.size(); ++i)
      drops_.emplace_back(net::drop_counter(server_.native_handle(i)));
    {
      // Threads begin on the cpus of the one that makes them.
      const net::scoped_affinity bound(plan_.cpu);
      start();
    }
    sync_client<> filler;
    filler.open_each(endpoints_);
    warm_ = filler.send(schedule_, warm_each * ledgers_.size());
    if (warm_.sent != warm_.intended || !emptied())
      throw std::runtime_error("warming up: the first datagrams were not received");
    schedule_.first_sequence = warm_each;
    use_before_ = measure::other_threads_use();
    begin_ = clock::now();
    return schedule_;
  }

  /** Waits until all has been received, and stops the threads. Errors: throws what ended a thread of the server's. */
  sample end(const send_counts& sent) {
    sample out;
    const bool all = emptied();
    const auto end = clock::now();
    const auto use = measure::other_threads_use() - use_before_;
    std::uint64_t dropped = 0;
    bool told = true;
    for (std::size_t i = 0; i < ledgers_.size(); ++i) {
      const auto d = drops_[i].update(net::drop_counter(server_.native_handle(i)));
      told = told && d.has_value();
      dropped += d.value_or(0);
    }
    const auto failure = server_.failure();
    server_.stop();
    if (failure) std::rethrow_exception(failure);
    if (!all) out.trouble = "sockets still had datagrams when the round was over";
    if (told) out.kernel_dropped = dropped;
    for (const auto& ledger : ledgers_) out.arrivals += ledger.counts();
    out.sent = warm_;
    out.sent += sent;
    out.during = out.timed = out.arrivals.unique - warm_.sent;
    out.elapsed = end - begin_;
    out.cpu = use.cpu;
    out.user = use.user;
    out.system = use.system;
    out.voluntary_switches = use.voluntary_switches;
    out.involuntary_switches = use.involuntary_switches;
    out.cpu_share = static_cast<double>(use.cpu.count()) / static_cast<double>(out.elapsed.count());
    out.host = net::read_host_counters() - host_before_;
    return out;
  }

 private:
  using clock = measure::monotonic_clock;

  /** Of each socket, before the clock runs. */
  static constexpr std::uint64_t warm_each = 4;

  void start() {
    try {
      server_.start();
    } catch (const boost::thread_resource_error&) {
      throw std::runtime_error("the system doesn't give " + std::to_string(server_.own_threads()) +
                               " threads (ulimit -u)");
    }
  }

  /** Waits until no socket has anything queued; false where that takes longer than the round may. */
  bool emptied() {
    const auto deadline = clock::now() + round_.limit;
    for (std::size_t i = 0; i < ledgers_.size();) {
      if (net::next_length(server_.native_handle(i)) == 0) {
        ++i;
        continue;
      }
      if (clock::now() >= deadline || server_.failure()) return false;
      std::this_thread::yield();
    }
    return true;
  }

  seat_plan plan_;
  std::vector<measure::ledger> ledgers_;
  any_server server_;
  std::vector<net::endpoint> endpoints_;
  round_plan round_;
  schedule schedule_;
  send_counts warm_;
  std::vector<net::drop_meter> drops_;
  net::host_counters host_before_;
  measure::thread_use use_before_;
  clock::time_point begin_;
};

} // namespace udpbench::experiment
