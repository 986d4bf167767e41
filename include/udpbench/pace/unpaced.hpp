/** @file
    As fast as it can.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/pace/pacing.hpp>

namespace udpbench::pace {

/** Lets everything through at once: the load `flood`. There is no schedule, so there is no intended time. */
struct unpaced {
  /** Does nothing. */
  void begin() noexcept {}
  /** All of them, now. */
  admission admit(std::uint64_t, std::size_t most) noexcept { return {most, 0}; }
};
static_assert(pacing<unpaced>);

} // namespace udpbench::pace
