/** @file
    The search for the rates that a receiver carries. No I/O: results of trials in, the next trial out.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/search/bounds.hpp>
#include <udpbench/search/goal.hpp>
#include <udpbench/search/trial.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::search {

/** What is searched for, and where. */
struct plan {
  rate least = 0;                     ///< Datagrams per second, above 0.
  rate most = 0;                      ///< Not below `least`.
  std::vector<goal> goals;            ///< At least one, each with a name of its own.
  std::uint64_t most_trials = 10'000; ///< The search ends with them, whatever it has found by then.
};

/** A trial to run. */
struct order {
  rate load = 0;                       ///< Datagrams per second.
  std::chrono::nanoseconds duration{}; ///< Of its sending.
  bool warm_up = false;                ///< Its result counts for nothing.
};

/** How a search for a goal ended. */
enum class ending {
  unfinished, ///< By the maximum of trials, or not yet.
  regular,    ///< Both bounds are known and near enough.
  at_least,   ///< The highest load that was allowed is carried.
  below       ///< The lowest load that was allowed isn't.
};

/** What was found for a goal. */
struct outcome {
  std::string goal;                             ///< Its name.
  ending how = ending::unfinished;              ///< Whether the bounds are final.
  bounds found;                                 ///< As far as they are known.
  std::optional<double> conditional_throughput; ///< At the lower bound, datagrams per second.
  bool sender_ends =
      false; ///< At the upper bound the sender was the limit: the receiver carries at least the lower one.
  std::optional<double>
      least_loss; ///< At the lower end of what was allowed; where that isn't carried.
};

/** One search for several goals, which share its trials. For each goal single trials find out roughly where its bounds are, then as many as it asks for
    decide about the loads there. Threads: one. */
class search {
 public:
  /** Errors: throws `std::invalid_argument`, which names what is wrong, for a plan that can't be searched. */
  explicit search(plan p) : plan_(std::move(p)) {
    check_goals(plan_.goals);
    if (plan_.least == 0) throw std::invalid_argument("least rate 0: allowed is above 0");
    if (plan_.most < plan_.least)
      throw std::invalid_argument("highest rate " + std::to_string(plan_.most) +
                                  ": allowed is from the least one, " +
                                  std::to_string(plan_.least));
    for (const goal& g : plan_.goals) {
      goal rough = g;
      rough.sum = g.trial;
      rough.width = std::min(0.5, g.width * 4);
      if (g.sum > g.trial) targets_.push_back(rough);
      targets_.push_back(g);
    }
  }

  /** The next trial; empty when all is found, or the maximum of trials was reached. The same until its result was told. */
  std::optional<order> next() {
    if (pending_) return pending_;
    if (!warm_) {
      warm_ = true;
      pending_ = order{plan_.most, shortest(), true};
      return pending_;
    }
    for (; target_ < targets_.size(); ++target_) {
      if (told_ >= plan_.most_trials) return std::nullopt;
      if (const auto load = choose(targets_[target_])) {
        at_ = load;
        pending_ = order{*load, targets_[target_].trial, false};
        return pending_;
      }
      remember(find_bounds(trials_, targets_[target_]));
    }
    return std::nullopt;
  }

  /** The result of the trial that `next` has asked for.
      Errors: throws `std::logic_error` for another load or duration, or if none was asked for, and as `loss_of`. */
  void tell(const trial& t) {
    if (!pending_ || t.load != pending_->load || t.duration != pending_->duration)
      throw std::logic_error("a trial at " + std::to_string(t.load) +
                             "/s, which was not asked for");
    loss_of(t);
    const bool counts = !pending_->warm_up;
    pending_.reset();
    if (!counts) return;
    ++told_;
    trials_[t.load].push_back(t);
  }

  /** What is known by now, for each goal in their order. */
  std::vector<outcome> outcomes() const {
    std::vector<outcome> out;
    for (const goal& g : plan_.goals) out.push_back(outcome_of(g));
    return out;
  }

  /** All trials but the first, which warms up. */
  const trials& measured() const noexcept { return trials_; }

 private:
  plan plan_;
  std::vector<goal> targets_; ///< Each goal, roughly and then in full.
  std::size_t target_ = 0;
  trials trials_;
  std::uint64_t told_ = 0;
  bool warm_ = false;
  std::optional<order> pending_;
  std::optional<rate> at_;
  std::vector<rate> hints_; ///< Where the bounds of the last target are, the lower one first.
  unsigned strides_ = 0;

  std::chrono::nanoseconds shortest() const {
    return std::min_element(plan_.goals.begin(), plan_.goals.end(),
                            [](const goal& a, const goal& b) { return a.trial < b.trial; })
        ->trial;
  }

  bound is(rate load, const goal& g) const {
    const auto at = trials_.find(load);
    return at == trials_.end() ? bound::undecided : classify(at->second, g);
  }

  ending ended(const bounds& b, const goal& g) const {
    if (b.upper == plan_.least) return ending::below;
    if (!b.upper && b.lower == plan_.most) return ending::at_least;
    const auto width = b.width();
    // Between neighbours there is no other.
    return width && (*width <= g.width || *b.upper - *b.lower == 1) ? ending::regular
                                                                    : ending::unfinished;
  }

  outcome outcome_of(const goal& g) const {
    outcome out;
    out.goal = g.name;
    out.found = find_bounds(trials_, g);
    out.how = ended(out.found, g);
    if (out.found.lower)
      out.conditional_throughput = conditional_throughput(trials_.at(*out.found.lower), g);
    if (out.found.upper) out.sender_ends = sender_ends_at(trials_.at(*out.found.upper), g);
    if (out.how == ending::below) {
      const auto& at = trials_.at(plan_.least);
      const auto best = std::min_element(at.begin(), at.end(), [](const trial& a, const trial& b) {
        return loss_of(a) < loss_of(b);
      });
      out.least_loss = loss_of(*best);
    }
    return out;
  }

  /** A target is done: the next one begins where it has ended. */
  void remember(const bounds& b) {
    hints_.clear();
    if (b.lower) hints_.push_back(*b.lower);
    if (b.upper) hints_.push_back(*b.upper);
    at_.reset();
    strides_ = 0;
  }

  /** The next load to try; empty when the target is reached. */
  std::optional<rate> choose(const goal& g) {
    const bounds b = find_bounds(trials_, g);
    if (ended(b, g) != ending::unfinished) return std::nullopt;
    if (at_ && b.hold(*at_) && is(*at_, g) == bound::undecided) return at_;
    for (const rate hint : hints_)
      if (b.hold(hint) && is(hint, g) == bound::undecided) return hint;
    if (b.lower && b.upper) return *b.lower + (*b.upper - *b.lower) / 2;
    if (b.upper) return below(*b.upper, g);
    if (b.lower) return above(*b.lower, g);
    return plan_.most;
  }

  /** A stride that doubles. */
  rate stride(rate from, const goal& g) {
    const double widths = std::ldexp(g.width, static_cast<int>(std::min(strides_++, 60u)));
    return static_cast<rate>(std::max(1.0, static_cast<double>(from) * std::min(1.0, widths)));
  }

  /** What the receiver took at a load that it didn't carry tells where its limit is, if it copes with more; if not, strides do. */
  rate below(rate upper, const goal& g) {
    rate to = upper - std::min(upper, stride(upper, g));
    for (const trial& t : trials_.at(upper)) {
      const double taken = static_cast<double>(t.load) * (1 - loss_of(t)) * (1 - g.width / 2);
      to = std::min(to, static_cast<rate>(taken));
    }
    return std::max(plan_.least, to);
  }

  rate above(rate lower, const goal& g) {
    const rate by = stride(lower, g);
    return by > plan_.most - lower ? plan_.most : lower + by;
  }
};

} // namespace udpbench::search
