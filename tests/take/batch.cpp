/** @file
    Several datagrams by one call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/take/batch.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <type_traits>

namespace net = udpbench::net;
namespace take = udpbench::take;
using support::pattern;
using take::wait;
using udpbench::error_code;

// Its messages point at its own members.
static_assert(!std::is_copy_constructible_v<take::batch<4>>);
static_assert(!std::is_copy_assignable_v<take::batch<4>>);
static_assert(!std::is_move_constructible_v<take::batch<4>>);
static_assert(!std::is_move_assignable_v<take::batch<4>>);

TEST_CASE("a batch takes as many as it has room for in one call, then the rest", "[take]") {
  support::link link;
  take::batch<4> batch;
  batch.prepare(100);
  for (unsigned i = 0; i < 6; ++i) link.queue(pattern(100, i));
  support::recorder sink;
  error_code ec;
  CHECK(batch(link.receiver(), 100, wait::no, sink, ec) == 4);
  CHECK(batch(link.receiver(), 100, wait::no, sink, ec) == 2);
  CHECK_FALSE(ec);
  CHECK(batch(link.receiver(), 100, wait::no, sink, ec) == 0);
  CHECK(ec == boost::system::errc::operation_would_block);
  REQUIRE(sink.all.size() == 6);
  for (unsigned i = 0; i < 6; ++i) CHECK(sink.all[i].content == pattern(100, i));
}

TEST_CASE("a batch takes no more than is asked for though it has room", "[take]") {
  support::link link;
  take::batch<4> batch;
  batch.prepare(100);
  for (unsigned i = 0; i < 5; ++i) link.queue(pattern(100, i));
  support::recorder sink;
  error_code ec;
  CHECK(batch(link.receiver(), 3, wait::no, sink, ec) == 3);
  CHECK(batch(link.receiver(), 3, wait::no, sink, ec) == 2);
}

TEST_CASE("a batch that waits for the first takes all that are there and waits for none",
          "[take]") {
  support::link link;
  net::set_receive_timeout(link.receiver(), support::deadline);
  take::batch<4> batch;
  batch.prepare(100);
  for (unsigned i = 0; i < 3; ++i) link.queue(pattern(100, i));
  support::recorder sink;
  error_code ec;
  const auto begin = std::chrono::steady_clock::now();
  CHECK(batch(link.receiver(), 4, wait::first, sink, ec) == 3);
  CHECK(std::chrono::steady_clock::now() - begin < support::deadline);
  CHECK_FALSE(ec);
}

TEST_CASE("each datagram of a batch has a buffer of its own on a cache line of its own", "[take]") {
  support::link link;
  take::batch<4> batch;
  batch.prepare(100);
  for (unsigned i = 0; i < 4; ++i) link.queue(pattern(500, i));
  support::recorder sink;
  error_code ec;
  REQUIRE(batch(link.receiver(), 4, wait::no, sink, ec) == 4);
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(sink.all[i].content.size() == 100);
    CHECK(sink.all[i].length == 500);
    CHECK(sink.all[i].address == sink.all[0].address + i * 128);
  }
}

TEST_CASE("a batch takes datagrams of unlike lengths, some of them cut off", "[take]") {
  support::link link;
  take::batch<8> batch;
  batch.prepare(100);
  const std::size_t sizes[] = {1, 0, 100, 101, 50, 3000, 99};
  for (unsigned i = 0; i < 7; ++i) link.queue(pattern(sizes[i], i));
  support::recorder sink;
  error_code ec;
  REQUIRE(batch(link.receiver(), 8, wait::no, sink, ec) == 7);
  for (unsigned i = 0; i < 7; ++i) {
    CHECK(sink.all[i].length == sizes[i]);
    CHECK(sink.all[i].content.size() == std::min<std::size_t>(sizes[i], 100));
  }
}
