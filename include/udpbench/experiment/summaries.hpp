/** @file
    From rounds on record to their summary. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/statistics/loss.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/sign_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace udpbench::experiment {

namespace detail {

inline std::optional<std::array<double, 2>> as_array(const std::optional<statistics::interval>& i) {
  if (!i) return {};
  return std::array<double, 2>{i->low, i->high};
}

/** The median of what `figure` gives for the valid rounds; empty if it gives nothing for one of them, or there are none. */
template <class Figure>
std::optional<double> median_over(const std::vector<record::round>& rounds, Figure figure) {
  std::vector<double> values;
  for (const auto& r : rounds) {
    if (!r.valid) continue;
    const std::optional<double> value = figure(r);
    if (!value) return {};
    values.push_back(*value);
  }
  if (values.empty()) return {};
  return statistics::median(values);
}

/** `part` per datagram of `whole`; empty if either is missing. */
template <class T>
std::optional<double> per(const std::optional<T>& part, std::uint64_t whole) {
  if (!part || whole == 0) return {};
  return static_cast<double>(*part) / static_cast<double>(whole);
}

} // namespace detail

/** What held most of the valid rounds; empty if there are none, or if nothing held most of them. */
inline std::optional<record::limit> usual_limit(const std::vector<record::round>& rounds) {
  std::map<std::optional<record::limit>, int> votes;
  for (const auto& r : rounds)
    if (r.valid) ++votes[r.limited_by];
  if (votes.empty()) return {};
  return std::max_element(votes.begin(), votes.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/** The summary of a result's rounds: medians over the valid ones. */
inline record::summary summarise_rounds(const std::vector<record::round>& rounds) {
  using record::round;
  record::summary s;
  s.ns_per_datagram = detail::median_over(rounds, [](const round& r) { return r.ns_per_datagram; });
  s.received_per_second =
      detail::median_over(rounds, [](const round& r) { return r.received_per_second; });
  s.cpu_ns_per_datagram =
      detail::median_over(rounds, [](const round& r) { return detail::per(r.cpu_ns, r.observed); });
  s.cpu_user_ns_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.cpu_user_ns, r.observed); });
  s.cpu_system_ns_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.cpu_system_ns, r.observed); });
  s.cpu_share = detail::median_over(rounds, [](const round& r) { return r.cpu_share; });
  s.hook_requests_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.hook_requests, r.counted); });
  s.allocations_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.allocations, r.counted); });
  s.datagrams_per_receive_call = detail::median_over(rounds, [](const round& r) {
    return detail::per(std::optional(r.counted), r.receive_calls.value_or(0));
  });
  s.voluntary_switches_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.voluntary_switches, r.observed); });
  s.involuntary_switches_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.involuntary_switches, r.observed); });
  s.limited_by = usual_limit(rounds);

  std::uint64_t elapsed = 0;
  std::uint64_t timed = 0;
  std::vector<statistics::delivery> deliveries;
  for (const auto& r : rounds) {
    if (!r.valid) continue;
    elapsed += r.elapsed_ns;
    timed += r.timed;
    deliveries.push_back({r.sent, r.unique});
  }
  s.mean_ns_per_datagram = detail::per(std::optional(elapsed), timed);
  if (const auto loss = statistics::summarise_loss(deliveries)) {
    s.loss = loss->median;
    s.loss_ci = detail::as_array(loss->ci95);
    s.pooled_loss = loss->pooled;
  }
  return s;
}

} // namespace udpbench::experiment
