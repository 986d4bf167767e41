/** @file
    A block of a load with a sender beside the receiver.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/limited_by.hpp>
#include <udpbench/experiment/orders.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/seats.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/affinity.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <vector>

namespace udpbench::experiment {

/** What all rounds of a load have in common. */
struct round_setting {
  seat_plan how;                      ///< But for the receiver's name.
  round_plan round;                   ///< What each round is.
  std::uint64_t count = 0;            ///< Datagrams a round.
  std::optional<unsigned> sender_cpu; ///< Empty: not bound.
  bool shared_cpu = false;            ///< Both ends have one cpu between them.
  double clock_resolution_ns = 0;     ///< What a round is held against.
};

/** Runs one round of one receiver. The sender sends on the calling thread. */
inline record::round one_round(place& where, sender& from, const opened& to,
                               const round_setting& setting, std::uint64_t block,
                               const std::atomic<bool>* interrupted) {
  const net::scoped_affinity bound(setting.sender_cpu);
  from.open(to.endpoint);
  schedule s = where.begin(to.number, setting.round);
  s.stop = interrupted;
  s.until = measure::monotonic_clock::now() + setting.round.limit;
  const auto counts = from.send(s, setting.count);
  const sample seen = where.end(to.number, counts);

  record::round r = book(seen, block, s.size >= wire::header_bytes, true);
  if (seen.during != 0) r.limited_by = limited_by(seen, setting.shared_cpu);
  if (seen.timed != 0 && seen.elapsed.count() > 0) {
    const auto ns = static_cast<double>(seen.elapsed.count());
    r.ns_per_datagram = ns / static_cast<double>(seen.timed);
    r.received_per_second = static_cast<double>(seen.timed) * 1e9 / ns;
  }
  if (r.valid && seen.during == 0) {
    r.valid = false;
    r.reason = "too few datagrams arrived to time them: at least 128 are needed";
  }
  if (r.valid && static_cast<double>(seen.elapsed.count()) < 1000 * setting.clock_resolution_ns) {
    r.valid = false;
    r.reason = "shorter than 1000 times the resolution of the clock: more datagrams are needed";
  }
  return r;
}

/** Runs one block: every contestant once in a random order and once in its reverse, each round with a fresh socket. Empty if it was
    interrupted. */
inline std::optional<block> round_block(place& where, sender& from,
                                        std::vector<contestant>& contestants,
                                        const round_setting& setting, orders& order,
                                        std::uint64_t number, const watcher& watch) {
  seats taken(where, contestants);
  block b;
  b.parts.resize(contestants.size());
  for (int pass = 0; pass < 2; ++pass)
    for (const std::size_t i : order.next()) {
      if (watch.stop()) return {};
      taken.open(i, setting.how);
      taken.use(i, [&](seat) {
        auto round = one_round(where, from, *taken.at(i), setting, number, watch.interrupted);
        if (round.received_per_second) b.parts[i].figures.push_back(*round.received_per_second);
        b.parts[i].rounds.push_back(std::move(round));
      });
      taken.close(i);
    }
  if (watch.stop()) return {};
  b.drop_failed(contestants);
  b.spread_invalidity();
  return b;
}

} // namespace udpbench::experiment
