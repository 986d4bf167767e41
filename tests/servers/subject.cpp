/** @file
    Every server, compiled once for all tests.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/train.hpp"

namespace servers {

const std::vector<kind>& all() {
  static const std::vector<kind> kinds = [] {
    auto every = kinds_of(support::servers<probe>{});
    if (!support::joins()) {
      WARN("skipped: servers by take::gro, since this kernel doesn't join datagrams");
      std::erase_if(every, [](const kind& k) { return k.name.find("take::gro") != k.name.npos; });
    }
    return every;
  }();
  return kinds;
}

} // namespace servers
