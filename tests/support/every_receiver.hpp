/** @file
    The catalogue of the program, compiled once for all tests: it is most of what a test would compile.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "catch.hpp"

#include <udpbench/experiment/catalogue.hpp>

#include <string>
#include <vector>

namespace support {

/** What `app::builtin` returns and, in a build with liburing, what `app::add_uring` adds to it. */
udpbench::experiment::catalogue every_receiver();

/** The names of all of `known`, of which those that this machine can't have are named as skipped. */
inline std::vector<std::string> every_name(const udpbench::experiment::catalogue& known) {
  for (const auto& absent : known.left_out())
    WARN("skipped: " << absent.name << ": " << absent.reason);
  std::vector<std::string> names;
  for (const auto& e : known.entries()) names.push_back(e.name);
  return names;
}

} // namespace support
