/** @file
    From blocks to comparisons. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/summaries.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/statistics/dependence.hpp>
#include <udpbench/statistics/hodges_lehmann.hpp>
#include <udpbench/statistics/judge.hpp>
#include <udpbench/statistics/loss.hpp>
#include <udpbench/statistics/merge.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::experiment {

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

/** One difference of losses per valid block, of contestant `who` to the mean of the baseline's two instances; none under backlog,
    and none for a block in which one of them sent nothing. */
inline std::vector<double> block_losses(const std::vector<block>& blocks, const load& l,
                                        std::size_t who, std::size_t first, std::size_t second) {
  std::vector<double> d;
  if (l.held()) return d;
  for (const auto& b : blocks) {
    if (!b.valid()) continue;
    const auto loss_of = [&b](std::size_t i) -> std::optional<double> {
      std::vector<double> losses;
      for (const auto& r : b.parts[i].rounds)
        if (const auto loss = statistics::loss_of({r.sent, r.unique})) losses.push_back(*loss);
      if (losses.empty()) return {};
      return statistics::mean(losses);
    };
    const auto one = loss_of(first);
    const auto two = loss_of(second);
    const auto its = loss_of(who);
    if (one && two && its) d.push_back(*its - (*one + *two) / 2);
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
  std::vector<double> losses;     ///< One difference of losses per valid block.
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

/** The ratio over blocks; neighbours that correlate are counted together. */
inline statistics::paired_ratio ratio_over(const std::vector<double>& d) {
  const auto units = statistics::merge_dependent(d);
  return statistics::summarise(units.units, units.blocks_per_unit);
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

} // namespace detail

/** Writes what a ratio says and how it is judged. */
inline void judge_into(record::comparison& c, const statistics::paired_ratio& ratio,
                       const std::optional<statistics::paired_ratio>& control, double margin,
                       statistics::better which, std::size_t comparisons) {
  const auto judged = statistics::judge(ratio, margin, which, comparisons, control);
  c.ratio = ratio.estimate;
  c.ci = detail::as_array(ratio.ci95);
  c.verdict = judged.word;
  c.qualifier = judged.detail;
  c.blocks_needed = judged.blocks_needed;
}

/** What the second instance of the baseline says. */
inline record::control control_from(const statistics::paired_ratio& control, double margin,
                                    statistics::better which) {
  const auto state = statistics::judge_control(control, margin, which);
  return {.ratio = control.estimate,
          .ci = detail::as_array(control.ci95),
          .verdict = state.word,
          .suspect = state.suspect};
}

/** Which way a metric is good. */
inline statistics::better better_of(const metric& m) noexcept {
  return m.lower_is_better ? statistics::better::lower : statistics::better::higher;
}

/** Says whether a ratio is known as closely as was aimed at.
    @param c  gets the answer; none where it has no ratio.
    @param precision  half-width of the interval, as a share; empty: none was aimed at. */
inline void judge_precision(record::comparison& c, const std::optional<double>& precision) {
  c.precision_reached.reset();
  if (!c.ratio || !precision) return;
  c.precision_reached = c.ci && statistics::half_width({(*c.ci)[0], (*c.ci)[1]}) <= *precision;
}

/** Compares, and judges by the rules of `statistics::judge`. */
inline record::comparison compare_pair(const pairing& p, const metric& m, double margin) {
  record::comparison c;
  c.receiver = p.receiver.receiver;
  c.baseline = p.baseline.receiver;
  c.load = p.receiver.load;
  c.size = p.receiver.size;
  c.sockets = p.receiver.sockets;
  c.work = p.receiver.work;
  c.metric = m.name;
  c.confidence = 0.95;
  c.blocks = p.d.size();
  c.reason = no_ratio_because(p, m);
  if (c.reason.starts_with("the sender"))
    c.limited_by = record::limit::sender;
  else
    c.limited_by = p.receiver.summary.limited_by;

  if (const auto loss = statistics::judge_loss(p.losses, p.comparisons))
    c.loss = {.median = loss->median, .ci = detail::as_array(loss->ci95), .verdict = loss->word};
  std::optional<statistics::paired_ratio> control;
  if (!p.control_d.empty()) {
    control = ratio_over(p.control_d);
    c.control = control_from(*control, margin, better_of(m));
  }
  if (!c.reason.empty()) return c;

  const auto ratio = ratio_over(p.d);
  judge_into(c, ratio, control, margin, better_of(m), p.comparisons);
  c.blocks_per_unit = ratio.blocks_per_unit;
  c.hodges_lehmann = std::exp(statistics::hodges_lehmann(p.d));
  c.ljung_box_p = statistics::ljung_box_p(p.d);
  c.runs_p = statistics::runs_p(p.d);
  const auto sums = [&](const record::result& r) {
    if (m.name == "cpu_ns_per_datagram") return detail::cpu_of_all(r.rounds);
    const auto& ns = r.summary.mean_ns_per_datagram;
    return ns && *ns > 0 ? std::optional(m.lower_is_better ? *ns : 1 / *ns) : std::nullopt;
  };
  if (const auto a = sums(p.receiver), b = sums(p.baseline); a && b) c.ratio_of_sums = *a / *b;
  return c;
}

} // namespace udpbench::experiment
