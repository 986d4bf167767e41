/** @file
    What a server hands over, and who may take it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/datagram.hpp>

#include "catch.hpp"

#include <array>
#include <cstddef>

using udpbench::datagram;
using udpbench::datagram_sink;

namespace {

struct takes_any {
  void operator()(const datagram&) noexcept {}
};
struct may_throw {
  void operator()(const datagram&) {}
};
struct takes_another {
  void operator()(int) noexcept {}
};
struct wants_to_change {
  void operator()(datagram&) noexcept {}
};
static_assert(datagram_sink<takes_any>);
static_assert(!datagram_sink<const takes_any>);
static_assert(!datagram_sink<may_throw>);
static_assert(!datagram_sink<takes_another>);
static_assert(!datagram_sink<wants_to_change>);

} // namespace

TEST_CASE("a datagram is truncated where it is longer than its bytes", "[measure]") {
  const std::array<std::byte, 10> bytes{};
  CHECK(datagram{bytes, 11}.truncated());
  CHECK_FALSE(datagram{bytes, 10}.truncated());
  CHECK_FALSE(datagram{}.truncated());
  CHECK(datagram{{}, 1}.truncated());
}
