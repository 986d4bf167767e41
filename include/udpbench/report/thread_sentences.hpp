/** @file
    Notes on several threads of a receiver: what they share, and how the datagrams were spread over them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/phrases.hpp>
#include <udpbench/statistics/order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::report {

/** How the datagrams of a round were spread over threads that have sockets of their own. */
struct spread {
  double most = 0;           ///< Share of the thread that got the most; 1 is all.
  double least = 0;          ///< Of the one that got the least.
  std::uint64_t rounds = 0;  ///< In how many rounds.
  std::uint64_t without = 0; ///< In how many of them a thread got nothing.
};

/** The medians over the valid rounds of a result; empty where no round tells. Which thread is the busiest is another from round to round,
    since each has ports of its own. */
inline std::optional<spread> spread_of(const record::result& r) {
  std::vector<double> most;
  std::vector<double> least;
  spread out;
  for (const record::round& round : r.rounds) {
    const auto& each = round.per_thread;
    const auto all = std::accumulate(each.begin(), each.end(), std::uint64_t{0});
    if (!round.valid || all == 0) continue;
    const auto [low, high] = std::minmax_element(each.begin(), each.end());
    most.push_back(static_cast<double>(*high) / static_cast<double>(all));
    least.push_back(static_cast<double>(*low) / static_cast<double>(all));
    ++out.rounds;
    if (*low == 0) ++out.without;
  }
  if (most.empty()) return {};
  out.most = statistics::median(most);
  out.least = statistics::median(least);
  return out;
}

namespace detail {

/** How many cpus the threads have between them; empty: they are not bound. */
inline std::optional<std::uint64_t> cpus_of(const record::pin& pin) {
  if (!pin.receivers.empty()) return pin.receivers.size();
  if (pin.receiver) return 1;
  return {};
}

inline void note_threads(std::vector<std::string>& out, const record::run& run, const group& g) {
  if (g.threads <= 1) return;
  std::vector<std::string> together;
  std::vector<std::string> spreads;
  std::vector<std::string> without;
  for (const record::result* r : g.receivers) {
    const auto s = spread_of(*r);
    const bool apart = std::any_of(r->rounds.begin(), r->rounds.end(),
                                   [](const auto& round) { return !round.per_thread.empty(); });
    if (!apart && !r->rounds.empty()) together.push_back(r->receiver);
    if (!s) continue;
    spreads.push_back(r->receiver + ' ' + percent(s->most) + " and " + percent(s->least));
    if (s->without != 0)
      without.push_back(count(s->without) + " of " + counted(s->rounds, "round") + " of " +
                        r->receiver);
  }
  const std::string n = counted(g.threads, "thread");
  if (!spreads.empty()) {
    out.push_back(
        n +
        " receive at one port, each by a socket with a receive buffer of its own; a hash spreads " +
        counted(g.receivers.front()->flows, "flow") +
        " over them. The busiest and the idlest got, of an even " +
        percent(1 / static_cast<double>(g.threads)) + ": " + listed(spreads) +
        " (medians of the rounds).");
  }
  if (!without.empty()) out.push_back("In " + listed(without) + " a thread got nothing.");
  if (!together.empty())
    out.push_back(n + " of " + listed(together) +
                  " run one context with one socket; whichever is free takes what comes.");
  const auto cpus = cpus_of(run.plan.pin);
  if (cpus && *cpus < g.threads)
    out.push_back(
        n + " have " + counted(*cpus, "cpu") +
        " between them here, so this shows what several threads cost and not what they gain.");
}

} // namespace detail

} // namespace udpbench::report
