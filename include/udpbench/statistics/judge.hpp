/** @file
    From a ratio to a word: equivalent, slower, faster or inconclusive.

    Source: Schuirmann 1987 (equivalence by the 90 % interval); Bonferroni (several comparisons).

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/blocks_needed.hpp>
#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/paired_ratio.hpp>
#include <udpbench/statistics/sign_test.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>

namespace udpbench::statistics {

/** Which way a metric is good: a time is better lower, a rate higher. */
enum class better {
  lower,  ///< Times.
  higher, ///< Rates.
};

/** A verdict, what stands behind it, and how many blocks would probably lead to another. */
struct judgement {
  verdict word = verdict::inconclusive;     ///< The verdict.
  qualifier detail = qualifier::none;       ///< What stands behind it.
  std::optional<std::size_t> blocks_needed; ///< If inconclusive; empty: can't be told.
};

/** What the second instance of the baseline says of the run. */
struct control_state {
  verdict word = verdict::inconclusive; ///< Of the second instance over the first.
  bool suspect = false; ///< Two instances of the same differ: trust no verdict of this run.
};

/** Judges one comparison of a table of `comparisons`. The first that holds gives the word:

    1. There is no 95 % interval (below 6 units): `inconclusive`.
    2. The 90 % interval lies inside [1/(1+margin), 1+margin]: `equivalent`, with `below_margin` if
       the 95 % interval excludes 1.
    3. The 1 - 0.05/comparisons interval excludes 1 and the estimate is beyond the margin, but the
       control is not equivalent and its 95 % interval, if any, does not exclude the estimate:
       `inconclusive` with `noise_floor`.
    4. The same without such a control: `slower` or `faster`, with `beyond_margin` if the whole 95 %
       interval is beyond it.
    5. `inconclusive`; if the 95 % interval excludes 1, with `below_level` where the estimate is beyond
       the margin, so that only the number of comparisons stands in the way, else `direction_only`.

    What to expect of 20 independent blocks in a table of up to 10 with a control, by simulation:
    - Equal receivers: `slower` or `faster` stands in 1 % of the tables up to a deviation of 8 % from
      block to block. Not so where a process deals each receiver a luck of its own, of 1 % say: then
      it stands in half of the tables and more while the deviation is up to 2 %. A control shows that
      now and then, more blocks never; `processes.hpp` is the remedy.
    - Equal receivers: `equivalent` in 82 % if the deviation is the margin, and in 98 % at 3/4 of it.
    - A difference of 2 margins or more is found in 95 % if the deviation is at most half of it.

    @param ratio  receiver over baseline.
    @param margin  0.02 is 2 %; declared before the run.
    @param which  tells `slower` from `faster`.
    @param comparisons  in the table, this one counted.
    @param control  second instance of the baseline over the first; empty where none took part.
    Errors: throws `std::invalid_argument` unless margin > 0 and comparisons > 0, and at a ratio
    that `summarise` can't have made.   Threads: any. */
inline judgement judge(const paired_ratio& ratio, double margin, better which,
                       std::size_t comparisons, const std::optional<paired_ratio>& control) {
  require_finite(margin, "margin");
  if (margin <= 0) throw std::invalid_argument("judge: the margin is not above 0");
  if (comparisons == 0) throw std::invalid_argument("judge: a table of no comparisons");
  require_summarised(ratio);
  if (!ratio.ci90 || !ratio.ci95) return {};

  const interval tolerated{1 / (1 + margin), 1 + margin};
  const bool differs = excludes(*ratio.ci95, 1);
  if (inside(*ratio.ci90, tolerated))
    return {verdict::equivalent, differs ? qualifier::below_margin : qualifier::none, {}};

  const auto confidence = 1 - 0.05 / static_cast<double>(comparisons);
  const auto adjusted = ratio.interval_at(confidence);
  if (!adjusted || !excludes(*adjusted, 1) || !excludes(tolerated, ratio.estimate))
    return {verdict::inconclusive,
            !differs                              ? qualifier::none
            : excludes(tolerated, ratio.estimate) ? qualifier::below_level
                                                  : qualifier::direction_only,
            blocks_to_settle(ratio, margin, confidence)};

  if (control && judge(*control, margin, which, 1, {}).word != verdict::equivalent &&
      !(control->ci95 && excludes(*control->ci95, ratio.estimate)))
    return {verdict::inconclusive, qualifier::noise_floor,
            blocks_to_outrank(*control, ratio.estimate)};

  const bool whole = ratio.ci95->low > tolerated.high || ratio.ci95->high < tolerated.low;
  const bool more = ratio.estimate > 1;
  return {more == (which == better::lower) ? verdict::slower : verdict::faster,
          whole ? qualifier::beyond_margin : qualifier::none,
          {}};
}

/** Judges the second instance of the baseline against the first. Suspect if its 99 % interval
    excludes 1 and it is not `equivalent`.
    @param control  below 8 units it has no such interval, and nothing is suspected.
    @param margin  0.02 is 2 %.
    @param which  tells `slower` from `faster`.
    Errors: as those of `judge`.   Threads: any. */
inline control_state judge_control(const paired_ratio& control, double margin,
                                   better which = better::lower) {
  const auto word = judge(control, margin, which, 1, {}).word;
  return {word, word != verdict::equivalent && control.ci99 && excludes(*control.ci99, 1)};
}

} // namespace udpbench::statistics
