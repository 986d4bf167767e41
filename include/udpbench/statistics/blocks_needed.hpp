/** @file
    How many blocks would answer a question that these did not.

    The half-width w of an interval shrinks with the root of the number of blocks. So n blocks of
    half-width w become N = 1.25 n (w / target)^2 for a target, rounded up to an even number; the
    1.25 is for w, which is an estimate itself. All widths are logarithms of ratios: 0.01 is 1 %.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/paired_ratio.hpp>
#include <udpbench/statistics/sign_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>

namespace udpbench::statistics {

/** More blocks than this is no advice. */
inline constexpr std::size_t most_blocks = 1'000'000;

/** Half the width of an interval of ratios. Unit: logarithm of a ratio.
    Errors: throws `std::invalid_argument` unless both ends are positive numbers.   Threads: any. */
inline double half_width(const interval& ratios) {
  const auto width = (std::log(ratios.high) - std::log(ratios.low)) / 2;
  require_finite(width, "half-width");
  return width;
}

/** The number of blocks that brings an interval to a target: n itself if it is there already.
    @param n  blocks that gave it.
    @param width  half of its own.
    @param target  half of the one wanted, in the same unit.
    @return empty above `most_blocks`, as for a target of 0.
    Errors: throws `std::invalid_argument` if one is negative or not finite.   Threads: any. */
inline std::optional<std::size_t> blocks_for(std::size_t n, double width, double target) {
  require_finite(width, "blocks_for: half-width");
  require_finite(target, "blocks_for: target");
  if (width < 0 || target < 0) throw std::invalid_argument("blocks_for: a width below 0");
  if (width <= target) return n;
  const auto shrink = width / target;
  const auto pairs = std::ceil(1.25 * static_cast<double>(n) * shrink * shrink / 2);
  if (!(pairs <= static_cast<double>(most_blocks / 2))) return std::nullopt;
  return 2 * static_cast<std::size_t>(pairs);
}

namespace detail {

/** Units made blocks; even, and more than there were. */
inline std::optional<std::size_t> more_blocks(const paired_ratio& ratio,
                                              std::optional<std::size_t> units) {
  if (!units) return std::nullopt;
  const auto blocks = std::max(*units, ratio.n + 1) * ratio.blocks_per_unit;
  return blocks + blocks % 2;
}

} // namespace detail

/** The blocks after which this ratio would probably be judged, if its e = |ln estimate| stays.

    With e within the margin L = ln(1 + margin) it would be `equivalent`. The 95 % half-width has to
    come to 0.65 (L - e). (At e = 0 that is 0.65 L, where simulated runs of 20 blocks without a
    difference come out `equivalent` in 73 %, of 100 blocks in 87 %.)

    With e beyond, it would be `slower` or `faster`. The half-width at `confidence` has to come to
    0.7 e, to exclude 1, and to 2 (e - L), for the next estimate to be beyond too; each in about
    80 % of the runs: 1.96 / (1.96 + 0.84) = 0.7, and 1.96 / 0.84 is a little above 2. (Simulated,
    85 % and more while a block deviates by 1.5 e at most. Beyond 2 e, where the e of 20 blocks says
    little, 70 %: then it takes another round of advice.)
    @param ratio  by the blocks so far.
    @param margin  0.02 is 2 %.
    @param confidence  what `slower` and `faster` need, 0.95 or more.
    @return empty below 6 units, whose spread says nothing, and above `most_blocks`: e is about L.
    Errors: throws `std::invalid_argument` by confidence, margin or ratio.   Threads: any. */
inline std::optional<std::size_t> blocks_to_settle(const paired_ratio& ratio, double margin,
                                                   double confidence) {
  require_confidence(confidence);
  require_finite(margin, "margin");
  require_summarised(ratio);
  if (!ratio.ci95) return std::nullopt;
  const auto e = std::abs(std::log(ratio.estimate));
  const auto limit = std::log1p(margin);
  if (e <= limit)
    return detail::more_blocks(ratio,
                               blocks_for(ratio.n, half_width(*ratio.ci95), 0.65 * (limit - e)));

  auto fewest = ratio.n;
  while (!sign_ranks(fewest, confidence)) ++fewest;
  const auto all = interval{std::exp(ratio.log_ratios.front()), std::exp(ratio.log_ratios.back())};
  const auto width = half_width(ratio.interval_at(confidence).value_or(all));
  const auto units = blocks_for(ratio.n, width, std::min(0.7 * e, 2 * (e - limit)));
  return detail::more_blocks(ratio, units ? std::optional{std::max(*units, fewest)} : units);
}

/** The blocks after which the control's 95 % interval would probably not reach `estimate`: its
    half-width has to come to 0.7 of the distance between the two estimates.
    @return empty below 6 units and above `most_blocks`.
    Errors: throws `std::invalid_argument` by estimate or control.   Threads: any. */
inline std::optional<std::size_t> blocks_to_outrank(const paired_ratio& control, double estimate) {
  require_finite(std::log(estimate), "logarithm of the estimate");
  require_summarised(control);
  if (!control.ci95) return std::nullopt;
  const auto distance = std::abs(std::log(estimate / control.estimate));
  return detail::more_blocks(control,
                             blocks_for(control.n, half_width(*control.ci95), 0.7 * distance));
}

} // namespace udpbench::statistics
