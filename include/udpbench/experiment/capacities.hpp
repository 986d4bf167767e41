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
#include <optional>
#include <string>
#include <vector>

namespace udpbench::experiment {

/** What was measured of the receive buffers of one place. */
class capacities {
 public:
  /** Measures for datagrams of `size` bytes where one of `loads` asks for it, a backlog as it is filled by `fill`, and holds all of them
      against it.
      Errors: throws `not_possible` for a depth or a window that is too large; `system_error` where no socket can be had. */
  void measure(place& where, const seat_plan& how, std::size_t size, const std::vector<load>& loads,
               send_mode fill) {
    constexpr std::uint64_t most = 1'000'000;
    for (const load& l : loads) {
      const bool window = l.what == load_kind::window;
      if (!l.held() && !window) continue;
      auto& held = (window ? in_flight_ : queued_)[size];
      if (!held)
        held = where.capacity(how, {.size = size, .send = window ? send_mode::single : fill}, most);
      if (window)
        check_window(l, *held);
      else
        depth_for(l, size);
    }
  }

  /** Datagrams of that size under that load, for which it was measured. */
  std::uint64_t of(std::size_t size, const load& l) const {
    return (l.held() ? queued_ : in_flight_).at(size).value();
  }

  /** The queue that a backlog slice fills: at most half of what the buffer holds, or what was asked for if that is no more.
      Errors: throws `not_possible`. */
  std::size_t depth_for(const load& l, std::size_t size) const {
    const std::uint64_t held = of(size, l);
    const std::uint64_t most = std::max<std::uint64_t>(held / 2, 1);
    if (l.depth.value_or(0) > most)
      throw not_possible("load '" + l.name() + "': the receive buffer holds " +
                         std::to_string(held) + " such datagrams, and at most half, " +
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

  using by_size = std::map<std::size_t, std::optional<std::uint64_t>>;
  by_size queued_;    ///< Of backlogs.
  by_size in_flight_; ///< Of windows, whose datagrams come one by one at the worst.
};

} // namespace udpbench::experiment
