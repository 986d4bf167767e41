/** @file
    Receive calls until the socket is empty.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/take/drain.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"

#include <cstddef>

namespace take = udpbench::take;
using support::pattern;
using udpbench::error_code;

TEST_CASE("a drain takes what is there and then says nothing of the empty socket", "[take]") {
  support::link link;
  take::drain<64> drain;
  drain.prepare(2048);
  support::recorder sink;
  for (int i = 0; i < 5; ++i) link.queue(pattern(10));
  error_code ec;
  CHECK(drain(link.receiver(), 100, take::wait::no, sink, ec) == 5);
  CHECK_FALSE(ec);
  CHECK(sink.all.size() == 5);
  CHECK(drain(link.receiver(), 100, take::wait::no, sink, ec) == 0);
  CHECK(ec == boost::system::errc::operation_would_block);
}

TEST_CASE("a drain stops at its own limit and at the caller's, and leaves the rest", "[take]") {
  support::link link;
  take::drain<4> drain;
  drain.prepare(2048);
  support::recorder sink;
  for (int i = 0; i < 9; ++i) link.queue(pattern(10));
  error_code ec;
  CHECK(drain(link.receiver(), 100, take::wait::no, sink, ec) == 4);
  CHECK(drain(link.receiver(), 2, take::wait::no, sink, ec) == 2);
  CHECK(drain(link.receiver(), 0, take::wait::no, sink, ec) == 0);
  CHECK(drain(link.receiver(), 100, take::wait::no, sink, ec) == 3);
}

TEST_CASE("a zero-length datagram doesn't end a drain", "[take]") {
  support::link link;
  take::drain<> drain;
  drain.prepare(2048);
  support::recorder sink;
  for (const std::size_t size : {3u, 0u, 7u}) link.queue(pattern(size));
  error_code ec;
  CHECK(drain(link.receiver(), 100, take::wait::no, sink, ec) == 3);
  CHECK(sink.all[1].length == 0);
}
