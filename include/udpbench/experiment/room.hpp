/** @file
    How many datagrams a receive buffer holds.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/net/train.hpp>
#include <udpbench/net/try_receives.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/sync_client.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace udpbench::experiment {

namespace detail {

/** Fills a socket that nobody reads, `step` datagrams at a time, until the kernel drops some, but looks no further than `most`. Of trains
    it counts those that came in before the first that was dropped. */
inline std::uint64_t room_in(int fd, sender& from, schedule s, std::uint64_t step,
                             std::uint64_t most) {
  net::drop_meter drops(net::drop_counter(fd));
  const bool joins = net::joins_datagrams(fd);
  std::uint64_t held = 0;
  while (held < most) {
    s.first_sequence = held;
    const std::uint64_t sent = from.send(s, std::min(step, most - held)).sent;
    const std::uint64_t lost = drops.update(net::drop_counter(fd)).value_or(0);
    if (lost != 0) return joins ? held : held + sent - lost;
    if (sent == 0) break;
    held += sent;
  }
  return held;
}

} // namespace detail

/** What `place::capacity` promises, for a socket of this process; less when `over`, if there is such, becomes true. The kernel accounts for memory and not for datagrams: what a segmented
    send brings takes other memory than the same datagrams sent alone, and joined again other than cut up.
    Errors: throws `system_error` where no socket can be had. */
inline std::uint64_t room_for(const seat_plan& plan, const turn_plan& turn, std::uint64_t most,
                              const std::atomic<bool>* over = nullptr) {
  const bool trains = turn.send == send_mode::segmented;
  const auto held = [&](bool joined) {
    const net::descriptor socket = net::open_receiver({plan.address, 0}, plan.options.socket);
    if (joined && !net::accepts_gro(socket.get())) return most;
    const auto from = make_sender(turn.send, {.what = load::kind::flood});
    from->open(net::local_endpoint(socket.get()));
    // Of mixed sizes few trains have more than two, and a step is to be one train.
    const std::uint64_t train = plan.mixed ? 2 : send::segmented::most(turn.size);
    return detail::room_in(socket.get(), *from,
                           {.size = turn.size, .mixed = plan.mixed, .stop = over},
                           trains ? train : 1, most);
  };
  return trains ? std::min(held(false), held(true)) : held(false);
}

} // namespace udpbench::experiment
