/** @file
    One datagram at a time, also where Asio makes the call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/take/one.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <sys/socket.h>
#include <unistd.h>

namespace net = udpbench::net;
namespace take = udpbench::take;
using support::pattern;

TEST_CASE("the buffer for Asio has the size that was prepared for and lies on a page boundary",
          "[take]") {
  take::one one;
  one.prepare(1500);
  CHECK(one.buffer().size() == 1500);
  CHECK(reinterpret_cast<std::uintptr_t>(one.buffer().data()) % 4096 == 0);
}

TEST_CASE("what Asio received is delivered with its true length", "[take]") {
  support::link link;
  boost::asio::io_context context;
  boost::asio::ip::udp::socket socket(context);
  net::descriptor own(::dup(link.receiver()));
  socket.assign(boost::asio::ip::udp::v4(), own.get());
  own.release();

  take::one one;
  one.prepare(100);
  support::recorder sink;
  for (const std::size_t size : {99u, 100u, 101u, 1472u, 0u}) {
    link.queue(pattern(size));
    one.deliver(socket.receive(boost::asio::buffer(one.buffer()), MSG_TRUNC), sink);
    CAPTURE(size);
    CHECK(sink.all.back().length == size);
    auto beginning = pattern(size);
    beginning.resize(std::min<std::size_t>(size, 100));
    CHECK(sink.all.back().content == beginning);
  }
  CHECK(sink.all.size() == 5);
}
