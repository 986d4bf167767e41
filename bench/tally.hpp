/** @file
    How often runs called a receiver what, and whether that is good enough.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace calibration {

/** The verdicts on one receiver over runs. */
class tally {
 public:
  /** Takes its comparison of one more run. */
  void add(const udpbench::record::comparison& c) {
    ++runs_;
    if (c.verdict) ++words_[static_cast<std::size_t>(*c.verdict)];
    if (c.ratio) ratios_.push_back(*c.ratio);
    if (c.ci) half_widths_.push_back(std::log((*c.ci)[1] / (*c.ci)[0]) / 2);
  }

  std::size_t runs() const noexcept { return runs_; }
  std::size_t called(udpbench::statistics::verdict v) const noexcept {
    return words_[static_cast<std::size_t>(v)];
  }
  /** Runs that had no verdict at all. */
  std::size_t without() const noexcept {
    std::size_t with = 0;
    for (const std::size_t n : words_) with += n;
    return runs_ - with;
  }
  /** Empty where no run had one. */
  std::optional<double> median_ratio() const {
    if (ratios_.empty()) return {};
    return udpbench::statistics::median(ratios_);
  }
  /** As logarithms: 0.01 is 1 %. Empty where no run had an interval. */
  const std::vector<double>& half_widths() const noexcept { return half_widths_; }

 private:
  std::size_t runs_ = 0;
  std::array<std::size_t, 4> words_{};
  std::vector<double> ratios_;
  std::vector<double> half_widths_;
};

/** The verdicts of all receivers over runs. */
class tallies {
 public:
  /** @param receivers  as their comparisons name them; all others are left out. */
  explicit tallies(const std::vector<std::string>& receivers) {
    for (const std::string& name : receivers) all_.emplace_back(name, tally{});
  }

  /** Takes one more run: its comparisons, and what a datagram took its baseline. */
  void add(const udpbench::record::run& run) {
    for (const auto& c : run.comparisons)
      for (auto& [name, t] : all_)
        if (name == c.receiver) t.add(c);
    if (!run.results.empty() && run.results.front().summary.ns_per_datagram)
      baseline_ns_.push_back(*run.results.front().summary.ns_per_datagram);
  }

  /** Errors: throws std::out_of_range if there is none of that name. */
  const tally& of(const std::string& receiver) const {
    for (const auto& [name, t] : all_)
      if (name == receiver) return t;
    throw std::out_of_range(receiver);
  }
  std::size_t runs() const noexcept { return all_.empty() ? 0 : all_.front().second.runs(); }
  /** Median over the runs; empty where none measured it. */
  std::optional<double> baseline_ns() const {
    if (baseline_ns_.empty()) return {};
    return udpbench::statistics::median(baseline_ns_);
  }

 private:
  std::vector<std::pair<std::string, tally>> all_;
  std::vector<double> baseline_ns_;
};

/** What the runs are held to. The counts are for 20 runs, and in proportion for others. */
struct bars {
  double false_share = 1.0 / 20;  ///< Of A/A: `slower` or `faster` in no more.
  double found_share = 19.0 / 20; ///< Of a planted 5 %: `slower` in no fewer.
  double half_width = 0.01;       ///< Median of A/A's at most.
};

/** Such as `0.35 %`. */
inline std::string percent(double fraction) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << fraction * 100 << " %";
  return out.str();
}

/** What falls short, a sentence each; none if all is well.
    @param same  the baseline's equal.
    @param five  with 5 % planted. */
inline std::vector<std::string> shortcomings(const tally& same, const tally& five,
                                             const bars& b = {}) {
  using udpbench::statistics::verdict;
  std::vector<std::string> out;
  const auto share = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
  };
  const std::size_t wrong = same.called(verdict::slower) + same.called(verdict::faster);
  if (share(wrong, same.runs()) > b.false_share)
    out.push_back("The baseline's equal was called slower or faster " + std::to_string(wrong) +
                  " times in " + std::to_string(same.runs()) + " runs.");
  if (share(five.called(verdict::slower), five.runs()) < b.found_share)
    out.push_back("A planted 5 % was called slower only " +
                  std::to_string(five.called(verdict::slower)) + " times in " +
                  std::to_string(five.runs()) + " runs.");
  const auto& widths = same.half_widths();
  if (widths.empty())
    out.push_back("No run had an interval of the baseline's equal.");
  else if (const double half = udpbench::statistics::median(widths); half > b.half_width)
    out.push_back("The intervals of the baseline's equal have a half-width of " + percent(half) +
                  " (median), which is above " + percent(b.half_width) + ".");
  return out;
}

} // namespace calibration
