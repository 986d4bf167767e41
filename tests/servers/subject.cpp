/** @file
    Every server, compiled once for all tests.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include <algorithm>
#include <iterator>

namespace servers {

bool can_run(const kind& k) { return io_uring_allowed() || !k.name.starts_with("uring"); }

const std::vector<kind>& all() {
  static const std::vector<kind> every = kinds_of(support::servers<probe>{});
  static const std::vector<kind> usable = [] {
    std::vector<kind> some;
    std::copy_if(every.begin(), every.end(), std::back_inserter(some), can_run);
    return some;
  }();
  for (const kind& k : every)
    if (!can_run(k)) WARN("skipped: " << k.name << ": this kernel doesn't allow io_uring");
  return usable;
}

} // namespace servers
