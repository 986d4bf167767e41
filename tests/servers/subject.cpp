/** @file
    Every server, compiled once for all tests.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

namespace servers {

const std::vector<kind>& all() {
  static const std::vector<kind> kinds = kinds_of(support::servers<probe>{});
  return kinds;
}

} // namespace servers
