/** @file
    Rounds of a server that has several sockets, or several threads: on threads of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/many_threads.hpp>
#include <udpbench/experiment/observe.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/socket_drops.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/threads_asleep.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/host_counters.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/server.hpp>
#include <udpbench/sync_client.hpp>

#include <boost/thread/exceptions.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** A server with a socket and a ledger for each of `plan.sockets`, or for each of `plan.threads` that has them, for one round: `begin`
    starts its threads and warms them, `end` stops them; or for turns, of which the first starts them. All sockets of several threads are bound to one port. What its threads use is all that the process uses and the calling thread doesn't, so nobody else may be at work in it.
    Whether all has arrived is told by the sockets' queues: no datagram pays for it. Threads: one, which also sends. */
class many_sockets {
 public:
  /** Opens all sockets. Errors: throws what the server throws.
      @param plan  of the seat.
      @param entry  of the receiver.
      @param over  as `in_process` has it. */
  many_sockets(const seat_plan& plan, const catalogue::entry& entry, const std::atomic<bool>* over)
      : plan_(plan),
        over_(over),
        ledgers_(books(plan, ledgers_for(plan, entry))),
        server_(make_on_threads(plan, entry, ledgers_)),
        memory_(allocation_watch::of_own_threads(server_.counters())),
        calls_(server_.counters()),
        batches_(server_.counters()),
        drops_(server_) {
    for (auto& ledger : ledgers_) ledger.then_do(measure::work(plan.work));
    const std::vector<net::endpoint> locals(plan.sockets, net::endpoint(plan.address, 0));
    endpoints_ = server_.open_each(locals, plan.options);
  }

  /** Where they are bound. */
  const std::vector<net::endpoint>& endpoints() const noexcept { return endpoints_; }

  /** See `place`. */
  void send_from(const net::endpoint& to, std::string_view bytes) {
    for (std::size_t i = 0; i < ledgers_.size(); ++i)
      net::send_from(server_.native_handle(i), to, bytes);
  }
  /** The first socket's descriptor. */
  int native_handle() { return server_.native_handle(0); }
  /** Threads that receive. */
  std::size_t threads() { return server_.own_threads(); }

  /** Starts the threads and sends each socket its first datagrams, which count in the ledger and are not timed.
      Errors: throws std::runtime_error where they don't arrive; what the server throws. */
  schedule begin(const round_plan& plan) {
    limit_ = plan.limit;
    start(plan.size);
    if (!offer(warm_each))
      throw std::runtime_error("warming up: the first datagrams were not received");
    warmed_ = offered_.sent - drops_.read().value_or(0);
    if (server_.never_sleeps()) times_before_ = measure::times_of_other_threads();
    use_before_ = measure::other_threads_use();
    begin_ = clock::now();
    return schedule_;
  }

  /** Sends `depth` datagrams to each socket, or of each flow, waits until they are taken and the threads sleep again, and does so for each
      slice; whatever the plan says, by single sends. Nothing is timed, and the ledger isn't looked at: the sample tells what was sent.
      Errors: throws what the server throws, and what ended a thread of its own. */
  sample turn(const turn_plan& plan) {
    limit_ = std::chrono::seconds(2);
    if (!started_) start(plan.size);
    sample out;
    out.never_sleeps = server_.never_sleeps();
    const auto before = offered_.sent;
    for (unsigned i = 0; i < plan.untimed + plan.timed && out.trouble.empty(); ++i) {
      if (!offer(plan.depth))
        out.trouble =
            schedule_.stopped() ? stopped_early : "datagrams were not received within 2 s";
      if (!out.never_sleeps) settle();
    }
    out.sent.sent = out.sent.intended = offered_.sent - before;
    if (out.trouble.empty() && drops_.read().value_or(0) != 0)
      out.trouble = "datagrams did not enter the receive buffer";
    return out;
  }

  /** Waits until all has been received, and stops the threads. Errors: throws what ended a thread of the server's. */
  sample end(const send_counts& sent) {
    sample out;
    drops_.read(); // It counts to 2^32, and sending may have taken long.
    const bool all = emptied();
    out.elapsed = clock::now() - begin_;
    out.never_sleeps = server_.never_sleeps();
    if (!out.never_sleeps) settle();
    book_use(out, measure::other_threads_use() - use_before_);
    if (out.never_sleeps)
      out.least_share = least_share(
          plan_, server_.own_threads(),
          measure::between(times_before_, measure::times_of_other_threads()), out.elapsed);
    out.kernel_dropped = drops_.read();
    out.joined = net::joins_datagrams(server_.native_handle(0));
    const bool trains = out.joined && !sent.trains.empty();
    const auto threads = server_.own_threads();
    const auto failure = server_.failure();
    server_.stop();
    if (failure) std::rethrow_exception(failure);
    out.sent = offered_;
    out.sent += sent;
    book_counters(out);
    book_ledgers(out, threads);
    out.trouble = calls_.trouble();
    if (!out.trouble.empty()) return out;
    if (schedule_.stopped())
      out.trouble = stopped_early;
    else if (!all)
      out.trouble = "sockets still had datagrams when the round was over";
    else if (trains && out.kernel_dropped.value_or(0) != 0)
      out.trouble =
          "trains of datagrams were dropped (UDP_GRO), and of several sockets it can't be "
          "told how long they were";
    return out;
  }

 private:
  using clock = measure::monotonic_clock;

  /** Of each socket or flow, before the clock runs. */
  static constexpr std::uint64_t warm_each = 4;

  /** Each can tell apart as much as one of one flow: their memory doesn't grow with the flows. */
  static std::vector<measure::ledger> books(const seat_plan& plan, std::size_t count) {
    constexpr std::uint64_t least = 1024;
    const auto reach = measure::duplicate_window::default_reach / plan.flows;
    std::vector<measure::ledger> all;
    for (std::size_t i = 0; i < count; ++i)
      all.emplace_back(plan.flows, std::max<std::uint64_t>(reach, least));
    return all;
  }

  static void book_use(sample& out, const measure::thread_use& use) {
    out.cpu = use.cpu;
    out.user = use.user;
    out.system = use.system;
    out.voluntary_switches = use.voluntary_switches;
    out.involuntary_switches = use.involuntary_switches;
    out.cpu_share = static_cast<double>(use.cpu.count()) / static_cast<double>(out.elapsed.count());
  }

  /** Waits until the threads have done with what they have taken out of the sockets, and sleep; not for ever. */
  static void settle() {
    const auto deadline = clock::now() + std::chrono::milliseconds(200);
    while (!measure::other_threads_asleep() && clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /** When the threads have ended. */
  void book_counters(sample& out) {
    memory_.add_to(out);
    calls_.add_to(out);
    batches_.take();
    batches_.write_to(out);
    out.host = net::read_host_counters(device_) - host_before_;
  }

  /** Likewise. */
  void book_ledgers(sample& out, std::size_t threads) const {
    std::vector<std::uint64_t> offered;
    for (std::size_t i = 0; i < ledgers_.size(); ++i) {
      const auto& came = ledgers_[i].counts();
      out.arrivals += came;
      if (plan_.threads > 1 && ledgers_.size() > 1) out.per_thread.push_back(came.unique);
      offered.push_back(came.unique + drops_.last(i).value_or(0));
    }
    // However the flows are spread, threads that never sleep run on all their cpus.
    if (out.never_sleeps) offered.clear();
    out.cpus = cpus_of_threads(plan_, threads, offered);
    out.counted = out.arrivals.total();
    out.during = out.timed = out.arrivals.unique - std::min(warmed_, out.arrivals.unique);
  }

  /** Opens the books for datagrams of that size, and starts the threads. */
  void start(std::size_t size) {
    schedule_ = {.run = plan_.run, .round = 1, .size = size, .mixed = plan_.mixed, .stop = over_};
    for (auto& ledger : ledgers_) begin_ledger(ledger, schedule_);
    if (!plan_.address.is_loopback()) device_ = net::device_of(plan_.address);
    host_before_ = net::read_host_counters(device_);
    drops_.begin(ledgers_.size());
    {
      // Threads begin on the cpus of the one that makes them.
      const net::scoped_affinity one(plan_.cpu);
      const net::scoped_affinity some(plan_.cpus);
      start_threads();
    }
    started_ = true;
    if (endpoints_.size() > 1)
      filler_.open_each(endpoints_);
    else
      filler_.open(endpoints_.front(), plan_.flows);
  }

  /** Sends so many datagrams to each socket, or of each flow, and waits until they have been taken; false where one isn't.
      Errors: throws what ended a thread of the server's. */
  bool offer(std::uint64_t each) {
    const auto sent =
        filler_.send(schedule_, each * std::max<std::size_t>(endpoints_.size(), plan_.flows));
    schedule_.first_sequence += each;
    offered_ += sent;
    const bool all = !schedule_.stopped() && sent.sent == sent.intended && emptied();
    if (const auto failure = server_.failure()) std::rethrow_exception(failure);
    return all;
  }

  void start_threads() {
    try {
      server_.start();
    } catch (const boost::thread_resource_error&) {
      throw std::runtime_error("the system doesn't give " + std::to_string(server_.own_threads()) +
                               " threads (ulimit -u)");
    }
  }

  /** Waits until no socket has anything queued; false where that takes longer than the round or slice may. */
  bool emptied() {
    const auto deadline = clock::now() + limit_;
    for (std::size_t i = 0; i < ledgers_.size();) {
      if (net::next_length(server_.native_handle(i)) == 0) {
        ++i;
        continue;
      }
      if (clock::now() >= deadline || server_.failure() || schedule_.stopped()) return false;
      std::this_thread::yield();
    }
    return true;
  }

  seat_plan plan_;
  const std::atomic<bool>* over_;
  std::vector<measure::ledger> ledgers_;
  any_server server_;
  // Its threads count, so it is asked before they begin and when they have ended.
  allocation_watch memory_;
  call_watch calls_;
  batch_watch batches_;
  socket_drops drops_;
  std::vector<net::endpoint> endpoints_;
  std::chrono::nanoseconds limit_{};
  schedule schedule_;
  sync_client<> filler_;
  send_counts offered_;      ///< By it.
  std::uint64_t warmed_ = 0; ///< Received of those.
  bool started_ = false;
  std::string device_; ///< The interface that its datagrams come by; empty: loopback, or not known.
  net::host_counters host_before_;
  measure::thread_use use_before_;
  std::vector<measure::time_of_thread> times_before_; ///< Of threads that never sleep.
  clock::time_point begin_;
};

} // namespace udpbench::experiment
