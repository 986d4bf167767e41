/** @file
    Every server, compiled once for all tests.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/train.hpp"

#include <udpbench/net/features.hpp>

#include <set>
#include <string>
#include <vector>

namespace servers {

std::string lacking(const kind& k) {
  // A synchronous one has a context, too.
  const bool on_io_uring =
      k.name.starts_with("uring") ||
      (!k.name.starts_with("raw") && udpbench::net::features::backend == "io_uring");
  if (on_io_uring && !io_uring_allowed()) return "this kernel doesn't allow io_uring";
  if (k.name.find("take::gro") != k.name.npos && !support::joins())
    return "this kernel doesn't join datagrams";
  return {};
}

bool runs_here(const kind& k) {
  static std::set<std::string> told;
  const auto what = lacking(k);
  if (!what.empty() && told.insert(k.name).second) WARN("skipped: " << k.name << ": " << what);
  return what.empty();
}

const std::vector<kind>& all() {
  static const std::vector<kind> every = kinds_of(support::servers<probe>{});
  return every;
}

} // namespace servers
