/** @file
    From rounds on record to summaries and comparisons. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/contest.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/statistics/judge.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::experiment {

namespace detail {

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
  s.loss = detail::median_over(rounds, [](const round& r) -> std::optional<double> {
    if (r.sent == 0) return {};
    return 1 - static_cast<double>(r.unique) / static_cast<double>(r.sent);
  });
  s.cpu_ns_per_datagram =
      detail::median_over(rounds, [](const round& r) { return detail::per(r.cpu_ns, r.observed); });
  s.cpu_user_ns_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.cpu_user_ns, r.observed); });
  s.cpu_system_ns_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.cpu_system_ns, r.observed); });
  s.cpu_share = detail::median_over(rounds, [](const round& r) { return r.cpu_share; });
  s.hook_requests_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.hook_requests, r.observed); });
  s.allocations_per_datagram = detail::median_over(
      rounds, [](const round& r) { return detail::per(r.allocations, r.observed); });
  s.limited_by = usual_limit(rounds);

  std::uint64_t elapsed = 0;
  std::uint64_t timed = 0;
  std::uint64_t sent = 0;
  std::uint64_t unique = 0;
  for (const auto& r : rounds) {
    if (!r.valid) continue;
    elapsed += r.elapsed_ns;
    timed += r.timed;
    sent += r.sent;
    unique += r.unique;
  }
  s.mean_ns_per_datagram = detail::per(std::optional(elapsed), timed);
  if (sent != 0) s.pooled_loss = 1 - static_cast<double>(unique) / static_cast<double>(sent);
  return s;
}

/** One log ratio per valid block, of contestant `who` to the baseline: of a backlog block the median over its rotations, of any other
    the mean of its two orders. */
inline std::vector<double> block_ratios(const std::vector<block>& blocks, const load& l,
                                        std::size_t who, std::size_t first, std::size_t second) {
  std::vector<double> d;
  for (const auto& b : blocks) {
    if (!b.valid()) continue;
    const auto within = log_differences(b, who, first, second);
    if (within.empty()) continue;
    d.push_back(l.held() ? statistics::median(within) : statistics::mean(within));
  }
  return d;
}

/** The comparison of one receiver with the baseline. */
struct pairing {
  const record::result& receiver; ///< With its summary.
  const record::result& baseline; ///< Likewise.
  const record::result& control;  ///< Likewise.
  std::vector<double> d;          ///< One log ratio per valid block.
  std::vector<double> control_d;  ///< Likewise, of the baseline's second instance to its first.
  std::size_t comparisons = 1;    ///< In the same table.
};

/** Whether more than 5 % of a result's valid rounds were limited by the sender. */
inline bool limited_by_sender(const record::result& r) {
  std::size_t valid = 0;
  std::size_t by_sender = 0;
  for (const auto& round : r.rounds) {
    if (!round.valid) continue;
    ++valid;
    if (round.limited_by == record::limit::sender) ++by_sender;
  }
  return 20 * by_sender > valid;
}

/** Why no ratio of this metric may be published; empty if it may. The control counts: it is half of the baseline. */
inline std::string no_ratio_because(const pairing& p, const metric& m) {
  if (p.d.empty()) return "no valid block";
  if (m.name == "received_per_second" &&
      (limited_by_sender(p.receiver) || limited_by_sender(p.baseline) ||
       limited_by_sender(p.control)))
    return "the sender was the limit: compare CPU ns per datagram";
  return {};
}

namespace detail {

/** CPU time of all valid rounds over their datagrams, in ns; empty if a round has none. */
inline std::optional<double> cpu_of_all(const std::vector<record::round>& rounds) {
  std::uint64_t cpu = 0;
  std::uint64_t observed = 0;
  for (const auto& r : rounds) {
    if (!r.valid) continue;
    if (!r.cpu_ns) return {};
    cpu += *r.cpu_ns;
    observed += r.observed;
  }
  return cpu != 0 ? per(std::optional(cpu), observed) : std::nullopt;
}

inline std::optional<std::array<double, 2>> as_array(const std::optional<statistics::interval>& i) {
  if (!i) return {};
  return std::array<double, 2>{i->low, i->high};
}

} // namespace detail

/** Compares, and judges by the rules of `statistics::judge`. */
inline record::comparison compare_pair(const pairing& p, const metric& m, double margin) {
  record::comparison c;
  c.receiver = p.receiver.receiver;
  c.baseline = p.baseline.receiver;
  c.load = p.receiver.load;
  c.size = p.receiver.size;
  c.metric = m.name;
  c.confidence = 0.95;
  c.blocks = p.d.size();
  c.reason = no_ratio_because(p, m);
  if (c.reason.starts_with("the sender"))
    c.limited_by = record::limit::sender;
  else
    c.limited_by = p.receiver.summary.limited_by;

  const auto which = m.lower_is_better ? statistics::better::lower : statistics::better::higher;
  std::optional<statistics::paired_ratio> control;
  if (!p.control_d.empty()) {
    control = statistics::summarise(p.control_d);
    const auto state = statistics::judge_control(*control, margin, which);
    c.control = {.ratio = control->estimate,
                 .ci = detail::as_array(control->ci95),
                 .verdict = state.word,
                 .suspect = state.suspect};
  }
  if (!c.reason.empty()) return c;

  const auto ratio = statistics::summarise(p.d);
  const auto judged = statistics::judge(ratio, margin, which, p.comparisons, control);
  c.ratio = ratio.estimate;
  c.ci = detail::as_array(ratio.ci95);
  c.verdict = judged.word;
  c.qualifier = judged.detail;
  c.blocks_needed = judged.blocks_needed;
  const auto sums = [&](const record::result& r) {
    if (m.name == "cpu_ns_per_datagram") return detail::cpu_of_all(r.rounds);
    const auto& ns = r.summary.mean_ns_per_datagram;
    return ns && *ns > 0 ? std::optional(m.lower_is_better ? *ns : 1 / *ns) : std::nullopt;
  };
  if (const auto a = sums(p.receiver), b = sums(p.baseline); a && b) c.ratio_of_sums = *a / *b;
  return c;
}

} // namespace udpbench::experiment
