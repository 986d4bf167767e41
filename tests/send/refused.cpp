/** @file
    What a full socket doesn't take.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/descriptor.hpp>
#include <udpbench/send/batch.hpp>
#include <udpbench/send/single.hpp>

#include "catch.hpp"
#include "loopback.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <sys/socket.h>

using udpbench::net::descriptor;

TEMPLATE_TEST_CASE("EAGAIN isn't sent: what a full socket accepted is what the other end reads",
                   "[send]", udpbench::send::single, udpbench::send::batch<>) {
  // Unlike UDP on loopback, datagrams between two ends of a pair fill up the sender, not the receiver.
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const descriptor from(ends[0]);
  const descriptor to(ends[1]);

  TestType policy;
  support::bytes payload(64 * 100);
  std::uint64_t accepted = 0;
  udpbench::send::outcome last;
  do {
    last =
        policy(from.get(), {payload.data(), 100, std::min<std::size_t>(64, TestType::most(100))});
    accepted += last.accepted;
    REQUIRE(accepted < 1'000'000);
  } while (!last.error);
  CHECK(last.error == boost::system::errc::resource_unavailable_try_again);
  CHECK(last.failed == 1);

  std::uint64_t arrived = 0;
  while (!support::drained(to.get())) {
    support::receive(to.get());
    ++arrived;
  }
  CHECK(accepted > 0);
  CHECK(arrived == accepted);
}
