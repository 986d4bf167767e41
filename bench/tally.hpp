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
#include <string>
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
  /** 0 where there is none. */
  double median_ratio() const {
    return ratios_.empty() ? 0 : udpbench::statistics::median(ratios_);
  }
  /** As logarithms: 0.01 is 1 %. Empty where no run had an interval. */
  const std::vector<double>& half_widths() const noexcept { return half_widths_; }

 private:
  std::size_t runs_ = 0;
  std::array<std::size_t, 4> words_{};
  std::vector<double> ratios_;
  std::vector<double> half_widths_;
};

/** What the runs are held to. The counts are for 20 runs, and in proportion for others. */
struct bars {
  double false_share = 1.0 / 20;  ///< Of A/A: `slower` or `faster` in no more.
  double found_share = 19.0 / 20; ///< Of a planted 5 %: `slower` in no fewer.
  double half_width = 0.01;       ///< Median of all intervals' at most.
};

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
                  " times.");
  if (share(five.called(verdict::slower), five.runs()) < b.found_share)
    out.push_back("A planted 5 % was called slower only " +
                  std::to_string(five.called(verdict::slower)) + " times.");
  const auto& widths = same.half_widths();
  if (widths.empty() || udpbench::statistics::median(widths) > b.half_width)
    out.push_back("The intervals are wider than " + std::to_string(b.half_width * 100) +
                  " % on either side.");
  return out;
}

} // namespace calibration
