/** @file
    What fits into one packet.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/path_mtu.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "skip.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>

namespace net = udpbench::net;
using boost::asio::ip::make_address;

TEST_CASE("fragments begin above MTU - 28 over IPv4 and above MTU - 48 over IPv6", "[net]") {
  const auto four = make_address("127.0.0.1");
  const auto six = make_address("::1");
  CHECK(net::packets_of(0, 1500, four) == 1);
  CHECK(net::packets_of(1472, 1500, four) == 1);
  CHECK(net::packets_of(1473, 1500, four) == 2);
  CHECK(net::packets_of(1452, 1500, six) == 1);
  CHECK(net::packets_of(1453, 1500, six) == 2);
  CHECK(net::packets_of(65'507, 65'535, four) == 1);
  CHECK(net::packets_of(65'488, 65'536, six) == 1);
  CHECK(net::packets_of(65'489, 65'536, six) == 2);
}

TEST_CASE("each fragment but the last carries a multiple of 8 bytes", "[net]") {
  // 1480 of 1500 bytes over IPv4, the 8 of UDP among them; 1448 over IPv6.
  CHECK(net::packets_of(2 * 1480 - 8, 1500, make_address("127.0.0.1")) == 2);
  CHECK(net::packets_of(2 * 1480 - 7, 1500, make_address("127.0.0.1")) == 3);
  CHECK(net::packets_of(2 * 1448 - 8, 1500, make_address("::1")) == 2);
  CHECK(net::packets_of(2 * 1448 - 7, 1500, make_address("::1")) == 3);
  CHECK(net::packets_of(2 * 1480 - 8, 1503, make_address("127.0.0.1")) == 2);
  CHECK(net::packets_of(2 * 1480 - 7, 1503, make_address("127.0.0.1")) == 3);
}

TEST_CASE("the path's MTU is that of the loopback, and unknown of an address that nothing leads to",
          "[net]") {
  std::size_t of_device = 0;
  if (!(std::ifstream("/sys/class/net/lo/mtu") >> of_device)) SKIP("the kernel shows no device lo");
  // No packet of IPv4 is longer, whatever a device would take.
  CHECK(net::path_mtu(make_address("127.0.0.1")) == std::min<std::size_t>(of_device, 65'535));
  if (support::usable(support::v6())) CHECK(net::path_mtu(make_address("::1")) == of_device);
  // A multicast scope that no device has.
  CHECK_FALSE(net::path_mtu(make_address("fe80::1%2000000")));
}
