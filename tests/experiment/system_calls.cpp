// System calls per datagram, from two turns.
#include "catch.hpp"
#include "scripted_place.hpp"

#include <udpbench/experiment/system_calls.hpp>

#include <sys/syscall.h>

using namespace udpbench::experiment;
using udpbench::measure::system_call_counts;

TEST_CASE("system calls per datagram are what the longer turn has more", "[experiment]") {
  const auto calls =
      calls_per_datagram({{SYS_recvfrom, 101}, {SYS_epoll_wait, 5}, {SYS_mmap, 9}},
                         {{SYS_recvfrom, 501}, {SYS_epoll_wait, 805}, {SYS_mmap, 9}}, 8, 50);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].name == "epoll_wait");
  CHECK(calls[0].per_datagram == 2);
  CHECK(calls[1].name == "recvfrom");
  CHECK(calls[1].per_datagram == 1);
}

TEST_CASE("the calls by which the instrument fills and reads are no receiver's", "[experiment]") {
  CHECK(calls_per_datagram({}, {{SYS_sendto, 400}, {SYS_clock_gettime, 800}}, 8, 50).empty());
}

TEST_CASE("a call or two at the ends of a turn is no receiver's, one in each slice is",
          "[experiment]") {
  const auto calls = calls_per_datagram({{SYS_poll, 2}, {SYS_read, 1}, {SYS_recvmmsg, 3}},
                                        {{SYS_poll, 5}, {SYS_read, 2}, {SYS_recvmmsg, 11}}, 8, 50);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].name == "recvmmsg");
  CHECK(calls[0].per_datagram == Approx(0.02));
  // A receiver that polls by itself does so for its datagrams, or slices.
  CHECK(calls_per_datagram({{SYS_poll, 2}}, {{SYS_poll, 10}}, 8, 50).size() == 1);
}

TEST_CASE("a turn that went wrong gives no system calls", "[experiment]") {
  scripted_place where;
  const auto count = [](const std::function<void()>& turn) {
    turn();
    return system_call_counts{};
  };
  seat_plan how;
  how.receiver = "async";
  CHECK(count_system_calls(where, how, {}, count).empty());
  CHECK(where.open_now == 0);
  where.spoil = [](const std::string&, sample& s) { s.trouble = "nothing arrived"; };
  CHECK_THROWS_WITH(count_system_calls(where, how, {}, count), "nothing arrived");
  CHECK(where.open_now == 0);
}
