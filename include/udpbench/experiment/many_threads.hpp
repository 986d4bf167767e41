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
#include <cstddef>
#include <cstdint>
#include <numeric>
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

/** What several threads have of the cpus. With one cpu each none waits for another; but the kernel spreads flows and not work, and when
    the busiest thread has no time left, the others can't help it.
    @param plan  says where they may run.
    @param threads  at least one.
    @param offered  datagrams that came to each socket, taken or dropped. */
inline double cpus_of_threads(const seat_plan& plan, std::size_t threads,
                              const std::vector<std::uint64_t>& offered) {
  std::size_t allowed = plan.cpus.size();
  // Where nobody is bound the sender has one of them.
  if (plan.cpus.empty()) allowed = plan.cpu ? 1 : net::allowed_cpus().size() - 1;
  double cpus = static_cast<double>(std::clamp<std::size_t>(allowed, 1, threads));
  const auto busiest = offered.empty() ? 0 : *std::max_element(offered.begin(), offered.end());
  if (busiest != 0) {
    const auto all = std::accumulate(offered.begin(), offered.end(), std::uint64_t{0});
    cpus = std::min(cpus, static_cast<double>(all) / static_cast<double>(busiest));
  }
  return cpus;
}

} // namespace udpbench::experiment
