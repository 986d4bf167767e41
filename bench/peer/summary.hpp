/** @file
    What the rounds of an entrant come to, and how it stands to the best of the tools.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "contest.hpp"

#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace peers {

/** Medians over rounds; ratios round by round. What was not measured is empty. */
struct summary {
  std::uint64_t runs = 0;                    ///< That gave figures.
  std::optional<double> received_per_second; ///< As of a run; so are the next.
  std::optional<double> loss;                ///< 1 = all.
  std::optional<double> receiver_cpu_ns;     ///< Per datagram received.
  std::optional<double> receiver_share;      ///< 1 = always running.
  std::optional<double> sender_cpu_ns;       ///< Per datagram sent.
  std::optional<double> sender_share;        ///< 1 = always running.
  std::optional<udpbench::statistics::paired_ratio>
      rate_ratio; ///< To the highest rate of a tool in the same round.
  std::optional<udpbench::statistics::paired_ratio>
      cpu_ratio;                   ///< To the lowest `receiver_cpu_ns` of a tool in the same round.
  std::optional<limit> limited_by; ///< Of most runs.
};

namespace detail {

/** A figure of one round; empty where there is none. */
template <class Of>
std::optional<double> figure_at(const entry& e, std::size_t round, Of of) {
  if (round >= e.rounds.size() || !e.rounds[round]) return {};
  return of(*e.rounds[round]);
}

template <class Of>
std::optional<double> median_of(const entry& e, Of of) {
  std::vector<double> all;
  for (std::size_t i = 0; i < e.rounds.size(); ++i)
    if (const auto x = figure_at(e, i, of)) all.push_back(*x);
  if (all.empty()) return {};
  return udpbench::statistics::median(all);
}

/** @param better  whether the first of two figures is. */
template <class Of, class Better>
std::optional<udpbench::statistics::paired_ratio> ratio_of(const field& at, const entry& e, Of of,
                                                           Better better) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < e.rounds.size(); ++i) {
    std::optional<double> best;
    for (const auto& other : at.entries)
      if (const auto x = figure_at(other, i, of);
          other.is_peer && x && (!best || better(*x, *best)))
        best = x;
    if (const auto mine = figure_at(e, i, of); mine && best && *mine > 0 && *best > 0)
      logs.push_back(std::log(*mine / *best));
  }
  if (logs.empty()) return {};
  return udpbench::statistics::summarise(logs);
}

inline std::optional<limit> most_frequent(const entry& e) {
  std::array<std::uint64_t, 4> times{};
  for (const auto& f : e.rounds)
    if (f && f->limited_by) ++times[static_cast<std::size_t>(*f->limited_by)];
  const auto most = std::max_element(times.begin(), times.end());
  if (*most == 0) return {};
  return static_cast<limit>(most - times.begin());
}

} // namespace detail

/** Sums up one entry of a field. */
inline summary summarise(const field& at, const entry& e) {
  const auto rate = [](const figures& f) -> std::optional<double> { return f.received_per_second; };
  const auto cpu = [](const figures& f) { return f.receiver_cpu_ns; };
  summary s;
  s.runs = static_cast<std::uint64_t>(
      std::count_if(e.rounds.begin(), e.rounds.end(), [](const auto& f) { return f.has_value(); }));
  s.received_per_second = detail::median_of(e, rate);
  s.loss = detail::median_of(e, [](const figures& f) { return f.loss; });
  s.receiver_cpu_ns = detail::median_of(e, cpu);
  s.receiver_share = detail::median_of(e, [](const figures& f) { return f.receiver_share; });
  s.sender_cpu_ns = detail::median_of(e, [](const figures& f) { return f.sender_cpu_ns; });
  s.sender_share = detail::median_of(e, [](const figures& f) { return f.sender_share; });
  s.rate_ratio = detail::ratio_of(at, e, rate, [](double a, double b) { return a > b; });
  s.cpu_ratio = detail::ratio_of(at, e, cpu, [](double a, double b) { return a < b; });
  s.limited_by = detail::most_frequent(e);
  return s;
}

} // namespace peers
