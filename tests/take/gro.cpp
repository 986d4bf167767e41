/** @file
    Trains of datagrams that arrive as they were sent, whole or cut.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/take/gro.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"
#include "skip.hpp"
#include "train.hpp"

#include <udpbench/send/segmented.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include <sys/socket.h>

namespace net = udpbench::net;
namespace take = udpbench::take;
using support::pattern;
using take::wait;
using udpbench::error;
using udpbench::error_code;

namespace {

/** A take whose socket joins datagrams, or doesn't. */
template <class Take = take::gro<>>
struct joining {
  explicit joining(std::size_t largest = 2048, const net::endpoint& local = support::v4())
      : link(local) {
    net::set_receive_timeout(link.receiver(), support::deadline);
    policy.prepare(largest);
    if (support::joins()) policy.configure(link.receiver());
  }

  /** Puts a train into the queue. */
  bool queue(const support::bytes& payload, std::size_t segment) {
    const bool sent = support::send_train(link.sender(), payload, segment);
    link.settle();
    return sent;
  }

  std::size_t operator()(std::size_t most = 1, wait w = wait::first) {
    ec = {};
    return policy(link.receiver(), most, w, sink, ec);
  }

  /** What the sink got since the last look, one behind the other. */
  support::bytes joined() {
    support::bytes out;
    for (const auto& d : sink.all) out.insert(out.end(), d.content.begin(), d.content.end());
    sink.all.clear();
    return out;
  }

  support::link link;
  Take policy;
  support::recorder sink;
  error_code ec;
};

std::vector<std::size_t> lengths(const support::recorder& of) {
  std::vector<std::size_t> out;
  for (const auto& d : of.all) out.push_back(d.length);
  return out;
}

/** Whether trains go from end to end whole here. */
bool possible() {
  joining<> t;
  return support::joins() && t.queue(pattern(20), 10) && t() == 2;
}

} // namespace

#define NEEDS_TRAINS()                                                                             \
  if (!possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams")

TEST_CASE("a train is taken by one call, datagram by datagram", "[take]") {
  NEEDS_TRAINS();
  for (const auto& local : {support::v4(), support::v6()}) {
    if (!support::usable(local)) continue;
    joining<> t(2048, local);
    REQUIRE(t.queue(pattern(5000), 1000));
    CHECK(t() == 5);
    CHECK_FALSE(t.ec);
    CHECK(t.policy.calls() == 1);
    CHECK(lengths(t.sink) == std::vector<std::size_t>(5, 1000));
    CHECK(t.joined() == pattern(5000));
    CHECK(support::drained(t.link.receiver()));
  }
}

TEST_CASE("the last datagram of a train may be shorter", "[take]") {
  NEEDS_TRAINS();
  joining<> t;
  for (const std::size_t tail : {1u, 999u}) {
    REQUIRE(t.queue(pattern(3000 + tail), 1000));
    CHECK(t() == 4);
    CHECK(lengths(t.sink) == std::vector<std::size_t>{1000, 1000, 1000, tail});
    CHECK(t.joined() == pattern(3000 + tail));
  }
}

TEST_CASE("a train has as many datagrams as the kernel sends in one", "[take]") {
  NEEDS_TRAINS();
  for (const std::size_t count : {64u, 128u}) {
    joining<> t;
    if (!t.queue(pattern(count * 100), 100)) SKIP("this kernel has no trains of " << count);
    CHECK(t() == count);
    CHECK(t.policy.calls() == 1);
    CHECK(t.joined() == pattern(count * 100));
  }
}

TEST_CASE("the longest train is not cut", "[take]") {
  NEEDS_TRAINS();
  // A longer one isn't a train any more: the kernel cuts it up before it sends it.
  constexpr auto longest = udpbench::send::segmented::largest_payload;
  for (const auto& local : {support::v4(), support::v6()}) {
    if (!support::usable(local)) continue;
    joining<> t(65'507, local);
    for (const std::size_t segment : {std::size_t{1472}, longest - 1}) {
      REQUIRE(t.queue(pattern(longest), segment));
      CHECK(t() == (longest + segment - 1) / segment);
      CHECK_FALSE(t.ec);
      const bool whole = t.joined() == pattern(longest);
      CHECK(whole);
    }
  }
}

TEST_CASE("trains of unlike lengths, single datagrams and empty ones are told apart", "[take]") {
  NEEDS_TRAINS();
  joining<> t;
  REQUIRE(t.queue(pattern(210), 100));
  t.link.queue(pattern(7));
  t.link.queue({});
  REQUIRE(t.queue(pattern(3), 1));
  t.link.queue(pattern(1472));
  REQUIRE(t.queue(pattern(2900), 1450));
  CHECK(t(100, wait::no) == 11);
  CHECK(lengths(t.sink) == std::vector<std::size_t>{100, 100, 10, 7, 0, 1, 1, 1, 1472, 1450, 1450});
  CHECK_FALSE(t.ec);
  CHECK(t.policy.calls() == 6);
  CHECK(t(100, wait::no) == 0);
  CHECK(t.ec == boost::system::errc::operation_would_block);
  CHECK(t.policy.calls() == 6);
}

TEST_CASE("one that doesn't wait exceeds what is asked for by no more than a train", "[take]") {
  NEEDS_TRAINS();
  joining<> t;
  for (int i = 0; i < 4; ++i) REQUIRE(t.queue(pattern(300), 100));
  CHECK(t(1, wait::no) == 3);
  CHECK(t(3, wait::no) == 3);
  CHECK(t(4, wait::no) == 6);
  CHECK(support::drained(t.link.receiver()));
}

TEST_CASE("one that doesn't wait ends after 32 calls, however much is asked for", "[take]") {
  joining<> t;
  for (int i = 0; i < 40; ++i) t.link.queue(pattern(10));
  CHECK(t(1000, wait::no) == 32);
  CHECK(t(1000, wait::no) == 8);
}

TEST_CASE("one that waits takes one train", "[take]") {
  NEEDS_TRAINS();
  joining<> t;
  for (int i = 0; i < 2; ++i) REQUIRE(t.queue(pattern(300), 100));
  CHECK(t(100, wait::first) == 3);
  CHECK(t(100, wait::first) == 3);
}

TEST_CASE("each datagram of a train is cut where it is longer than was prepared for", "[take]") {
  NEEDS_TRAINS();
  joining<> t(40);
  REQUIRE(t.queue(pattern(130), 50));
  CHECK(t() == 3);
  CHECK_FALSE(t.ec);
  CHECK(lengths(t.sink) == std::vector<std::size_t>{50, 50, 30});
  CHECK(t.sink.all[0].content.size() == 40);
  CHECK(t.sink.all[1].content.size() == 40);
  CHECK(t.sink.all[2].content.size() == 30);
}

TEST_CASE("a train longer than the buffer is an error, and what of it is whole is taken",
          "[take]") {
  NEEDS_TRAINS();
  for (const auto w : {wait::no, wait::first}) {
    joining<take::gro<1000>> t;
    // Of the fourth there are 100 bytes, of the fifth none.
    REQUIRE(t.queue(pattern(1500), 300));
    CHECK(t(100, w) == 3);
    CHECK(t.ec == error::cut_train);
    auto beginning = pattern(1500);
    beginning.resize(900);
    CHECK(t.joined() == beginning);
    // Just as long as the buffer.
    REQUIRE(t.queue(pattern(1000), 300));
    CHECK(t(100, w) == 4);
    CHECK_FALSE(t.ec);
    CHECK(t.joined() == pattern(1000));
    // None is whole.
    REQUIRE(t.queue(pattern(2400), 1200));
    CHECK(t(100, w) == 0);
    CHECK(t.ec == error::cut_train);
    CHECK(t.sink.all.empty());
    // One alone that is too long is truncated as any other.
    t.link.queue(pattern(1200));
    CHECK(t(100, w) == 1);
    CHECK_FALSE(t.ec);
    CHECK(lengths(t.sink) == std::vector<std::size_t>{1200});
    CHECK(t.sink.all[0].content.size() == 1000);
  }
}

TEST_CASE("a cut train is not forgotten for what comes behind it", "[take]") {
  NEEDS_TRAINS();
  joining<take::gro<1000>> t;
  REQUIRE(t.queue(pattern(1500), 300));
  t.link.queue(pattern(10));
  CHECK(t(100, wait::no) == 4);
  CHECK(t.ec == error::cut_train);
}

TEST_CASE("without the option a train arrives as single datagrams", "[take]") {
  support::link link;
  if (!support::send_train(link.sender(), pattern(20), 10))
    SKIP("this kernel has no segmented sends");
  link.settle();
  take::gro<> policy;
  policy.prepare(2048);
  support::recorder sink;
  error_code ec;
  CHECK(policy(link.receiver(), 1, wait::no, sink, ec) == 1);
  CHECK(policy(link.receiver(), 9, wait::no, sink, ec) == 1);
  CHECK(policy.calls() == 2);
}

TEST_CASE("what can't join datagrams says so", "[take]") {
  const net::descriptor no_udp(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  REQUIRE(no_udp);
  take::gro<> policy;
  try {
    policy.configure(no_udp.get());
    FAIL("a socket of another kind was taken");
  } catch (const udpbench::system_error& e) {
    CHECK(e.code() == error::no_gro);
    CHECK_THAT(e.what(), Catch::Contains("UDP_GRO"));
  }
  CHECK_FALSE(net::joins_datagrams(no_udp.get()));
}

TEST_CASE("a socket tells whether it joins datagrams", "[take]") {
  if (!support::joins()) SKIP("this kernel doesn't join datagrams");
  const auto fd = net::open_receiver(support::v4());
  CHECK_FALSE(net::joins_datagrams(fd.get()));
  take::gro<> policy;
  policy.configure(fd.get());
  CHECK(net::joins_datagrams(fd.get()));
}
