/** @file
    What every send policy does, on sockets of this host.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/send/batch.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/send/send_policy.hpp>
#include <udpbench/send/single.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"
#include "skip.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>

#include <poll.h>

namespace net = udpbench::net;
using support::bytes;
using support::pattern;
using udpbench::send_policy;
using udpbench::send::batch;
using udpbench::send::segmented;
using udpbench::send::single;

namespace {

static_assert(send_policy<single>);
static_assert(send_policy<batch<1>>);
static_assert(send_policy<batch<1024>>);
static_assert(send_policy<segmented>);
static_assert(!send_policy<int>);

struct without_limit {
  udpbench::send::outcome operator()(int, const udpbench::send::datagrams&) noexcept;
};
struct throwing : single {
  udpbench::send::outcome operator()(int, const udpbench::send::datagrams&);
};
static_assert(!send_policy<without_limit>);
static_assert(!send_policy<throwing>);

/** Whether this kernel has what the policy needs. */
template <class Policy>
bool works() {
  if constexpr (!std::same_as<Policy, segmented>) return true;
  const net::descriptor socket(::socket(AF_INET, SOCK_DGRAM, 0));
  const int none = 0;
  return ::setsockopt(socket.get(), IPPROTO_UDP, udpbench::net::features::udp_segment, &none,
                      sizeof none) == 0;
}

/** `count` unlike datagrams of `size` bytes, one behind the other. */
bytes several(std::size_t size, std::size_t count) {
  bytes out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto one = pattern(size, static_cast<unsigned>(i));
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

/** Sends `count` datagrams of `size` bytes by as many calls as that takes, and checks that exactly they arrive. */
template <class Policy>
void check_arrive(const net::endpoint& local, std::size_t size, std::size_t count) {
  CAPTURE(size, count);
  support::link link(local);
  Policy policy;
  bytes payload = several(size, count);
  std::size_t sent = 0;
  while (sent < count) {
    const auto left = count - sent;
    const auto done = policy(link.sender(), {payload.data() + sent * size, size, left});
    REQUIRE_FALSE(done.error);
    REQUIRE(done.failed == 0);
    REQUIRE(done.accepted == std::min(left, Policy::most(size)));
    link.settle();
    for (std::size_t i = sent; i < sent + done.accepted; ++i) {
      const auto arrived = support::receive(link.receiver());
      REQUIRE(arrived.size() == size);
      REQUIRE(arrived == pattern(size, static_cast<unsigned>(i)));
    }
    REQUIRE(support::drained(link.receiver()));
    sent += done.accepted;
  }
}

} // namespace

TEMPLATE_TEST_CASE("every size arrives byte for byte, each datagram for itself", "[send]", single,
                   batch<>, batch<4>, segmented) {
  if (!works<TestType>()) SKIP("this kernel has no UDP_SEGMENT");
  for (const std::size_t size : {1u, 31u, 32u, 33u, 1023u, 1024u, 1472u, 9000u, 65'507u}) {
    check_arrive<TestType>(support::v4(), size, 1);
    check_arrive<TestType>(support::v4(), size, 2);
    // Two full calls and a tail.
    check_arrive<TestType>(support::v4(), size, 2 * TestType::most(size) + 1);
  }
}

TEMPLATE_TEST_CASE("datagrams arrive over IPv6", "[send]", single, batch<>, segmented) {
  if (!works<TestType>()) SKIP("this kernel has no UDP_SEGMENT");
  if (!support::usable(support::v6())) SKIP("this host has no IPv6 loopback");
  for (const std::size_t size : {1u, 1472u, 65'507u})
    check_arrive<TestType>(support::v6(), size, TestType::most(size) + 1);
}

TEMPLATE_TEST_CASE("a datagram that is too large is refused for that, alone or with others",
                   "[send]", single, batch<>, segmented) {
  support::link link;
  TestType policy;
  bytes payload(3 * 65'508);
  for (const std::size_t count : {1u, 3u}) {
    const auto done = policy(link.sender(), {payload.data(), 65'508, count});
    CHECK(done.accepted == 0);
    CHECK(done.failed == 1);
    CHECK(done.error == boost::system::errc::message_size);
  }
  link.settle();
  CHECK(support::drained(link.receiver()));
}

TEMPLATE_TEST_CASE("a closed port refuses what comes after the first datagram", "[send]", single,
                   batch<>, segmented) {
  if (!works<TestType>()) SKIP("this kernel has no UDP_SEGMENT");
  const support::closed_port closed;
  const auto socket = net::open_sender(closed.endpoint());
  TestType policy;
  bytes payload = several(100, 5);
  const auto first = policy(socket.get(), {payload.data(), 100, 1});
  CHECK(first.accepted == 1);
  CHECK(first.failed == 0);
  CHECK_FALSE(first.error);

  REQUIRE(support::wait_for(socket.get(), 0)); // for the refusal
  const auto second = policy(socket.get(), {payload.data(), 100, 5});
  CHECK(second.accepted == 0);
  // All segments of one send fail together; of a batch, the first.
  CHECK(second.failed == (std::same_as<TestType, segmented> ? 5 : 1));
  CHECK(second.error == boost::system::errc::connection_refused);
}

TEMPLATE_TEST_CASE("what is no socket takes nothing", "[send]", single, batch<>, segmented) {
  TestType policy;
  bytes payload = several(100, 3);
  const auto done = policy(-1, {payload.data(), 100, 1});
  CHECK(done.accepted == 0);
  CHECK(done.failed == 1);
  CHECK(done.error == boost::system::errc::bad_file_descriptor);
}
