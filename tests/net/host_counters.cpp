/** @file
    The host's counters, read from texts of the kernel.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/host_counters.hpp>
#include <udpbench/net/queue.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "skip.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace net = udpbench::net;
using net::host_counters;

namespace {

host_counters snmp(const std::string& text, host_counters out = {}) {
  std::istringstream in(text);
  net::detail::read_snmp(in, out);
  return out;
}

host_counters softnet(const std::string& text) {
  std::istringstream in(text);
  host_counters out;
  net::detail::read_softnet(in, out);
  return out;
}

} // namespace

TEST_CASE("the counters are found by their names", "[net]") {
  const auto c = snmp("Ip: Forwarding DefaultTTL\n"
                      "Ip: 1 64\n"
                      "Tcp: InErrs InCsumErrors\n"
                      "Tcp: 1001 1002\n"
                      "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors "
                      "InCsumErrors IgnoredMulti MemErrors\n"
                      "Udp: 100 200 3 400 5 600 7 800 9\n"
                      "UdpLite: InDatagrams NoPorts InErrors\n"
                      "UdpLite: 2001 2002 2003\n");
  CHECK(c.in_errors == 3);
  CHECK(c.receive_buffer_errors == 5);
  CHECK(c.checksum_errors == 7);
  CHECK(c.memory_errors == 9);
  CHECK(c.softnet_dropped == 0);
}

TEST_CASE("counters in another order are those of their names", "[net]") {
  const auto c = snmp("Udp: MemErrors InErrors\nUdp: 9 3\n");
  CHECK(c.memory_errors == 9);
  CHECK(c.in_errors == 3);
  CHECK(c.receive_buffer_errors == 0);
}

TEST_CASE("a counter above 2^32 is read whole", "[net]") {
  CHECK(snmp("Udp: InErrors\nUdp: 18446744073709551615\n").in_errors == 18446744073709551615u);
}

TEST_CASE("a text without counters gives none", "[net]") {
  for (const char* text : {"", "\n", "Ip: 1\n", "Udp: InErrors\n", "Udp: InErrors\nUdp:\n",
                           "UdpLite: InErrors\nUdpLite: 3\n"}) {
    CAPTURE(text);
    CHECK(snmp(text).in_errors == 0);
  }
}

TEST_CASE("counters that are missing at the end of a line leave the others right", "[net]") {
  const auto c = snmp("Udp: InErrors RcvbufErrors\nUdp: 3\n");
  CHECK(c.in_errors == 3);
  CHECK(c.receive_buffer_errors == 0);
}

TEST_CASE("the counters of IPv6 are added to those of IPv4", "[net]") {
  auto c = snmp("Udp: InErrors RcvbufErrors MemErrors InCsumErrors\nUdp: 1 2 3 4\n");
  std::istringstream in("Ip6InReceives                   \t1001\n"
                        "Udp6InDatagrams                 \t209942\n"
                        "Udp6InErrors                    \t10\n"
                        "Udp6RcvbufErrors                \t20\n"
                        "Udp6InCsumErrors                \t40\n"
                        "Udp6MemErrors                   \t30\n"
                        "UdpLite6InErrors                \t2001\n");
  net::detail::read_snmp6(in, c);
  CHECK(c.in_errors == 11);
  CHECK(c.receive_buffer_errors == 22);
  CHECK(c.memory_errors == 33);
  CHECK(c.checksum_errors == 44);
}

TEST_CASE("drops of the backlog are the second column in hexadecimal over all cpus", "[net]") {
  CHECK(softnet("0000ffff 00000010 00000007 00000000\n"
                "00000001 000000ff 00000000 00000000\n")
            .softnet_dropped == 0x10 + 0xff);
  CHECK(softnet("").softnet_dropped == 0);
  CHECK(softnet("00000001\n").softnet_dropped == 0);
  CHECK(softnet("ffffffff ffffffff\nffffffff ffffffff\n").softnet_dropped == 2 * 0xffffffffull);
}

TEST_CASE("the difference of two readings is taken counter by counter", "[net]") {
  const auto d = host_counters{50, 40, 30, 20, 10, 9} - host_counters{1, 2, 3, 4, 5, 6};
  CHECK(d.in_errors == 49);
  CHECK(d.receive_buffer_errors == 38);
  CHECK(d.memory_errors == 27);
  CHECK(d.checksum_errors == 16);
  CHECK(d.softnet_dropped == 5);
  CHECK(d.device_dropped == 3);
}

TEST_CASE("the host counts what a full receive buffer drops", "[net]") {
  if (!std::ifstream("/proc/net/snmp")) SKIP("this kernel doesn't show /proc/net/snmp");
  for (const auto& local : {support::v4(), support::v6()}) {
    if (!support::usable(local)) SKIP("this host has no IPv6 loopback");
    support::link link(local, 1);
    const auto before = net::read_host_counters();
    for (int i = 0; i < 200; ++i) link.queue(support::pattern(1000));
    const auto kept = net::drain_queue(link.receiver(), 1000, [](auto&, std::size_t) {});
    REQUIRE(kept < 200);
    const auto during = net::read_host_counters() - before;
    CAPTURE(local);
    CHECK(during.receive_buffer_errors >= 200 - kept);
    CHECK(during.in_errors >= 200 - kept);
  }
}
