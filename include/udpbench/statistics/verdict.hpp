/** @file
    The judgement of a comparison: its words and how they are found.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

/** Intervals, ratios, verdicts. No sockets; usable alone. Threads: any, throughout. */
namespace udpbench::statistics {

/** The word for a comparison; `judge` says when each is given. */
enum class verdict {
  equivalent,   ///< The same, to within the margin.
  slower,       ///< The receiver is the worse, also where the metric is a rate.
  faster,       ///< The receiver is the better.
  inconclusive, ///< None of these could be shown.
};

/** What stands behind the verdict's word. */
enum class qualifier {
  none,           ///< Nothing that the word doesn't say.
  below_margin,   ///< equivalent: differs, by less than the margin.
  beyond_margin,  ///< slower, faster: the whole interval is beyond the margin.
  direction_only, ///< inconclusive: the direction is shown, the size is not.
  below_level, ///< inconclusive: shown alone, but not at the level that so many comparisons ask for.
  noise_floor, ///< inconclusive: the control is not equivalent and covers the estimate.
};

} // namespace udpbench::statistics
