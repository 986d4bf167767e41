/** @file
    Only what was accepted is sent, and every other datagram is booked by its reason: by a script, without a network.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/sync_client.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "scripted.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace net = udpbench::net;
using scripted::sequences;
using udpbench::error_code;
using udpbench::send_counts;
using numbers = std::vector<std::uint64_t>;
using sizes = std::vector<std::size_t>;

namespace {

error_code system_error(int number) { return {number, boost::system::system_category()}; }

/** A client of a scripted network. Its own socket, which sends nothing, is open. */
struct sending {
  scripted::network network;
  scripted::timetable table;
  const net::descriptor peer = net::open_receiver(support::v4());
  udpbench::sync_client<scripted::policy, scripted::pace> client{scripted::pace{&table},
                                                                 scripted::policy{&network}};

  sending() { client.open(net::local_endpoint(peer.get())); }

  send_counts operator()(std::uint64_t count, const udpbench::schedule& s = {.size = 64}) {
    return client.send(s, count);
  }
};

} // namespace

TEST_CASE("all that is accepted is sent, in calls as large as the policy takes", "[send]") {
  sending s;
  const auto counts = s(10);
  CHECK(counts.intended == 10);
  CHECK(counts.sent == 10);
  CHECK(counts.refused + counts.full + counts.failed == 0);
  CHECK(counts.calls == 3);
  CHECK_FALSE(counts.error);
  CHECK(s.network.calls == sizes{4, 4, 2});
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("nothing asked for is nothing sent", "[send]") {
  sending s;
  const auto counts = s(0);
  CHECK(counts.intended == 0);
  CHECK(counts.calls == 0);
  CHECK(s.network.calls.empty());
}

TEST_CASE("what a call left over is sent by the next with the same numbers", "[send]") {
  sending s;
  s.network.script = {{1, 0, {}}, {3, 0, {}}, {2, 0, {}}};
  const auto counts = s(8);
  CHECK(counts.intended == 8);
  CHECK(counts.sent == 8);
  CHECK(s.network.calls == sizes{4, 4, 4, 2});
  CHECK(sequences(s.network.offered) == numbers{0, 1, 2, 3, 1, 2, 3, 4, 4, 5, 6, 7, 6, 7});
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a datagram that isn't accepted is not sent, and booked by its reason", "[send]") {
  struct row {
    int number;
    std::uint64_t send_counts::* column;
  };
  for (const auto& [number, column] :
       {row{ECONNREFUSED, &send_counts::refused}, row{EAGAIN, &send_counts::full},
        row{EWOULDBLOCK, &send_counts::full}, row{ENOBUFS, &send_counts::full},
        row{EPERM, &send_counts::failed}, row{ENETUNREACH, &send_counts::failed},
        row{ENOMEM, &send_counts::failed}}) {
    CAPTURE(number);
    sending s;
    s.network.script = {{2, 0, {}}, {0, 1, system_error(number)}, {0, 3, system_error(number)}};
    const auto counts = s(10);
    CHECK(counts.intended == 10);
    CHECK(counts.sent == 6);
    CHECK(counts.*column == 4);
    CHECK(counts.refused + counts.full + counts.failed == 4);
    CHECK(counts.intended == counts.sent + counts.refused + counts.full + counts.failed);
    CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5});
    const bool failed = column == &send_counts::failed;
    CHECK(counts.error == (failed ? system_error(number) : error_code()));
  }
}

TEST_CASE("a call may accept some datagrams and fail with the next", "[send]") {
  sending s;
  s.network.script = {{3, 1, system_error(ENOBUFS)}, {1, 2, system_error(ECONNREFUSED)}};
  const auto counts = s(10);
  CHECK(counts.intended == 10);
  CHECK(counts.sent == 7);
  CHECK(counts.full == 1);
  CHECK(counts.refused == 2);
  CHECK(s.network.calls == sizes{4, 4, 3});
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("an interrupted call is made again and books nothing but what it accepted", "[send]") {
  sending s;
  s.network.script = {{0, 4, system_error(EINTR)}, {2, 1, system_error(EINTR)}};
  const auto counts = s(6);
  CHECK(counts.intended == 6);
  CHECK(counts.sent == 6);
  CHECK(counts.refused + counts.full + counts.failed == 0);
  CHECK_FALSE(counts.error);
  CHECK(counts.calls == 3);
  CHECK(s.network.calls == sizes{4, 4, 4});
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5});
}

TEST_CASE("the error that is told is the first of those that have no column", "[send]") {
  sending s;
  s.network.script = {
      {0, 1, system_error(ENOBUFS)}, {0, 1, system_error(EPERM)}, {0, 1, system_error(EIO)}};
  const auto counts = s(10);
  CHECK(counts.failed == 2);
  CHECK(counts.full == 1);
  CHECK(counts.error == system_error(EPERM));
}

TEST_CASE("a send in which everything fails ends, too", "[send]") {
  sending s;
  for (int i = 0; i < 5; ++i) s.network.script.push_back({0, 1, system_error(EAGAIN)});
  const auto counts = s(5);
  CHECK(counts.intended == 5);
  CHECK(counts.sent == 0);
  CHECK(counts.full == 5);
  CHECK(s.network.calls == sizes{4, 4, 3, 2, 1});
}

TEST_CASE("sequence numbers start where the schedule says and go on across 2^32", "[send]") {
  sending s;
  const auto start = (std::uint64_t{1} << 32) - 2;
  s.network.script = {{1, 1, system_error(EAGAIN)}};
  const auto counts = s(5, {.size = 64, .first_sequence = start});
  CHECK(counts.sent == 4);
  CHECK(sequences(s.network.accepted) == numbers{start, start + 1, start + 2, start + 3});
}

TEST_CASE("a round may be sent by several calls", "[send]") {
  sending s;
  s.network.script = {{1, 1, system_error(EAGAIN)}};
  send_counts counts;
  for (int i = 0; i < 3; ++i) counts += s(3, {.size = 64, .first_sequence = counts.sent});
  CHECK(counts.intended == 9);
  CHECK(counts.sent == 8);
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("every datagram carries its schedule's flow, round and run", "[send]") {
  sending s;
  s(9, {.run = 0x1122334455667788, .round = 0x99aa, .flow = 0xbbcc, .size = 100});
  REQUIRE(s.network.accepted.size() == 9);
  for (std::uint64_t i = 0; i < 9; ++i) {
    CHECK(s.network.accepted[i].size() == 100);
    CHECK(udpbench::wire::decode(s.network.accepted[i]) ==
          udpbench::wire::header{0xbbcc, 0x99aa, 0x1122334455667788, i, 0});
  }
}

TEST_CASE("a client that changes its schedule leaves nothing of the one before", "[send]") {
  sending s;
  s(4, {.run = 1, .round = 1, .flow = 1, .size = 1000, .first_sequence = 100});
  s(4, {.run = 2, .round = 2, .flow = 2, .size = 40});
  REQUIRE(s.network.accepted.size() == 8);
  for (std::uint64_t i = 0; i < 4; ++i) {
    CHECK(s.network.accepted[4 + i].size() == 40);
    CHECK(udpbench::wire::decode(s.network.accepted[4 + i]) ==
          udpbench::wire::header{2, 2, 2, i, 0});
  }
}

TEST_CASE("a datagram shorter than a header carries as much of it as fits", "[send]") {
  for (std::size_t size = 1; size < udpbench::wire::header_bytes; ++size) {
    sending s;
    const auto counts = s(6, {.run = 7, .round = 8, .flow = 9, .size = size, .first_sequence = 5});
    CHECK(counts.sent == 6);
    auto expected = support::numbered({.flow = 9, .round = 8, .run = 7});
    expected.resize(size);
    REQUIRE(s.network.accepted.size() == 6);
    for (const auto& datagram : s.network.accepted) REQUIRE(datagram == expected);
  }
}

TEST_CASE("a datagram of a header's size is numbered", "[send]") {
  sending s;
  s(5, {.run = 7, .round = 8, .flow = 9, .size = udpbench::wire::header_bytes});
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4});
}

TEST_CASE("a stop that was asked for before sends nothing", "[send]") {
  sending s;
  const std::atomic<bool> stop = true;
  const auto counts = s(10, {.size = 64, .stop = &stop});
  CHECK(counts.intended == 0);
  CHECK(s.network.calls.empty());
}

TEST_CASE("a stop ends the sending after the call in which it comes", "[send]") {
  sending s;
  std::atomic<bool> stop = false;
  s.network.raise = &stop;
  s.network.raise_in = 2;
  const auto counts = s(1000, {.size = 64, .stop = &stop});
  CHECK(counts.intended == 8);
  CHECK(counts.sent == 8);
  CHECK(counts.calls == 2);
}

TEST_CASE("the pace is begun once a send and asked before each call", "[send]") {
  sending s;
  s.network.script = {{1, 2, system_error(ECONNREFUSED)}};
  s(9);
  CHECK(s.table.begun == 1);
  CHECK(s.table.offered == numbers{0, 3, 7});
  CHECK(s.table.most == sizes{4, 4, 2});
  s(1);
  CHECK(s.table.begun == 2);
  CHECK(s.table.offered.back() == 0);
}

TEST_CASE("no more is sent at a time than the pace lets through", "[send]") {
  sending s;
  s.table.script = {{1, 0}, {3, 0}, {2, 0}};
  const auto counts = s(8);
  CHECK(s.network.calls == sizes{1, 3, 2, 2});
  CHECK(counts.sent == 8);
  CHECK(sequences(s.network.accepted) == numbers{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("every datagram carries the time for which it was intended", "[send]") {
  sending s;
  s.table.script = {{2, 1000}, {4, 0x1122334455667788}, {1, 0}};
  s(7);
  numbers times;
  for (const auto& datagram : s.network.accepted)
    times.push_back(udpbench::wire::decode(datagram).value().intended_ns);
  constexpr std::uint64_t second = 0x1122334455667788;
  CHECK(times == numbers{1000, 1000, second, second, second, second, 0});
}

TEST_CASE("a datagram that is tried again carries the time of the second try's schedule",
          "[send]") {
  sending s;
  s.network.script = {{1, 0, {}}};
  s.table.script = {{2, 10}, {1, 20}};
  s(2);
  CHECK(udpbench::wire::decode(s.network.accepted.at(0))->intended_ns == 10);
  CHECK(udpbench::wire::decode(s.network.accepted.at(1))->intended_ns == 20);
}

TEST_CASE("counts add up, and the first error stays", "[send]") {
  const send_counts one{1, 2, 3, 4, 5, 6, {}};
  const send_counts two{10, 20, 30, 40, 50, 60, system_error(EPERM)};
  const send_counts three{100, 200, 300, 400, 500, 600, system_error(EIO)};
  send_counts sum = one;
  sum += two;
  sum += three;
  CHECK(sum.intended == 111);
  CHECK(sum.sent == 222);
  CHECK(sum.refused == 333);
  CHECK(sum.full == 444);
  CHECK(sum.failed == 555);
  CHECK(sum.calls == 666);
  CHECK(sum.error == system_error(EPERM));
}

TEST_CASE(
    "a pacing that lets nothing through any more ends the sending, and the rest isn't intended",
    "[send]") {
  sending s;
  s.table.script = {{3, 0}, {0, 0}};
  const auto counts = s(10);
  CHECK(counts.intended == 3);
  CHECK(counts.sent == 3);
  CHECK(counts.calls == 1);
}
