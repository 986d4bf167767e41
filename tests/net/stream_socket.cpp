/** @file
    Connections of TCP.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/stream_socket.hpp>

#include "catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace net = udpbench::net;
using namespace std::chrono_literals;
using boost::asio::ip::make_address;

TEST_CASE("an address in words is its own, and nobody is asked", "[net]") {
  CHECK(net::resolve("127.0.0.2", 0ms) == std::vector{make_address("127.0.0.2")});
  CHECK(net::resolve("::1", 0ms) == std::vector{make_address("::1")});
  const auto scoped = net::resolve("fe80::1%lo", 0ms);
  REQUIRE(scoped.size() == 1);
  CHECK(scoped.front().to_v6().scope_id() != 0);
}

TEST_CASE("a name that this host knows has its addresses", "[net]") {
  const auto all = net::resolve("localhost", 10s);
  REQUIRE_FALSE(all.empty());
  CHECK(all.front().is_loopback());
}

TEST_CASE("a connection has two ends, and an error names the one that isn't there", "[net]") {
  boost::asio::io_context context;
  boost::asio::ip::tcp::acceptor acceptor(context, {make_address("127.0.0.1"), 0});
  const auto where = acceptor.local_endpoint();
  const auto client = net::connect_stream(where, 10s);
  CHECK(net::remote_end(client.get()) == where);
  CHECK(net::written(net::local_end(client.get())).starts_with("127.0.0.1:"));
  net::look_after(client.get());
  acceptor.close();
  try {
    net::connect_stream(where, 10s);
    FAIL("connected to a closed port");
  } catch (const udpbench::system_error& e) {
    CHECK(e.code() == boost::system::errc::connection_refused);
    CHECK_THAT(e.what(), Catch::Contains(net::written(where)));
  }
}

TEST_CASE("of a socket that listens for both, a client of IPv4 has an address of IPv4", "[net]") {
  boost::asio::io_context context;
  boost::asio::ip::tcp::acceptor acceptor(context, {make_address("::"), 0});
  const auto client =
      net::connect_stream({make_address("127.0.0.1"), acceptor.local_endpoint().port()}, 10s);
  auto accepted = acceptor.accept();
  CHECK(net::local_end(accepted.native_handle()).address() == make_address("127.0.0.1"));
  CHECK(net::remote_end(accepted.native_handle()) == net::local_end(client.get()));
}

TEST_CASE("nobody waits longer than patience for one who doesn't answer", "[net]") {
  boost::asio::io_context context;
  // A queue of one that nobody empties: the next ones get no answer.
  boost::asio::ip::tcp::acceptor acceptor(context);
  acceptor.open(boost::asio::ip::tcp::v4());
  acceptor.bind({make_address("127.0.0.1"), 0});
  acceptor.listen(0);
  std::vector<net::descriptor> queued;
  try {
    for (int i = 0; i < 10; ++i)
      queued.push_back(net::connect_stream(acceptor.local_endpoint(), 10ms));
    FAIL("all were answered");
  } catch (const udpbench::system_error& e) {
    CHECK(e.code() == boost::asio::error::timed_out);
  }
}
