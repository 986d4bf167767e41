/** @file
    Whether so many sockets or threads can be had, and under which loads.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/net/descriptor_limit.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace udpbench::experiment {

namespace detail {

inline void check_loads(const plan& p, const std::string& takes, std::uint64_t most) {
  for (const load& l : p.loads)
    if (l.held() || l.what == load_kind::window)
      throw not_possible("load '" + l.name() + "' takes one " + takes + ", not " +
                         std::to_string(most) + "; several can be had under flood, pause and rate");
}

inline void check_descriptors(const std::string& things, std::uint64_t need) {
  const std::uint64_t allowed = net::allow_descriptors(need);
  if (allowed < need)
    throw not_possible(things + " and their senders need " + std::to_string(need) +
                       " descriptors, and this process may have " + std::to_string(allowed) +
                       " (ulimit -n)");
}

} // namespace detail

/** Raises the process's limit of descriptors as far as a plan needs it for its sockets, or its threads.
    Errors: throws `not_possible` where that doesn't reach, and for a load that takes one of them alone. */
inline void check_sockets(const plan& p) {
  const std::uint64_t most = *std::max_element(p.sockets.begin(), p.sockets.end());
  if (most > 1) {
    detail::check_loads(p, "socket", most);
    // One for each end of each, a timer and the like for each thread, and what the process has besides.
    detail::check_descriptors(std::to_string(most) + " sockets", 3 * most + 64);
  }
  if (p.threads > 1) {
    detail::check_loads(p, "thread", p.threads);
    // A socket and a context for each, of which one has three; twice the flows, for the datagrams that warm up.
    detail::check_descriptors(std::to_string(p.threads) + " threads",
                              4 * p.threads + 2 * std::uint64_t{p.flows} + 64);
  }
}

} // namespace udpbench::experiment
