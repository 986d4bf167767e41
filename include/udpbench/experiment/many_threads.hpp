/** @file
    Several receiving threads: how a receiver gets them, whether so many can be had, and what they have of the machine's cpus.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/reuse_port_group.hpp>
#include <udpbench/server.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** How many ledgers a receiver has by that plan: one for each thread or socket that no other thread takes from. */
inline std::size_t ledgers_for(const seat_plan& plan, const catalogue::entry& entry) {
  return plan.threads > 1 && entry.share ? 1 : std::max(plan.threads, plan.sockets);
}

/** Makes a receiver that runs on threads of its own: one that has the plan's number of sockets; one whose own threads work together, if it
    can; else a group of such receivers that share a port.
    @param plan  its numbers of threads and sockets.
    @param entry  the receiver.
    @param ledgers  as many as `ledgers_for` says; they outlive it.
    Errors: throws std::invalid_argument for several sockets of a receiver that has one; what its constructor throws. */
inline any_server make_on_threads(const seat_plan& plan, const catalogue::entry& entry,
                                  std::span<measure::ledger> ledgers) {
  if (plan.threads > 1 && entry.share) return entry.share(ledgers.front(), plan.threads);
  if (plan.threads > 1) {
    std::vector<any_receiver> members;
    for (measure::ledger& ledger : ledgers) members.push_back(entry.make(ledger));
    return any_server::make<reuse_port_group>(std::move(members));
  }
  if (!entry.serve)
    throw std::invalid_argument("receiver '" + entry.name + "' has one socket, not " +
                                std::to_string(plan.sockets));
  return entry.serve(ledgers);
}

/** Cpus on which that many threads may run by that plan, at most one for each. */
inline std::size_t cpus_for_threads(const seat_plan& plan, std::size_t threads) {
  std::size_t allowed = plan.cpus.size();
  // Where nobody is bound the sender has one of them.
  if (plan.cpus.empty()) allowed = plan.cpu ? 1 : net::allowed_cpus().size() - 1;
  return std::clamp<std::size_t>(allowed, 1, threads);
}

/** Of several threads that never sleep, the share of a time in which that one ran which ran the least; their sum hides it. Empty of one
    thread, and where they have fewer cpus than they are: then it is they who keep each other from them.
    @param plan  says where they may run.
    @param threads  how many they are.
    @param ran  how long each of the process's threads ran; others among them hardly do.
    @param elapsed  the time. */
inline std::optional<double> least_share(const seat_plan& plan, std::size_t threads,
                                         std::vector<std::chrono::nanoseconds> ran,
                                         std::chrono::nanoseconds elapsed) {
  if (threads < 2 || ran.size() < threads || elapsed.count() <= 0) return {};
  if (cpus_for_threads(plan, threads) < threads) return {};
  const auto least = ran.begin() + static_cast<std::ptrdiff_t>(threads - 1);
  std::nth_element(ran.begin(), least, ran.end(), std::greater<>());
  return static_cast<double>(least->count()) / static_cast<double>(elapsed.count());
}

/** What several threads have of the cpus. With one cpu each none waits for another; but the kernel spreads flows and not work, and when
    the busiest thread has no time left, the others can't help it.
    @param plan  says where they may run.
    @param threads  at least one.
    @param offered  datagrams that came to each socket, taken or dropped. */
inline double cpus_of_threads(const seat_plan& plan, std::size_t threads,
                              const std::vector<std::uint64_t>& offered) {
  double cpus = static_cast<double>(cpus_for_threads(plan, threads));
  const auto busiest = offered.empty() ? 0 : *std::max_element(offered.begin(), offered.end());
  if (busiest != 0) {
    const auto all = std::accumulate(offered.begin(), offered.end(), std::uint64_t{0});
    cpus = std::min(cpus, static_cast<double>(all) / static_cast<double>(busiest));
  }
  return cpus;
}

} // namespace udpbench::experiment
