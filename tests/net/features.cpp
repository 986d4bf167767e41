/** @file
    What this build knows of itself.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/features.hpp>

#include "catch.hpp"

namespace features = udpbench::net::features;

TEST_CASE("a build names its compiler and its backend", "[net]") {
  const bool named =
      features::compiler.starts_with("g++ ") || features::compiler.starts_with("clang ");
  CHECK(named);
  CHECK(features::compiler.size() > 6);
  CHECK(features::backend == "epoll"); // the tests are built without io_uring
}
