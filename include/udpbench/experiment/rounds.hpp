/** @file
    A block of a load with a sender beside the receiver.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/histograms.hpp>
#include <udpbench/experiment/limited_by.hpp>
#include <udpbench/experiment/orders.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/reference.hpp>
#include <udpbench/experiment/seats.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/experiment/way_losses.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/net/affinity.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** What all rounds of a load have in common. */
struct round_setting {
  seat_plan how;                      ///< But for the receiver's name.
  round_plan round;                   ///< What each round is.
  std::uint64_t count = 0;            ///< Datagrams a round.
  std::optional<unsigned> sender_cpu; ///< Empty: not bound.
  bool shared_cpu = false;            ///< Both ends have one cpu between them.
  bool network = false;               ///< What is missing may have been lost on the way.
  bool same_machine = false;          ///< Of which one kernel has both ends.
  bool reverse = false;               ///< The sender is over there.
  double clock_resolution_ns = 0;     ///< What a round is held against.
  metric figure;                      ///< What a block compares.
};

/** What a round has for the metric; empty if it wasn't measured. */
inline std::optional<double> figure_of(const record::round& r, const metric& m) {
  if (m.name != "cpu_ns_per_datagram") return r.received_per_second;
  if (!r.cpu_ns || *r.cpu_ns == 0 || r.observed == 0) return {};
  return static_cast<double>(*r.cpu_ns) / static_cast<double>(r.observed);
}

/** What the sender's pacing saw, as it stands on record; empty where it has nothing to tell. */
inline std::optional<record::pacing> book(const pacing_report& seen) {
  if (!seen.schedule && !seen.waited_share) return {};
  record::pacing out;
  out.waited_share = seen.waited_share;
  if (seen.schedule) {
    out.period_ns = seen.schedule->period_ns;
    out.mean_gap_ns = seen.schedule->mean_gap_ns;
    out.lag_p50_ns = seen.schedule->lag.p50;
    out.lag_p99_ns = seen.schedule->lag.p99;
    out.lag_max_ns = seen.schedule->lag.max;
    out.gap_p50_ns = seen.schedule->gap.p50;
    out.gap_p99_ns = seen.schedule->gap.p99;
    out.gap_max_ns = seen.schedule->gap.max;
  }
  return out;
}

/** A round as it stands on record, and what it adds to the histograms of its result. */
struct booked {
  record::round round;                              ///< Itself.
  record::histograms histograms;                    ///< Of it alone.
  bool starved = false;                             ///< Its block is to be repeated.
  std::optional<record::without_work> held_against; ///< What decided its limit, if that did.
};

/** A round as it was seen from both ends. */
struct both_ends {
  sample seen;                 ///< By the receiver.
  pacing_report pacing;        ///< By the sender.
  std::size_t size = 0;        ///< Payload, bytes.
  double sender_cpu_share = 0; ///< Of the time of sending, in which the sender's thread ran.
  /** Of a network; empty where there is none between both ends. */
  std::optional<record::way_losses> lost = {};
};

/** Has a sender send to a receiver. */
inline void direct(sender& from, const opened& to, place& where) {
  if (to.endpoints.empty())
    from.open(to.endpoint);
  else
    from.open_each(to.endpoints);
  from.introduce([&](const net::endpoint& there, std::string_view bytes) {
    where.send_from(to.number, there, bytes);
  });
}

/** Runs one round of one receiver. The sender sends on the calling thread, or on one of another host. */
inline both_ends run_round(place& where, sender& from, const opened& to,
                           const round_setting& setting, const std::atomic<bool>* interrupted) {
  const net::scoped_affinity bound(setting.sender_cpu);
  direct(from, to, where);
  const auto device = setting.network && !setting.reverse
                          ? std::make_optional<sending_device>(to.endpoint)
                          : std::nullopt;
  schedule s = where.begin(to.number, setting.round);
  s.stop = interrupted;
  s.until = measure::monotonic_clock::now() + setting.round.limit;
  const sending_clock clock;
  const auto counts = from.send(s, setting.count);
  const sending_use use = from.use().value_or(clock.use());
  sample seen = where.end(to.number, counts);
  seen.sending = use.elapsed;
  // What the socket's counter counts there are trains that the receiver's host has joined, and not those of the sender.
  if (setting.network && seen.joined) seen.kernel_dropped.reset();
  pacing_report pacing = from.pacing();
  if (pacing.gave_up && seen.trouble.empty())
    seen.trouble = "the window stayed full for " +
                   std::to_string(pace::window<>::patience.count()) + " s: of " +
                   std::to_string(counts.sent) + " datagrams " +
                   std::to_string(counts.sent - seen.arrivals.unique) + " never arrived";
  both_ends out{std::move(seen), std::move(pacing), s.size, use.cpu_share()};
  if (setting.network)
    out.lost =
        divide(out.seen, device ? device->dropped() : use.device_dropped, setting.same_machine);
  return out;
}

/** Runs one and books it. What was its limit is told by `bare` where it doesn't tell itself. */
inline booked one_round(place& where, sender& from, const opened& to, const round_setting& setting,
                        std::uint64_t block, const std::atomic<bool>* interrupted,
                        references& bare) {
  auto [seen, pacing, size, sender_cpu_share, lost] =
      run_round(where, from, to, setting, interrupted);
  std::optional<record::without_work> held_against;
  const auto between = setting.network && !setting.shared_cpu
                           ? limited_between(seen, pacing, sender_cpu_share)
                           : std::nullopt;
  if (!between && seen.during != 0 && needs_reference(seen, pacing, setting.shared_cpu))
    held_against = bare.of(seen.joined);

  record::round r = book(seen, block, size >= wire::header_bytes, !setting.network);
  if (seen.during != 0)
    r.limited_by = between ? between : limited_by(seen, pacing, setting.shared_cpu, held_against);
  r.pacing = book(pacing);
  r.offered_per_second = offered_per_second(seen);
  r.sender_cpu_share = sender_cpu_share;
  r.lost_on_the_way = lost;
  if (seen.timed != 0 && seen.elapsed.count() > 0) {
    const auto ns = static_cast<double>(seen.elapsed.count());
    r.ns_per_datagram = ns / static_cast<double>(seen.timed);
    r.received_per_second = static_cast<double>(seen.timed) * 1e9 / ns;
  }
  if (r.valid && setting.network && seen.arrivals.unique == 0) {
    r.valid = false;
    r.reason = "no datagram arrived: does a firewall on the way let UDP through?";
  }
  if (r.valid && seen.during == 0) {
    r.valid = false;
    r.reason = "too few datagrams arrived to time them: at least " +
               std::to_string(2 * setting.round.chunk) + " are needed";
  }
  refuse_short(r, seen.elapsed, setting.clock_resolution_ns);
  // Under a window, or a slow schedule, such a receiver waits by running, too. A thread that sleeps may have had nothing to do.
  const bool starved = seen.never_sleeps && !setting.shared_cpu &&
                       refuse_starved(r, running(seen), seen.least_share);
  auto histograms = histograms_of(seen);
  histograms.lag_ns = std::move(pacing.lag);
  histograms.gap_ns = std::move(pacing.gaps);
  return {std::move(r), std::move(histograms), starved, held_against};
}

/** Rounds of a bare receiver by the same sender, with the same buffer and on the same cpus. None where the place can't have it. */
inline std::vector<sample> bare_rounds(place& where, sender& from, const round_setting& setting,
                                       bool joins, const watcher& watch) {
  constexpr int rounds = 3;
  std::vector<sample> out;
  seat_plan how = setting.how;
  how.work = {};
  std::vector<contestant> bare{{.receiver = bare_receiver(joins), .control = false, .failure = {}}};
  for (int i = 0; i < rounds && !watch.stop(); ++i) {
    seats taken(where, bare);
    taken.open(0, how);
    taken.use(0, [&](seat) {
      out.push_back(run_round(where, from, *taken.at(0), setting, watch.interrupted).seen);
    });
  }
  return out;
}

/** Runs one block: every contestant once in a random order and once in its reverse, each round with a fresh socket. Empty if it was
    interrupted. */
inline std::optional<block> round_block(place& where, sender& from,
                                        std::vector<contestant>& contestants,
                                        const round_setting& setting, orders& order,
                                        std::uint64_t number, const watcher& watch,
                                        references& bare) {
  seats taken(where, contestants);
  block b;
  b.parts.resize(contestants.size());
  for (int pass = 0; pass < 2; ++pass)
    for (const std::size_t i : order.next()) {
      if (watch.stop()) return {};
      taken.open(i, setting.how);
      taken.use(i, [&](seat) {
        auto one = one_round(where, from, *taken.at(i), setting, number, watch.interrupted, bare);
        if (one.held_against) contestants[i].without_work = one.held_against;
        if (const auto figure = figure_of(one.round, setting.figure))
          b.parts[i].figures.push_back(*figure);
        b.parts[i].rounds.push_back(std::move(one.round));
        b.parts[i].histograms.push_back(std::move(one.histograms));
        b.starved = b.starved || one.starved;
      });
      taken.close(i);
    }
  if (watch.stop()) return {};
  b.drop_failed(contestants);
  b.spread_invalidity();
  return b;
}

} // namespace udpbench::experiment
