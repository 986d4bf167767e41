/** @file
    What the blocks of one load and size gave.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/plan.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/statistics/order.hpp>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::experiment {

/** One who takes part: a receiver under test, or the second instance of the baseline. */
struct contestant {
  std::string receiver;    ///< Its name in the catalogue.
  bool control = false;    ///< The second instance of the baseline.
  std::string failure;     ///< Why it takes part no more; empty while it does.
  std::size_t threads = 1; ///< That receive.
  std::string backend = std::string(net::features::backend); ///< As its last seat told.
  /** As its last seat told. */
  std::optional<net::busy_polling> busy_poll = {};
  /** What its rounds were held against, as far as they were. */
  std::optional<record::without_work> without_work = {};
};

/** One block's yield, by contestant. */
struct block {
  /** What one contestant gave. */
  struct part {
    std::vector<record::round> rounds;          ///< Backlog: one; else one per pass.
    std::vector<double> figures;                ///< The load's metric, one per turn or pass.
    std::vector<record::histograms> histograms; ///< Of each of `rounds`.
  };
  std::vector<part> parts; ///< In the order of the contestants.
  bool starved = false;    ///< The measuring thread didn't get its cpu: to be repeated.

  /** All its rounds are, and there are some. */
  bool valid() const noexcept {
    for (const auto& p : parts)
      for (const auto& round : p.rounds)
        if (!round.valid) return false;
    return !parts.empty();
  }

  /** Who failed in the middle of a block has no figures in it: half a block would count as one. */
  void drop_failed(const std::vector<contestant>& contestants) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!contestants[i].failure.empty()) parts[i].figures.clear();
  }

  /** An invalid round takes its whole block with it. */
  void spread_invalidity() {
    std::string reason;
    for (const auto& p : parts)
      for (const auto& round : p.rounds)
        if (!round.valid && reason.empty()) reason = round.reason;
    if (reason.empty()) return;
    for (auto& p : parts)
      for (auto& round : p.rounds) {
        if (round.valid) round.reason = "another round of its block is invalid: " + reason;
        round.valid = false;
      }
  }
};

/** The metric that a load's verdict rests on, declared beforehand. */
struct metric {
  std::string name;            ///< A key of a summary.
  bool lower_is_better = true; ///< True of times, false of rates.
};
/** Time per datagram where the receiver is held while the socket is filled; CPU time per datagram where the rate is chosen, so that all
    have the same; else the rate. */
inline metric metric_of(const load& l) {
  if (l.held()) return {"ns_per_datagram", true};
  if (l.what == load_kind::rate) return {"cpu_ns_per_datagram", true};
  return {"received_per_second", false};
}

/** Who watches a run. All calls come from the thread that runs it. */
struct watcher {
  /** Told before each block: its load, how many are `done` and how many are wanted. May be empty. */
  std::function<void(const std::string& load, std::uint64_t done, std::uint64_t of)> progress;
  /** Told each time the run looks whether it shall end: before each turn and round, so no more seldom than one of them takes. May be
      empty. Throws nothing. */
  std::function<void()> alive = {};
  /** Ends the run when it becomes true. May be null. Lifetime: outlives the run. */
  const std::atomic<bool>* interrupted = nullptr;

  /** Whether it was interrupted. */
  bool stop() const noexcept {
    if (alive) alive();
    return interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
  }
};

/** ln(x) of contestant `who` less that of the baseline, one per turn or pass of a block. The baseline is the mean of its two
    instances, `first` and `second`; the second itself is held against the first. */
inline std::vector<double> log_differences(const block& b, std::size_t who, std::size_t first,
                                           std::size_t second) {
  std::vector<double> d;
  const auto& x = b.parts[who].figures;
  const auto& one = b.parts[first].figures;
  const auto& two = b.parts[second].figures;
  for (std::size_t i = 0; i < x.size() && i < one.size() && i < two.size(); ++i) {
    const double base =
        who == second ? std::log(one[i]) : (std::log(one[i]) + std::log(two[i])) / 2;
    d.push_back(std::log(x[i]) - base);
  }
  return d;
}

} // namespace udpbench::experiment
