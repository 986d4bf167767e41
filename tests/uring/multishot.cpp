/** @file
    The multishot receive where it runs out of buffers, or of room for completions, and what it leaves behind.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../servers/subject.hpp"

#include "../support/payload.hpp"
#include "../support/skip.hpp"

#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/sync_client.hpp>
#include <udpbench/uring_server.hpp>

#include <algorithm>

using namespace servers;
namespace uring = udpbench::uring;
using udpbench::measure::ledger;

namespace {

/** Queues `count` datagrams for a server with such a ring, and receives them `at_once` at a time. */
template <class Flight>
void check_in_order(std::size_t count, std::size_t at_once) {
  const watchdog guard;
  ledger books;
  udpbench::uring_server<ledger, Flight> server(books);
  udpbench::sync_client<> client;
  client.open(server.open(v4()));
  for (std::uint16_t round = 0; round < 5; ++round) {
    books.begin(1, round);
    REQUIRE(client.send({.run = 1, .round = round, .size = 64}, count).sent == count);
    for (std::size_t got = 0; got < count; got += at_once)
      REQUIRE(server.receive(std::min(at_once, count - got), soon()) ==
              std::min(at_once, count - got));
    CHECK(books.counts().unique == count);
    CHECK(books.counts().total() == count);
    CHECK(books.counts().reordered == 0);
    CHECK(udpbench::net::drop_counter(server.native_handle()).value_or(0) == 0);
    CHECK(server.receive_errors() == 0);
  }
}

template <class Flight>
using remembering = udpbench::uring_server<support::recorder, Flight>;

} // namespace

TEST_CASE("with fewer buffers than datagrams nothing is lost, reordered or called an error",
          "[uring]") {
  if (!io_uring_allowed()) SKIP("this kernel doesn't allow io_uring");
  check_in_order<uring::multishot<1>>(100, 100);
  check_in_order<uring::multishot<4>>(100, 100);
  check_in_order<uring::multishot<4>>(100, 3);
  check_in_order<uring::multishot<64>>(200, 200);
  check_in_order<uring::multishot<256>>(200, 200);
}

TEST_CASE("with less room for completions than datagrams nothing is lost, reordered or called an "
          "error",
          "[uring]") {
  if (!io_uring_allowed()) SKIP("this kernel doesn't allow io_uring");
  check_in_order<uring::multishot<64, 1>>(200, 200);
  check_in_order<uring::multishot<64, 8>>(200, 50);
  check_in_order<uring::multishot<256, 4>>(200, 200);
}

TEST_CASE("buffers that a deadline left unused are used by the next receive, each in its turn",
          "[uring]") {
  if (!io_uring_allowed()) SKIP("this kernel doesn't allow io_uring");
  const watchdog guard;
  support::recorder got;
  remembering<uring::multishot<8>> server(got);
  const sender send(server.open(v4()));
  std::vector<support::bytes> sent;
  // Every third is of length 0, for which the kernel needs no buffer.
  for (unsigned i = 0; i < 60; ++i) sent.push_back(support::pattern(i % 3 == 0 ? 0 : 1 + i, i));
  for (std::size_t i = 0; i < sent.size(); i += 6) {
    for (std::size_t j = i; j < i + 6; ++j) send(sent[j]);
    CHECK(server.receive(3, soon()) == 3);
    // Two more are wanted than there are.
    CHECK(server.receive(5, clock::now() + udpbench::server_tick) == 3);
  }
  REQUIRE(got.all.size() == sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    CHECK(got.all[i].length == sent[i].size());
    CHECK(got.all[i].content == sent[i]);
  }
  CHECK(server.receive_errors() == 0);
}

TEST_CASE("one of several receives at a time may be in another thread", "[uring]") {
  if (!io_uring_allowed()) SKIP("this kernel doesn't allow io_uring");
  const watchdog guard;
  support::recorder got;
  remembering<uring::multishot<>> server(got);
  const sender send(server.open(v4()));
  for (std::size_t i = 1; i <= 20; ++i) {
    send(3);
    std::size_t there = 0;
    std::jthread([&] { there = server.receive(2, soon()); }).join();
    CHECK(there == 2);
    CHECK(server.receive(1, soon()) == 1);
  }
  CHECK(got.all.size() == 60);
}

TEST_CASE("each buffer is used in its turn, so that few of them stay in the cache", "[uring]") {
  if (!io_uring_allowed()) SKIP("this kernel doesn't allow io_uring");
  support::recorder got;
  remembering<uring::multishot<4>> server(got);
  const sender send(server.open(v4(), {.socket = {}, .largest_datagram = 100}));
  send(9);
  REQUIRE(server.receive(9, soon()) == 9);
  for (std::size_t i = 0; i < 9; ++i) CHECK(got.all[i].address == got.all[0].address + i % 4 * 128);
}
