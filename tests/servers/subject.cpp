/** @file
    Every server, compiled once for all tests.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/train.hpp"

#include <string>
#include <vector>

namespace servers {

std::string lacking(const kind& k) {
  if (k.name.starts_with("uring") && !io_uring_allowed())
    return "this kernel doesn't allow io_uring";
  if (k.name.find("take::gro") != k.name.npos && !support::joins())
    return "this kernel doesn't join datagrams";
  return {};
}

const std::vector<kind>& all() {
  static const std::vector<kind> every = kinds_of(support::servers<probe>{});
  static const std::vector<kind> usable = [] {
    std::vector<kind> some;
    for (const kind& k : every)
      if (lacking(k).empty()) some.push_back(k);
    return some;
  }();
  for (const kind& k : every)
    if (const auto what = lacking(k); !what.empty()) WARN("skipped: " << k.name << ": " << what);
  return usable;
}

} // namespace servers
