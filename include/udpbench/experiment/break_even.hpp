/** @file
    From how much work per datagram on the receive path no longer matters. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/record/same_table.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

namespace detail {

/** One work of a series: what it takes, what the baseline takes with it, and what was found. */
struct with_work {
  const record::comparison* found = nullptr;
  double work_ns = 0;
  double baseline_ns = 0;
};

inline bool times(const record::comparison& c) {
  return c.metric == "ns_per_datagram" || c.metric == "cpu_ns_per_datagram";
}

/** The comparisons of one receiver that differ in their work alone, by rising work. */
inline std::vector<with_work> works_of(const record::run& run, const record::comparison& first) {
  std::vector<with_work> out;
  for (const auto& c : run.comparisons) {
    if (c.receiver != first.receiver || c.load != first.load || c.size != first.size ||
        c.sockets != first.sockets || !c.ratio || !times(c))
      continue;
    for (const auto& r : run.results) {
      const auto& ns =
          c.metric == "ns_per_datagram" ? r.summary.ns_per_datagram : r.summary.cpu_ns_per_datagram;
      if (r.control || r.receiver != c.baseline || !record::same_table(r, c) || !ns) continue;
      out.push_back({&c, r.work_ns.value_or(0), *ns});
    }
  }
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.work_ns < b.work_ns; });
  return out;
}

/** Beside which work a surcharge on a baseline that takes so long without any is within the margin; empty: beside none. */
inline std::optional<double> enough_work(double surcharge, double baseline, double margin) {
  const double share = surcharge > 0 ? margin : margin / (1 + margin);
  const double work = std::abs(surcharge) / share - baseline;
  return work > 0 ? std::optional(work) : std::nullopt;
}

/** What a receiver costs more than the baseline with one work, and the interval of that. The baseline's own time is taken as it is, so that
    this is the interval of their ratio in other units. */
struct surcharge {
  double ns = 0;
  std::optional<std::array<double, 2>> ci;
};

inline surcharge surcharge_of(const with_work& w) {
  const auto over = [&](double ratio) { return w.baseline_ns * (ratio - 1); };
  surcharge out{over(*w.found->ratio), {}};
  if (const auto& ci = w.found->ci) out.ci = {{over((*ci)[0]), over((*ci)[1])}};
  return out;
}

/** The median of some, with its own interval: of the one in the middle, or halfway between the two. */
inline surcharge median_of(std::vector<surcharge> all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.ns < b.ns; });
  const surcharge& low = all[(all.size() - 1) / 2];
  const surcharge& high = all[all.size() / 2];
  surcharge out{std::midpoint(low.ns, high.ns), {}};
  if (low.ci && high.ci)
    out.ci = {
        {std::midpoint((*low.ci)[0], (*high.ci)[0]), std::midpoint((*low.ci)[1], (*high.ci)[1])}};
  return out;
}

} // namespace detail

/** For each receiver that was measured with several works: its surcharge over the baseline, and beside which work that is
    within the margin. That holds as far as a receiver costs the same whatever is done with its datagrams, so it
    stands beside what was measured: from which work on every verdict was `equivalent`. */
inline std::vector<record::break_even> find_break_evens(const record::run& run) {
  std::vector<record::break_even> out;
  for (const auto& first : run.comparisons) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const auto& b) {
      return b.receiver == first.receiver && b.load == first.load && b.size == first.size &&
             b.sockets == first.sockets;
    });
    const auto works = detail::works_of(run, first);
    if (known || works.size() < 2) continue;
    std::vector<detail::surcharge> surcharges;
    for (const auto& w : works) surcharges.push_back(detail::surcharge_of(w));
    const auto middle = detail::median_of(std::move(surcharges));
    record::break_even b;
    b.receiver = first.receiver;
    b.baseline = first.baseline;
    b.load = first.load;
    b.size = first.size;
    b.sockets = first.sockets;
    b.surcharge_ns = middle.ns;
    b.surcharge_ci = middle.ci;
    const double without = works.front().baseline_ns - works.front().work_ns;
    b.work_ns = detail::enough_work(b.surcharge_ns, without, run.plan.margin);
    for (auto w = works.rbegin(); w != works.rend(); ++w) {
      if (w->found->verdict != statistics::verdict::equivalent) break;
      b.equivalent_from = w->found->work.empty() ? "0" : w->found->work;
      b.equivalent_from_ns = w->work_ns;
    }
    out.push_back(b);
  }
  return out;
}

} // namespace udpbench::experiment
