/** @file
    What every take policy does, on sockets of this host.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/take/batch.hpp>
#include <udpbench/take/drain.hpp>
#include <udpbench/take/gro.hpp>
#include <udpbench/take/one.hpp>
#include <udpbench/take/take_policy.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"
#include "skip.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace net = udpbench::net;
namespace take = udpbench::take;
using support::pattern;
using take::wait;
using udpbench::error_code;
using udpbench::take_policy;

namespace {

static_assert(take_policy<take::one>);
static_assert(take_policy<take::batch<1>>);
static_assert(take_policy<take::batch<1024>>);
static_assert(!take_policy<int>);
static_assert(!take_policy<support::recorder>);
static_assert(udpbench::asio_take<take::one>);
static_assert(!udpbench::asio_take<take::batch<1>>);

/** Like a take, but may throw for each datagram. */
struct throwing {
  void prepare(std::size_t) {}
  template <class Sink>
  std::size_t operator()(int, std::size_t, wait, Sink&, error_code&);
};
static_assert(!take_policy<throwing>);

/** A take with a socket, a sender and a sink. */
template <class Take>
struct taking {
  explicit taking(std::size_t largest = take::default_largest,
                  const net::endpoint& local = support::v4())
      : link(local) {
    net::set_receive_timeout(link.receiver(), support::deadline);
    policy.prepare(largest);
    take::configure(policy, link.receiver());
  }

  std::size_t operator()(std::size_t most, wait w = wait::no) {
    ec = {};
    return policy(link.receiver(), most, w, sink, ec);
  }

  support::link link;
  Take policy;
  support::recorder sink;
  error_code ec;
};

} // namespace

TEMPLATE_TEST_CASE("a datagram is taken with its bytes and its length", "[take]", take::one,
                   take::batch<4>, take::drain<4>, take::gro<>) {
  for (const auto w : {wait::no, wait::first}) {
    taking<TestType> t;
    t.link.queue(pattern(1024));
    CHECK(t(1, w) == 1);
    CHECK_FALSE(t.ec);
    REQUIRE(t.sink.all.size() == 1);
    CHECK(t.sink.all[0].content == pattern(1024));
    CHECK(t.sink.all[0].length == 1024);
    CHECK(support::drained(t.link.receiver()));
  }
}

TEMPLATE_TEST_CASE("a datagram that was sent over IPv6 is taken as any other", "[take]", take::one,
                   take::batch<4>, take::drain<4>, take::gro<>) {
  if (!support::usable(support::v6())) SKIP("this host has no IPv6 loopback");
  taking<TestType> t(2048, support::v6());
  t.link.queue(pattern(100));
  CHECK(t(1) == 1);
  REQUIRE(t.sink.all.size() == 1);
  CHECK(t.sink.all[0].content == pattern(100));
}

TEMPLATE_TEST_CASE("a datagram as large as was prepared for is whole, and one larger is truncated",
                   "[take]", take::one, take::batch<4>, take::drain<4>, take::gro<>) {
  // 100 isn't a multiple of a cache line, 5000 not of a page.
  for (const std::size_t largest : {std::size_t{1}, std::size_t{100}, std::size_t{5000}}) {
    taking<TestType> t(largest);
    t.link.queue(pattern(largest));
    t.link.queue(pattern(largest + 1));
    while (t.sink.all.size() < 2) REQUIRE(t(2, wait::first) > 0);
    CAPTURE(largest);
    CHECK(t.sink.all[0].content == pattern(largest));
    CHECK(t.sink.all[0].length == largest);
    CHECK(t.sink.all[1].content == pattern(largest));
    CHECK(t.sink.all[1].length == largest + 1);
  }
}

TEMPLATE_TEST_CASE("a truncated datagram has its true length however long it is", "[take]",
                   take::one, take::batch<4>, take::drain<4>, take::gro<>) {
  taking<TestType> t(64);
  for (const std::size_t size : {std::size_t{65}, std::size_t{1472}, std::size_t{65'507}}) {
    t.sink.all.clear();
    t.link.queue(pattern(size));
    REQUIRE(t(1) == 1);
    CHECK(t.sink.all.at(0).length == size);
    auto beginning = pattern(size);
    beginning.resize(64);
    CHECK(t.sink.all[0].content == beginning);
  }
}

TEMPLATE_TEST_CASE("the largest datagram that UDP carries is taken whole", "[take]", take::one,
                   take::batch<4>, take::drain<4>, take::gro<>) {
  taking<TestType> t(65'507);
  t.link.queue(pattern(65'507));
  REQUIRE(t(1) == 1);
  CHECK(t.sink.all.at(0).content == pattern(65'507));
}

TEMPLATE_TEST_CASE("a zero-length datagram is data", "[take]", take::one, take::batch<4>,
                   take::drain<4>, take::gro<>) {
  taking<TestType> t;
  t.link.queue(pattern(10));
  t.link.queue({});
  t.link.queue(pattern(20));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(t(1) == 1);
    CHECK_FALSE(t.ec);
  }
  REQUIRE(t.sink.all.size() == 3);
  CHECK(t.sink.all[1].length == 0);
  CHECK(t.sink.all[1].content.empty());
  CHECK(t.sink.all[2].content == pattern(20));
}

TEMPLATE_TEST_CASE("an empty queue would block", "[take]", take::one, take::batch<4>,
                   take::drain<4>, take::gro<>) {
  taking<TestType> t;
  const auto begin = std::chrono::steady_clock::now();
  CHECK(t(1) == 0);
  CHECK(std::chrono::steady_clock::now() - begin < support::deadline);
  CHECK(t.ec == boost::system::errc::operation_would_block);
  CHECK(t.sink.all.empty());

  t.link.queue(pattern(10));
  CHECK(t(1) == 1);
  CHECK(t(1) == 0);
  CHECK(t.ec == boost::system::errc::operation_would_block);
  CHECK(t.sink.all.size() == 1);
}

TEMPLATE_TEST_CASE("waiting for the first datagram ends with the socket's receive timeout",
                   "[take]", take::one, take::batch<4>, take::drain<4>, take::gro<>) {
  taking<TestType> t;
  net::set_receive_timeout(t.link.receiver(), std::chrono::milliseconds(1));
  const auto begin = std::chrono::steady_clock::now();
  CHECK(t(4, wait::first) == 0);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(1));
  CHECK(t.ec == boost::system::errc::operation_would_block);
  CHECK(t.sink.all.empty());
}

TEMPLATE_TEST_CASE("waiting for the first datagram doesn't wait for a second", "[take]", take::one,
                   take::batch<4>, take::drain<4>, take::gro<>) {
  taking<TestType> t;
  t.link.queue(pattern(10));
  const auto begin = std::chrono::steady_clock::now();
  CHECK(t(4, wait::first) == 1);
  CHECK(std::chrono::steady_clock::now() - begin < support::deadline);
}

TEMPLATE_TEST_CASE("what is no socket is an error and no datagram", "[take]", take::one,
                   take::batch<4>, take::drain<4>, take::gro<>) {
  taking<TestType> t;
  for (const auto w : {wait::no, wait::first}) {
    CHECK(t.policy(-1, 1, w, t.sink, t.ec) == 0);
    CHECK(t.ec == boost::system::errc::bad_file_descriptor);
  }
  CHECK(t.sink.all.empty());
}

TEMPLATE_TEST_CASE("datagrams are taken in their order and never more than are asked for", "[take]",
                   take::one, take::batch<1>, take::batch<4>, take::batch<64>, take::gro<>) {
  for (const std::size_t most : {1u, 2u, 3u, 4u, 5u, 100u}) {
    taking<TestType> t;
    for (unsigned i = 0; i < 10; ++i) t.link.queue(pattern(10 + i, i));
    CAPTURE(most);
    while (t.sink.all.size() < 10) {
      const auto before = t.sink.all.size();
      const auto taken = t(most);
      REQUIRE(taken > 0);
      REQUIRE(taken <= most);
      REQUIRE(t.sink.all.size() == before + taken);
    }
    for (unsigned i = 0; i < 10; ++i) CHECK(t.sink.all[i].content == pattern(10 + i, i));
    CHECK(t(most) == 0);
  }
}

TEMPLATE_TEST_CASE("a short datagram shows nothing of a longer one that lay there before", "[take]",
                   take::one, take::batch<1>, take::gro<>) {
  taking<TestType> t;
  t.link.queue(pattern(1000, 1));
  t.link.queue(pattern(10, 2));
  REQUIRE(t(1) == 1);
  REQUIRE(t(1) == 1);
  CHECK(t.sink.all.at(1).content == pattern(10, 2));
}

TEMPLATE_TEST_CASE("the first datagram lies on a page boundary", "[take]", take::one,
                   take::batch<1>, take::batch<4>, take::batch<64>, take::gro<>) {
  for (const std::size_t largest : {1u, 64u, 2048u, 5000u}) {
    taking<TestType> t(largest);
    t.link.queue(pattern(1));
    REQUIRE(t(1) == 1);
    CHECK(reinterpret_cast<std::uintptr_t>(t.sink.all.at(0).address) % 4096 == 0);
  }
}

TEMPLATE_TEST_CASE("a take may be prepared again for another size", "[take]", take::one,
                   take::batch<4>, take::drain<4>, take::gro<>) {
  taking<TestType> t(10);
  t.policy.prepare(9000);
  t.link.queue(pattern(9000));
  REQUIRE(t(1) == 1);
  CHECK(t.sink.all.at(0).content == pattern(9000));
  t.policy.prepare(20);
  t.link.queue(pattern(1000));
  REQUIRE(t(1) == 1);
  CHECK(t.sink.all.at(1).content.size() == 20);
  CHECK(t.sink.all.at(1).length == 1000);
}
