/** @file
    What is lost between two hosts, divided among those that counted it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"

#include <udpbench/experiment/way_losses.hpp>

#include <optional>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

sample lossy_round() {
  sample s;
  s.sent.sent = 10'000;
  s.arrivals.unique = 9'000;
  s.unread = 5;
  s.kernel_dropped = 95;
  s.host = net::host_counters{.in_errors = 130,
                              .receive_buffer_errors = 95,
                              .memory_errors = 20,
                              .checksum_errors = 10,
                              .softnet_dropped = 400,
                              .device_dropped = 430};
  return s;
}

} // namespace

TEST_CASE("what is unexplained is divided among the counters of both hosts, and the rest remains",
          "[experiment]") {
  const auto lost = divide(lossy_round(), 300, false);
  CHECK(lost.sending_device == 300u);
  CHECK(lost.receiving_device == 30u);
  CHECK(lost.backlog == 400u);
  CHECK(lost.udp == 30u);
  CHECK(lost.remainder == 900 - 300 - 30 - 400 - 30);
}

TEST_CASE("what finds the backlog full is lost once, whichever interfaces count it, too",
          "[experiment]") {
  CHECK(divide(lossy_round(), 500, true).backlog == 400u);
  CHECK(divide(lossy_round(), 500, true).receiving_device == 30u);
  CHECK(divide(lossy_round(), 500, true).sending_device == 100u);
  CHECK(divide(lossy_round(), 500, true).remainder == 900 - 400 - 30 - 100 - 30);
  // Of interfaces that have none of it, such as those on top of another one.
  CHECK(divide(lossy_round(), 300, true).sending_device == 0u);
}

TEST_CASE("counters may have seen more than was lost of these datagrams", "[experiment]") {
  CHECK(divide(lossy_round(), 5'000, false).remainder < 0);
}

TEST_CASE("what no counter told is not known, and not 0", "[experiment]") {
  sample s = lossy_round();
  s.host.reset();
  const auto lost = divide(s, std::nullopt, false);
  CHECK_FALSE(lost.sending_device);
  CHECK_FALSE(lost.receiving_device);
  CHECK_FALSE(lost.backlog);
  CHECK_FALSE(lost.udp);
  CHECK(lost.remainder == 900);
}
