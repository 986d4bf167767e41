/** @file
    How long to run: a pilot tells the noise, the noise tells the number of blocks, and then nobody
    looks again before all of them have run.

    Who looks at every block and stops at the first narrow interval favours those that came out
    narrow: simulated, with a deviation of 5 times the precision, it then holds the truth in 91 % of
    the runs. Looking once, after a pilot of 20, leaves it at 95 % (at 93 % where neighbours
    correlate by 0.3 and are merged).

    Source: Stein 1945 (two stages).

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/statistics/blocks_needed.hpp>
#include <udpbench/statistics/finite.hpp>
#include <udpbench/statistics/paired_ratio.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

namespace udpbench::statistics {

/** With fewer blocks the width of an interval says too little of the noise. */
inline constexpr std::size_t fewest_pilot_blocks = 20;

/** The blocks of a pilot where `asked` were asked for at least. */
constexpr std::size_t pilot_blocks(std::size_t asked) noexcept {
  return std::max(asked, fewest_pilot_blocks);
}

/** How many blocks a whole run may have, its pilot among them, to end within `limit` at the pilot's
    pace. An even number, or the pilot's own: what ran has run.
    @param blocks,elapsed  of the pilot, with the blocks that turned out invalid: they took time too.
    @param limit  for the pilot and all that follows it.
    Errors: throws `std::invalid_argument` for a pilot of no blocks or no time.   Threads: any. */
inline std::size_t affordable_blocks(std::size_t blocks, std::chrono::nanoseconds elapsed,
                                     std::chrono::nanoseconds limit) {
  if (blocks == 0) throw std::invalid_argument("affordable_blocks: a pilot of no blocks");
  if (elapsed.count() <= 0) throw std::invalid_argument("affordable_blocks: a pilot of no time");
  const auto pairs =
      std::floor(static_cast<double>(limit.count()) / static_cast<double>(elapsed.count()) *
                 static_cast<double>(blocks) / 2);
  if (pairs >= static_cast<double>(most_blocks / 2)) return std::max(blocks, most_blocks);
  return std::max(blocks, 2 * static_cast<std::size_t>(std::max(pairs, 0.0)));
}

/** What a pilot decides. */
struct run_length {
  std::size_t blocks = 0; ///< Of the whole run, the pilot among them.
  bool capped = false;    ///< The precision asks for more than `most`.
};

/** The number of blocks after which the widest of a pilot's intervals will probably have come down
    to `precision`: 1.25 n (w / precision)^2, even, no fewer than ran and no more than `most`.
    Simulated, about 3 runs in 4 then reach it.
    @param pilots  one for each comparison of the run; empty: nothing was compared, nothing more runs.
    @param blocks  that the pilot ran, also those that none of its ratios counts.
    @param precision  half-width of the 95 % interval, as a logarithm of a ratio: 0.01 is 1 %.
    @param most  `affordable_blocks`.
    Errors: throws `std::invalid_argument` unless precision > 0, and at a ratio that `summarise`
    can't have made.   Threads: any. */
inline run_length length_after_pilot(std::span<const paired_ratio> pilots, std::size_t blocks,
                                     double precision, std::size_t most) {
  require_finite(precision, "precision");
  if (precision <= 0) throw std::invalid_argument("length_after_pilot: precision is not above 0");
  const auto cap = std::max(most, blocks);
  run_length result{blocks, false};
  for (const auto& pilot : pilots) {
    require_summarised(pilot);
    const auto units = pilot.ci95 ? blocks_for(pilot.n, half_width(*pilot.ci95), precision)
                                  : std::nullopt; // the noise is unknown: take the time there is
    if (units == pilot.n) continue;
    const auto wanted =
        units ? *units * pilot.blocks_per_unit : std::numeric_limits<std::size_t>::max();
    result.capped = result.capped || wanted > cap;
    result.blocks = std::max(result.blocks, std::min(wanted, cap));
  }
  return result;
}

/** Whether a ratio is known as closely as was asked; else a report says "target not reached".
    Errors: as those of `half_width`.   Threads: any. */
inline bool reaches(const paired_ratio& ratio, double precision) {
  return ratio.ci95 && half_width(*ratio.ci95) <= precision;
}

} // namespace udpbench::statistics
