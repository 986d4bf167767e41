/** @file
    What the tools print, as counts: from their real outputs, shortened.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/peer/output.hpp"

#include "catch.hpp"

#include <string>

using namespace peers;

namespace {

const std::string iperf3_client = R"({"start": {"version": "iperf 3.12"}, "intervals": [], "end": {
  "sum": {"seconds": 2.002512, "lost_packets": 92886, "packets": 214590, "sender": true},
  "sum_sent": {"seconds": 2.002388, "lost_packets": 0, "packets": 214590, "sender": true},
  "sum_received": {"seconds": 2.002512, "bytes": 124546048, "lost_packets": 92886, "packets": 214513, "sender": false}}})";

const std::string iperf_server = R"(Server listening on UDP port 25002
[  1] local 127.0.0.1 port 25002 connected with 127.0.0.1 port 54881
[ ID] Interval       Transfer     Bandwidth        Jitter   Lost/Total Datagrams
[  1] 0.0000-2.0000 sec  82.0 MBytes   344 Mbits/sec   0.003 ms 163571/247563 (66%)
Waiting for server threads to complete. Interrupt again to force quit.
)";

const std::string sockperf_client = R"(sockperf: Starting test...
sockperf: Total of 331377 messages sent in 2.001 sec

sockperf: Summary: Message Rate is 165578 [msg/sec]
)";

const std::string sockperf_server = R"(sockperf: Test end (interrupted by user)
sockperf: Total 147533 messages received and handled
)";

const std::string nuttcp_client = "megabytes=137.7930 real_seconds=2.00 rate_Mbps=577.9158 "
                                  "tx_cpu=61 rx_cpu=22 drop=174748 pkt=315848 "
                                  "data_loss=55.32660\n";

const std::string qperf_client = R"(udp_bw:
    send_real_time    =    2000000000 ns
    send_msgs         =        210016 
    recv_real_time    =    2000000000 ns
    recv_msgs         =         44880 
)";

void check(const counts& c, std::uint64_t received, std::uint64_t sent, double seconds) {
  CHECK(c.received == received);
  CHECK(c.sent == sent);
  CHECK(c.seconds == Approx(seconds));
}

} // namespace

TEST_CASE("each tool's own output gives received, sent and seconds", "[bench]") {
  check(read_iperf3({iperf3_client, ""}), 214513 - 92886, 214590, 2.002512);
  check(read_iperf({"", iperf_server}), 247563 - 163571, 247563, 2);
  check(read_sockperf({sockperf_client, sockperf_server}), 147533, 331377, 2.001);
  check(read_nuttcp({nuttcp_client, ""}), 315848 - 174748, 315848, 2);
  check(read_qperf({qperf_client, ""}), 44880, 210016, 2);
}

TEST_CASE("of several reports of iperf's server the last one counts", "[bench]") {
  const std::string earlier = "[  1] 0.0000-1.0000 sec  1 MBytes 2 Mbits/sec 0.003 ms 1/2 (50%)\n";
  CHECK(read_iperf({"", earlier + iperf_server}).received == 247563 - 163571);
}

TEST_CASE("an error that iperf3 reports is told as it says it", "[bench]") {
  CHECK_THROWS_WITH(
      read_iperf3({R"({"error": "unable to connect to server: Connection refused"})", ""}),
      "says: unable to connect to server: Connection refused");
}

TEST_CASE("garbage is refused by every tool's reader, with what is missing", "[bench]") {
  const texts nothing{"", ""};
  const texts garbage{"\x01\x02 Total of x messages, pkt=, recv_msgs = , {",
                      "] 0-x sec 1 ms 3/y\nTotal\n"};
  for (const auto& said : {nothing, garbage}) {
    CHECK_THROWS_WITH(read_iperf3(said), Catch::StartsWith("didn't print JSON"));
    CHECK_THROWS_WITH(read_iperf(said), Catch::Contains("lost/total"));
    CHECK_THROWS_WITH(read_sockperf(said), Catch::Contains("after 'Total"));
    CHECK_THROWS_WITH(read_nuttcp(said), Catch::Contains("pkt="));
    CHECK_THROWS_WITH(read_qperf(said), Catch::Contains("recv_msgs"));
  }
  for (const char* other : {"1", "[]", "{}", R"({"end": 1})", R"({"end": {"sum_received": {}}})",
                            R"({"end": {"sum_received": {"packets": -1}}})"})
    CHECK_THROWS_AS(read_iperf3({other, ""}), run_error);
}

TEST_CASE("counts that can't be are refused", "[bench]") {
  CHECK_THROWS_WITH(read_nuttcp({"x real_seconds=1 drop=3 pkt=2", ""}),
                    Catch::Contains("3 datagrams of 2 as lost"));
  CHECK_THROWS_WITH(read_nuttcp({"x real_seconds=1 drop=2 pkt=2", ""}), "received nothing");
  CHECK_THROWS_WITH(read_nuttcp({"x real_seconds=0 drop=1 pkt=2", ""}), "ran for no time");
  CHECK_THROWS_WITH(read_sockperf({"Total of 5 messages sent in 1 sec", "Total 6 messages"}),
                    Catch::Contains("6 datagrams as received and 5 as sent"));
}
