/** @file
    What an interface drops, read from texts of the kernel.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/device_counters.hpp>

#include "catch.hpp"

#include <optional>
#include <sstream>
#include <string>

namespace net = udpbench::net;

namespace {

const std::string table =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop "
    "fifo colls carrier compressed\n"
    "    lo: 100 101 102 103 104 105 106 107 200 201 202 203 204 205 206 207\n"
    "  eth0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 18446744073709551615\n"
    "eth0.5: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    "  odd0: 1 2 3\n";

std::optional<net::device_counters> of(const std::string& device) {
  std::istringstream in(table);
  return net::detail::read_device(in, device);
}

} // namespace

TEST_CASE("an interface's drops are found by its name, in both directions", "[net]") {
  REQUIRE(of("eth0"));
  CHECK(of("eth0")->received_dropped == 3 + 4 + 5);
  CHECK(of("eth0")->sent_dropped == 11 + 12);
  CHECK(of("lo")->received_dropped == 102 + 103 + 104);
  CHECK(of("eth0.5")->sent_dropped == 0);
}

TEST_CASE("an interface that isn't there, or whose line is cut off, has no counters", "[net]") {
  for (const char* name : {"eth", "eth1", "odd0", "", "face", "Inter-|"}) {
    CAPTURE(name);
    CHECK_FALSE(of(name));
  }
  CHECK_FALSE(net::read_device_counters("no such interface"));
}

TEST_CASE("loopback addresses are those of the loopback interface", "[net]") {
  const auto loopback = boost::asio::ip::make_address("127.0.0.1");
  const std::string device = net::device_of(loopback);
  CHECK(device == "lo");
  CHECK(net::read_device_counters(device));
  CHECK(net::device_of(boost::asio::ip::make_address("192.0.2.77")).empty());
  CHECK(net::address_towards({loopback, 9}) == loopback);
  CHECK(net::device_behind(net::open_receiver({loopback, 0}).get()).empty());
  CHECK(net::device_behind(-1).empty());
}

TEST_CASE("the difference of two readings of an interface is taken by direction", "[net]") {
  const auto d = net::device_counters{50, 40} - net::device_counters{1, 2};
  CHECK(d.received_dropped == 49);
  CHECK(d.sent_dropped == 38);
}
