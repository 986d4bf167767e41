/** @file
    The results of a run that stand in one table: one load, one size, one number of sockets, one work.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/record/same_table.hpp>
#include <udpbench/report/phrases.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::report {

/** Lifetime: points into the run it was made from. */
struct group {
  std::string load;                                   ///< As on a command line.
  std::uint64_t size = 0;                             ///< Payload, bytes.
  std::uint64_t sockets = 1;                          ///< Of each receiver.
  std::uint64_t threads = 1;                          ///< Of each receiver, as planned.
  bool mixed = false;                                 ///< Sizes go up to `size`, as planned.
  std::string work;                                   ///< Done with each datagram; empty: none.
  std::string baseline;                               ///< Its name.
  std::vector<const record::result*> receivers;       ///< The baseline first.
  const record::result* control = nullptr;            ///< Null where none took part.
  std::vector<const record::comparison*> comparisons; ///< In the order of the run.

  /** Whether the load is one of those. */
  bool backlog() const { return load.starts_with("backlog"); }

  /** The sender had a schedule, so the rate was chosen and CPU time is what differs. */
  bool scheduled() const { return load.starts_with("rate"); }

  /** The comparison of a receiver with the baseline, or null. */
  const record::comparison* comparison_of(std::string_view receiver) const {
    for (const record::comparison* c : comparisons) {
      if (c->receiver == receiver && c->receiver != baseline) return c;
    }
    return nullptr;
  }

  /** The result of a receiver that is no control, or null. */
  const record::result* result_of(std::string_view receiver) const {
    for (const record::result* r : receivers) {
      if (r->receiver == receiver) return r;
    }
    return nullptr;
  }

  /** What "no difference" looks like; null where no second instance of the baseline took part, or where no ratio
      may be shown. */
  const record::control* control_ratio() const {
    for (const record::comparison* c : comparisons) {
      if (c->control.ratio && has_ratio(*c)) return &c->control;
    }
    return nullptr;
  }

  /** Blocks that were measured, valid or not. */
  std::size_t blocks() const { return block_numbers(false).size(); }

  /** Those of them that a round made invalid. */
  std::size_t invalid_blocks() const { return block_numbers(true).size(); }

 private:
  std::set<std::pair<std::uint64_t, std::uint64_t>> block_numbers(bool invalid_only) const {
    std::set<std::pair<std::uint64_t, std::uint64_t>> numbers; // of process and block
    const auto add = [&](const record::result& of) {
      for (const record::round& r : of.rounds) {
        if (!invalid_only || !r.valid) numbers.emplace(r.process, r.block);
      }
    };
    for (const record::result* r : receivers) add(*r);
    if (control != nullptr) add(*control);
    return numbers;
  }
};

/** What speaks against the verdicts of a table alone. */
inline std::vector<std::string> suspicions(const record::run& run, const group& g) {
  std::vector<std::string> reasons;
  for (const record::suspicion& s : run.suspect)
    if (record::same_table(s, g)) reasons.push_back(s.reason);
  return reasons;
}

/** The groups of a run, in the order of its results. */
inline std::vector<group> groups(const record::run& run) {
  std::vector<group> out;
  const auto group_of = [&](const auto& x) -> group& {
    const auto same = [&](const group& g) { return record::same_table(g, x); };
    const auto found = std::find_if(out.begin(), out.end(), same);
    if (found != out.end()) return *found;
    group& added = out.emplace_back();
    added.load = x.load;
    added.size = x.size;
    added.sockets = x.sockets;
    added.threads = run.plan.threads;
    added.mixed = run.plan.mixed_from.has_value();
    added.work = x.work;
    return added;
  };

  for (const record::result& r : run.results) {
    group& g = group_of(r);
    if (r.control) {
      g.control = &r;
    } else {
      g.receivers.push_back(&r);
    }
  }
  for (const record::comparison& c : run.comparisons) group_of(c).comparisons.push_back(&c);

  for (group& g : out) {
    if (!g.comparisons.empty()) {
      g.baseline = g.comparisons.front()->baseline;
    } else if (!run.plan.receivers.empty()) {
      g.baseline = run.plan.receivers.front();
    } else if (!g.receivers.empty()) {
      g.baseline = g.receivers.front()->receiver;
    }
    const auto base =
        std::find_if(g.receivers.begin(), g.receivers.end(),
                     [&](const record::result* r) { return r->receiver == g.baseline; });
    if (base != g.receivers.end()) std::rotate(g.receivers.begin(), base, base + 1);
  }
  return out;
}

} // namespace udpbench::report
