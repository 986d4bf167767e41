/** @file
    The judgement of a comparison: its words and how they are found.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

namespace udpbench::statistics {

enum class verdict { equivalent, slower, faster, inconclusive };

/** What stands behind the verdict's word. */
enum class qualifier {
  none,
  below_margin,   ///< equivalent: differs, by less than the margin.
  beyond_margin,  ///< slower, faster: the whole interval is beyond the margin.
  direction_only, ///< inconclusive: the direction is shown, the size is not.
  below_level, ///< inconclusive: shown alone, but not at the level that so many comparisons ask for.
  noise_floor, ///< inconclusive: the control is not equivalent and covers the estimate.
};

} // namespace udpbench::statistics
