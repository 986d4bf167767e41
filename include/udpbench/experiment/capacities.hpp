/** @file
    How many datagrams the receive buffer holds, and what a load may therefore ask for.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/load.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/sender.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace udpbench::experiment {

/** What was measured of the receive buffers of one place. */
class capacities {
 public:
  /** Measures for the size of `how`'s datagrams where one of `loads` asks for it, and holds all of them against it.
      Errors: throws `not_possible` for a depth or a window that is too large; `system_error` where no socket can be had. */
  void measure(place& where, const seat_plan& how, std::size_t size,
               const std::vector<load>& loads) {
    const auto asks = [](const load& l) { return l.held() || l.what == load_kind::window; };
    if (std::none_of(loads.begin(), loads.end(), asks)) return;
    by_size_[size] = where.capacity(how, size, 1'000'000);
    for (const load& l : loads) {
      if (l.held()) depth_for(l, size);
      if (l.what == load_kind::window) check_window(l, by_size_[size]);
    }
  }

  /** Datagrams of that size, which was measured. */
  std::uint64_t of(std::size_t size) const { return by_size_.at(size); }

  /** The queue that a backlog slice fills: at most half of what the buffer holds, or what was asked for if that is no more.
      Errors: throws `not_possible`. */
  std::size_t depth_for(const load& l, std::size_t size) const {
    const std::uint64_t most = std::max<std::uint64_t>(of(size) / 2, 1);
    if (l.depth.value_or(0) > most)
      throw not_possible("load '" + l.name() + "': the receive buffer holds " +
                         std::to_string(of(size)) + " such datagrams, and at most half, " +
                         std::to_string(most) +
                         ", may be queued; a larger receive buffer allows more");
    return static_cast<std::size_t>(l.depth.value_or(std::min<std::uint64_t>(64, most)));
  }

 private:
  /** A window must fit into the receive buffer with room to spare: a running receiver gives back what it has taken only when that is a
      quarter of the buffer (udp_rmem_release in Linux' net/ipv4/udp.c). */
  static void check_window(const load& l, std::uint64_t capacity) {
    const std::uint64_t most = std::max<std::uint64_t>(capacity * 3 / 4, 1);
    if (l.in_flight > most)
      throw not_possible("load '" + l.name() + "': the receive buffer holds " +
                         std::to_string(capacity) +
                         " such datagrams, and at most three quarters, " + std::to_string(most) +
                         ", may be in flight; a larger receive buffer allows more");
  }

  std::map<std::size_t, std::uint64_t> by_size_;
};

} // namespace udpbench::experiment
