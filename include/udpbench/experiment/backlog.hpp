/** @file
    A block of the load `backlog`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/histograms.hpp>
#include <udpbench/experiment/orders.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/seats.hpp>
#include <udpbench/statistics/order.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace udpbench::experiment {

/** Rotations of a block: each contestant has one turn in each. */
inline constexpr unsigned rotations = 12;

/** Runs one block with fresh sockets and buffers; empty if it was interrupted. A contestant that fails is marked and gets no
    round. */
inline std::optional<block> backlog_block(place& where, std::vector<contestant>& contestants,
                                          const seat_plan& how, const turn_plan& turn,
                                          orders& order, std::uint64_t number, const watcher& watch,
                                          double clock_resolution_ns) {
  seats taken(where, contestants);
  for (std::size_t i = 0; i < contestants.size(); ++i) taken.open(i, how);

  std::vector<sample> totals(contestants.size());
  block b;
  b.parts.resize(contestants.size());
  std::vector<double> share(contestants.size());
  for (unsigned rotation = 0; rotation < rotations; ++rotation)
    for (const std::size_t i : order.next()) {
      if (watch.stop()) return {};
      taken.use(i, [&](seat s) {
        const sample one = where.turn(s, turn);
        std::vector<double> per_datagram;
        for (const auto slice : one.slices)
          per_datagram.push_back(static_cast<double>(slice.count()) /
                                 static_cast<double>(turn.depth));
        if (!per_datagram.empty()) b.parts[i].figures.push_back(statistics::median(per_datagram));
        share[i] += one.cpu_share / rotations;
        add(totals[i], one, true);
      });
    }

  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (!contestants[i].failure.empty()) continue;
    totals[i].cpu_share = std::min(share[i], 1.0);
    auto round = book(totals[i], number, turn.size >= wire::header_bytes, true);
    round.limited_by = record::limit::receiver;
    if (!b.parts[i].figures.empty()) {
      round.ns_per_datagram = statistics::median(b.parts[i].figures);
      // It has no logarithm, so it would end the whole run and not this block alone.
      if (round.valid && *std::ranges::min_element(b.parts[i].figures) <= 0) {
        round.ns_per_datagram.reset();
        round.valid = false;
        round.reason = "a slice was shorter than the clock can tell: a deeper backlog is needed";
      }
    }
    refuse_short(round, totals[i].elapsed, clock_resolution_ns);
    if (refuse_starved(round, share[i])) b.starved = true;
    b.parts[i].rounds.push_back(std::move(round));
    b.parts[i].histograms.push_back(histograms_of(totals[i]));
  }
  b.drop_failed(contestants);
  b.spread_invalidity();
  return b;
}

} // namespace udpbench::experiment
