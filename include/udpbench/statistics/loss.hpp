/** @file
    Loss: of one receiver, and of one against another.

    Datagrams are lost in bursts, so that a binomial interval over datagrams would be far too narrow.
    What repeats is the round, and the order statistics of the rounds give the interval.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/statistics/sign_test.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace udpbench::statistics {

/** Datagrams of one round. */
struct delivery {
  std::uint64_t sent = 0;   ///< Accepted by a send call.
  std::uint64_t unique = 0; ///< Arrived at least once.
};

/** The share of a round that was lost, 0 to 1; empty where nothing was sent.
    Errors: throws `std::invalid_argument` if more arrived than were sent.   Threads: any. */
inline std::optional<double> loss_of(const delivery& round) {
  if (round.unique > round.sent) throw std::invalid_argument("loss of a round that gained");
  if (round.sent == 0) return std::nullopt;
  return static_cast<double>(round.sent - round.unique) / static_cast<double>(round.sent);
}

/** Where none of n rounds lost anything, this share of all rounds loses something at most, at 95 %:
    0.22 for 12, 0.14 for 20.
    Errors: throws `std::invalid_argument` for no rounds.   Threads: any. */
inline double most_lossy_share(std::size_t rounds) {
  if (rounds == 0) throw std::invalid_argument("most_lossy_share of no rounds");
  return 1 - std::pow(0.05, 1 / static_cast<double>(rounds));
}

/** The loss of one receiver over its rounds. All shares are of 1. */
struct loss_summary {
  double median = 0;             ///< Over rounds.
  std::optional<interval> ci95;  ///< Of the median, by order statistics; empty below 6 rounds.
  double pooled = 0;             ///< Of all rounds' datagrams: describes, and has no interval.
  std::size_t rounds = 0;        ///< That sent something.
  std::size_t lossy = 0;         ///< Of these, the rounds that lost something.
  std::optional<double> at_most; ///< `most_lossy_share`, where no round was lossy.
};

/** Sums up valid rounds. Those that sent nothing have no loss and don't count.
    @return empty where no round sent anything.
    Errors: as those of `loss_of`.   Threads: any. */
inline std::optional<loss_summary> summarise_loss(std::span<const delivery> rounds) {
  loss_summary result;
  std::vector<double> losses;
  double sent = 0;
  double lost = 0;
  for (const auto& round : rounds) {
    const auto loss = loss_of(round);
    if (!loss) continue;
    losses.push_back(*loss);
    sent += static_cast<double>(round.sent);
    lost += static_cast<double>(round.sent - round.unique);
    result.lossy += round.unique < round.sent ? 1 : 0;
  }
  if (losses.empty()) return std::nullopt;
  result.median = median(losses);
  result.ci95 = sign_interval(losses, 0.95);
  result.pooled = lost / sent;
  result.rounds = losses.size();
  if (result.lossy == 0) result.at_most = most_lossy_share(result.rounds);
  return result;
}

/** Of a receiver against the baseline. */
enum class loss_verdict { equivalent, more, less, inconclusive };

/** Half a percentage point of loss. */
inline constexpr double loss_margin = 0.005;

/** A difference of losses: 0.01 is one percentage point more than the baseline's. */
struct loss_difference {
  double median = 0;                              ///< Over blocks.
  std::optional<interval> ci95;                   ///< Empty below 6 blocks.
  loss_verdict word = loss_verdict::inconclusive; ///< See `judge_loss`.
};

/** Judges the differences as `judge` does ratios, about 0. The first that holds gives the word:

    1. There is no 95 % interval (below 6 blocks): `inconclusive`.
    2. The 90 % interval lies inside [-margin, margin]: `equivalent`.
    3. The 1 - 0.05/comparisons interval excludes 0 and the median is beyond the margin: `more` or
       `less`.
    4. `inconclusive`.

    @param d  the receiver's loss less the baseline's, one per block: percentage points / 100.
    @param comparisons  in the same table.
    @param margin  0.005 is half a percentage point.
    @return empty where there is no block.
    Errors: throws `std::invalid_argument` unless margin > 0 and comparisons > 0, and if a difference
    lies outside [-1, 1].   Threads: any. */
inline std::optional<loss_difference> judge_loss(std::span<const double> d, std::size_t comparisons,
                                                 double margin = loss_margin) {
  require_finite(d, "judge_loss: differences");
  for (const auto value : d)
    if (std::abs(value) > 1) throw std::invalid_argument("judge_loss: a difference beyond 1");
  require_finite(margin, "margin");
  if (margin <= 0) throw std::invalid_argument("judge_loss: the margin is not above 0");
  if (comparisons == 0) throw std::invalid_argument("judge_loss: a table of no comparisons");
  if (d.empty()) return std::nullopt;

  const auto ascending = sorted(d);
  loss_difference result{median_of_sorted(ascending), sign_interval_of_sorted(ascending, 0.95)};
  if (!result.ci95) return result;

  const interval tolerated{-margin, margin};
  if (inside(*sign_interval_of_sorted(ascending, 0.90), tolerated)) {
    result.word = loss_verdict::equivalent;
    return result;
  }
  const auto adjusted =
      sign_interval_of_sorted(ascending, 1 - 0.05 / static_cast<double>(comparisons));
  if (adjusted && excludes(*adjusted, 0) && excludes(tolerated, result.median))
    result.word = result.median > 0 ? loss_verdict::more : loss_verdict::less;
  return result;
}

} // namespace udpbench::statistics
