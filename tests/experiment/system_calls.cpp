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
                         {{SYS_recvfrom, 501}, {SYS_epoll_wait, 805}, {SYS_mmap, 9}}, 8, 400);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].name == "epoll_wait");
  CHECK(calls[0].per_datagram == 2);
  CHECK(calls[1].name == "recvfrom");
  CHECK(calls[1].per_datagram == 1);
}

TEST_CASE("the calls by which the instrument fills and reads are no receiver's", "[experiment]") {
  CHECK(calls_per_datagram({}, {{SYS_sendto, 400}, {SYS_clock_gettime, 800}}, 8, 400).empty());
}

TEST_CASE("a call or two at the ends of a turn is no receiver's, one in each slice is",
          "[experiment]") {
  const auto calls = calls_per_datagram({{SYS_poll, 2}, {SYS_read, 1}, {SYS_recvmmsg, 3}},
                                        {{SYS_poll, 5}, {SYS_read, 2}, {SYS_recvmmsg, 11}}, 8, 400);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].name == "recvmmsg");
  CHECK(calls[0].per_datagram == Approx(0.02));
  // A receiver that polls by itself does so for its datagrams, or slices.
  CHECK(calls_per_datagram({{SYS_poll, 2}}, {{SYS_poll, 10}}, 8, 400).size() == 1);
}

TEST_CASE("a turn that went wrong gives no system calls", "[experiment]") {
  scripted_place where;
  const auto count = [] { return system_call_counts{}; };
  seat_plan how;
  how.receiver = "async";
  CHECK(count_system_calls(where, how, {}, count).empty());
  CHECK(where.open_now == 0);
  where.spoil = [](const std::string&, sample& s) { s.trouble = "nothing arrived"; };
  CHECK_THROWS_WITH(count_system_calls(where, how, {}, count), "nothing arrived");
  CHECK(where.open_now == 0);
}

TEST_CASE("calls are counted over the turns alone, and not over the first, in which threads begin",
          "[experiment]") {
  scripted_place where;
  // As if each turn made as many calls of one kind as it had slices, and the first many others.
  std::uint64_t slices = 0;
  std::uint64_t turns = 0;
  where.spoil = [&](const std::string&, sample& s) {
    slices += s.slices.size();
    ++turns;
  };
  const auto count = [&] {
    return system_call_counts{{SYS_recvfrom, slices}, {SYS_mmap, turns != 0 ? 1000u : 0u}};
  };
  seat_plan how;
  how.receiver = "async";
  const auto calls = count_system_calls(where, how, {.depth = 50}, count);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].name == "recvfrom");
  CHECK(calls[0].per_datagram == Approx(0.02));
  CHECK(turns == 3);
}

TEST_CASE("a call that is taken back makes no number of calls, however they are counted",
          "[experiment]") {
  const auto calls = calls_between({{SYS_recvfrom, 5}}, {{SYS_recvfrom, 4}, {SYS_poll, 3}});
  CHECK(calls.at(SYS_recvfrom) == 0);
  CHECK(calls.at(SYS_poll) == 3);
}

TEST_CASE("threads that never sleep have no number of calls per datagram", "[experiment]") {
  scripted_place where;
  where.spoil = [](const std::string&, sample& s) { s.never_sleeps = true; };
  seat_plan how;
  how.receiver = "sync.spin";
  CHECK_THROWS_WITH(count_system_calls(where, how, {}, [] { return system_call_counts{}; }),
                    Catch::StartsWith("its threads never sleep"));
  CHECK(where.open_now == 0);
}
