/** @file
    Several datagrams by one call, some of which are refused.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/send/batch.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"
#include "skip.hpp"

#include <cstddef>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace net = udpbench::net;
using support::pattern;
using udpbench::send::batch;

static_assert(batch<>::most(1) == 64);
static_assert(batch<16>::most(65'507) == 16);

TEST_CASE("a batch that a closed port ends says so, and is counted up to there", "[send]") {
  const support::closed_port closed;
  const auto socket = net::open_sender(closed.endpoint());
  batch<8> policy;
  auto payload = pattern(8 * 100);
  std::size_t accepted = 0;
  std::size_t refused = 0;
  std::size_t calls = 0;
  // Each datagram that is accepted is answered by a refusal, which is told by the call that meets it: the same one, or
  // where it takes its time the next.
  for (; calls < 100 && refused < 10; ++calls) {
    const auto done = policy(socket.get(), {payload.data(), 100, 8});
    REQUIRE(done.accepted + done.failed > 0);
    REQUIRE(done.accepted + done.failed <= 8);
    REQUIRE(done.failed <= 1);
    REQUIRE(done.failed == (done.error ? 1 : 0));
    if (done.error) {
      REQUIRE(done.error == boost::system::errc::connection_refused);
    }
    accepted += done.accepted;
    refused += done.failed;
    if (done.accepted > 0) {
      REQUIRE(support::wait_for(socket.get(), POLLOUT));
    }
  }
  CHECK(refused == 10);
  CHECK(accepted > 0);
}

TEST_CASE("a batch over IPv6 that a closed port ends says so", "[send]") {
  if (!support::usable(support::v6())) SKIP("this host has no IPv6 loopback");
  const support::closed_port closed(support::v6());
  const auto socket = net::open_sender(closed.endpoint());
  batch<8> policy;
  auto payload = pattern(8 * 100);
  bool refused = false;
  for (int calls = 0; calls < 1000 && !refused; ++calls) {
    const auto done = policy(socket.get(), {payload.data(), 100, 8});
    refused = done.accepted > 0 && done.error == boost::system::errc::connection_refused;
  }
  CHECK(refused);
}

TEST_CASE("a batch that ends early for a reason that nobody tells is tried on", "[send]") {
  const support::closed_port closed;
  // A socket that doesn't queue its errors.
  const net::descriptor socket(::socket(AF_INET, SOCK_DGRAM, 0));
  const auto remote = closed.endpoint();
  REQUIRE(::connect(socket.get(), remote.data(), static_cast<socklen_t>(remote.size())) == 0);
  batch<8> policy;
  auto payload = pattern(8 * 100);
  for (int calls = 0; calls < 20; ++calls) {
    const auto done = policy(socket.get(), {payload.data(), 100, 8});
    if (done.accepted == 0) {
      REQUIRE(done.failed == 1);
      REQUIRE(done.error == boost::system::errc::connection_refused);
    } else {
      REQUIRE(done.failed == 0);
      REQUIRE_FALSE(done.error);
    }
  }
}
