/** @file
    Whether so many sockets can be had, and under which loads.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/net/descriptor_limit.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace udpbench::experiment {

/** Raises the process's limit of descriptors as far as a plan needs it.
    Errors: throws `not_possible` where that doesn't reach, and for a load that takes one socket alone. */
inline void check_sockets(const plan& p) {
  const std::uint64_t most = *std::max_element(p.sockets.begin(), p.sockets.end());
  if (most <= 1) return;
  for (const load& l : p.loads)
    if (l.held() || l.what == load_kind::window)
      throw not_possible("load '" + l.name() + "' takes one socket, not " + std::to_string(most) +
                         "; several can be had under flood, pause and rate");
  // One for each end of each, a timer and the like for each thread, and what the process has besides.
  const std::uint64_t need = 3 * most + 64;
  const std::uint64_t allowed = net::allow_descriptors(need);
  if (allowed < need)
    throw not_possible(std::to_string(most) + " sockets and their senders need " +
                       std::to_string(need) + " descriptors, and this process may have " +
                       std::to_string(allowed) + " (ulimit -n)");
}

} // namespace udpbench::experiment
