/** @file
    What the executable knows of its own making.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/features.hpp>

#include <string>

namespace udpbench::experiment {

/** Filled in by an executable's `main`; a build system knows it, a header doesn't. */
struct build_info {
  std::string version = "0.1.0"; ///< Of udpbench.
  /** As CMake calls build types: `Release`. */
  std::string type =
      net::features::asserts ? "unknown, with assertions" : "unknown, without assertions";
  std::string flags; ///< Of the compiler; empty: not told.
};

} // namespace udpbench::experiment
