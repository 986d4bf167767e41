/** @file
    The client on sockets of this host.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/ledger.hpp>
#include <udpbench/send/batch.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/sync_client.hpp>
#include <udpbench/wire/header.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "payload.hpp"
#include "skip.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace net = udpbench::net;
using udpbench::error;
using udpbench::sync_client;
using udpbench::send::batch;
using udpbench::send::segmented;
using udpbench::send::single;

static_assert(!std::is_copy_constructible_v<sync_client<>>);

namespace {

/** What refused the call; empty if nothing did. */
template <class Call>
udpbench::error_code refusal(Call call, std::string* text = nullptr) {
  try {
    call();
  } catch (const udpbench::system_error& e) {
    if (text != nullptr) *text = e.what();
    return e.code();
  }
  return {};
}

/** A client and its receiver. */
template <class Send = single>
struct connected {
  support::link link;
  sync_client<Send> client;

  explicit connected(const net::endpoint& local = support::v4()) : link(local) {
    client.open(link.endpoint());
  }
};

} // namespace

TEMPLATE_TEST_CASE("what a client counts as sent arrives with its numbers", "[send]", single,
                   batch<>, segmented) {
  for (const auto& local : {support::v4(), support::v6()}) {
    if (!support::usable(local)) SKIP("this host has no IPv6 loopback");
    connected<TestType> c(local);
    const udpbench::schedule schedule{
        .run = 11, .round = 12, .flow = 13, .size = 100, .first_sequence = 1000};
    const auto counts = c.client.send(schedule, 150);
    if (counts.failed != 0) SKIP("this kernel has no UDP_SEGMENT");
    CHECK(counts.intended == 150);
    CHECK(counts.sent == 150);
    CHECK(counts.calls == (150 + TestType::most(100) - 1) / TestType::most(100));
    c.link.settle();
    for (std::uint64_t i = 0; i < 150; ++i) {
      const auto arrived = support::receive(c.link.receiver());
      REQUIRE(arrived.size() == 100);
      REQUIRE(udpbench::wire::decode(arrived) == udpbench::wire::header{13, 12, 11, 1000 + i, 0});
    }
    CHECK(support::drained(c.link.receiver()));
  }
}

TEMPLATE_TEST_CASE("the largest datagram and the smallest are sent", "[send]", single, batch<>,
                   segmented) {
  connected<TestType> c;
  for (const std::size_t size : {1u, 31u, 32u, 65'507u}) {
    const auto counts = c.client.send({.size = size}, 1);
    CHECK(counts.sent == 1);
    c.link.settle();
    CHECK(support::receive(c.link.receiver()).size() == size);
  }
  CHECK(sync_client<>::largest_payload == 65'507);
}

TEMPLATE_TEST_CASE("a closed port is counted and gone on with, and the numbers have no gap",
                   "[send]", single, batch<>, segmented) {
  const support::closed_port closed;
  sync_client<TestType> client;
  client.open(closed.endpoint());
  const auto first = client.send({.size = 100}, 1);
  CHECK(first.sent == 1);
  CHECK(first.refused == 0);

  REQUIRE(support::wait_for(client.native_handle(), 0)); // for the refusal
  const auto second = client.send({.size = 100, .first_sequence = first.sent}, 200);
  CHECK(second.intended == 200);
  CHECK(second.refused > 0);
  CHECK(second.sent + second.refused + second.failed == 200);
  if (second.failed != 0) SKIP("this kernel has no UDP_SEGMENT");
  CHECK(second.full == 0);
  CHECK_FALSE(second.error);
}

TEST_CASE("numbers go on without a gap where a port that was closed opens", "[send]") {
  net::endpoint where;
  sync_client<> client;
  udpbench::send_counts counts;
  {
    const support::closed_port closed;
    where = closed.endpoint();
    client.open(where);
    counts += client.send({.size = 100}, 1);
    REQUIRE(support::wait_for(client.native_handle(), 0));
    counts += client.send({.size = 100, .first_sequence = counts.sent}, 1);
    CHECK(counts.sent == 1);
    CHECK(counts.refused == 1);
  }
  net::descriptor receiver;
  try {
    receiver = net::open_receiver(where);
  } catch (const udpbench::system_error&) {
    SKIP("somebody else was given the port");
  }
  counts += client.send({.size = 100, .first_sequence = counts.sent}, 3);
  CHECK(counts.intended == 5);
  CHECK(counts.sent == 4);
  for (std::uint64_t expected = 1; expected < 4; ++expected)
    CHECK(udpbench::wire::decode(support::receive(receiver.get())).value().sequence == expected);
}

TEST_CASE("a client that isn't open refuses to send", "[send]") {
  sync_client<> client;
  CHECK(client.native_handle() == -1);
  CHECK(refusal([&] { client.send({}, 1); }) == error::not_open);

  const auto receiver = net::open_receiver(support::v4());
  client.open(net::local_endpoint(receiver.get()));
  CHECK(client.native_handle() >= 0);
  CHECK(client.send({}, 1).sent == 1);
  client.close();
  CHECK(refusal([&] { client.send({}, 1); }) == error::not_open);
}

TEST_CASE("a closed client has closed its socket", "[send]") {
  const auto receiver = net::open_receiver(support::v4());
  sync_client<> client;
  client.open(net::local_endpoint(receiver.get()));
  const int fd = client.native_handle();
  client.close();
  CHECK(client.native_handle() == -1);
  CHECK(::fcntl(fd, F_GETFD) < 0);
}

TEST_CASE("a size that no datagram can have is refused before anything is sent", "[send]") {
  connected<> c;
  std::string text;
  CHECK(refusal([&] { c.client.send({.size = 0}, 1); }, &text) == error::too_small);
  CHECK(text.find("0 bytes") != std::string::npos);
  CHECK(refusal([&] { c.client.send({.size = 65'508}, 1); }, &text) == error::too_large);
  CHECK(text.find("65508 bytes") != std::string::npos);
  CHECK(refusal([&] { c.client.send({.size = std::numeric_limits<std::size_t>::max()}, 1); }) ==
        error::too_large);
  c.link.settle();
  CHECK(support::drained(c.link.receiver()));
}

TEST_CASE("a client can't be opened to an endpoint that needs a permission, and the text names it",
          "[send]") {
  sync_client<> client;
  std::string text;
  const net::endpoint broadcast(boost::asio::ip::address_v4::broadcast(), 9);
  CHECK(refusal([&] { client.open(broadcast); }, &text));
  CHECK(text.find("255.255.255.255:9") != std::string::npos);
  CHECK(client.native_handle() == -1);
}

TEST_CASE("a client that is opened again sends to its new receiver", "[send]") {
  support::link one;
  support::link two;
  sync_client<> client;
  client.open(one.endpoint());
  client.open(two.endpoint());
  CHECK(client.send({.size = 50}, 1).sent == 1);
  CHECK(support::receive(two.receiver()).size() == 50);
  CHECK(support::drained(one.receiver()));
}

TEST_CASE("a client moves with its socket", "[send]") {
  connected<> c;
  auto moved = std::move(c.client);
  CHECK(moved.send({.size = 50}, 1).sent == 1);
  CHECK(support::receive(c.link.receiver()).size() == 50);
}

TEST_CASE("several flows have a port and sequence numbers of their own, and take turns by calls",
          "[send]") {
  support::link link;
  sync_client<udpbench::send::segmented> client;
  client.open(link.endpoint(), 3);
  const std::uint64_t most = udpbench::send::segmented::most(1000);
  const auto counts = client.send({.run = 1, .round = 1, .size = 1000}, 4 * most + 1);
  link.settle();
  if (counts.sent == 0) SKIP("this kernel has no segmented sends");
  CHECK(counts.sent == 4 * most + 1);
  REQUIRE(counts.trains.size() == 3);
  using runs = std::vector<udpbench::send::trains::run>;
  CHECK(counts.trains[0].runs() == runs{{most, 2}});
  CHECK(counts.trains[1].runs() == runs{{most, 1}, {1, 1}});
  CHECK(counts.trains[2].runs() == runs{{most, 1}});
  udpbench::measure::ledger books(3);
  books.begin(1, 1);
  std::vector<std::uint16_t> order;
  for (std::uint64_t i = 0; i < counts.sent; ++i) {
    const auto bytes = support::receive(link.receiver());
    books(udpbench::datagram{bytes, bytes.size()});
    const auto flow = udpbench::wire::decode(bytes).value().flow;
    if (order.empty() || order.back() != flow) order.push_back(flow);
  }
  CHECK(books.counts().unique == counts.sent);
  CHECK(books.counts().reordered == 0);
  CHECK(books.highest(0) == 2 * most);
  CHECK(books.highest(1) == most + 1);
  CHECK(books.highest(2) == most);
  CHECK(order == std::vector<std::uint16_t>{0, 1, 2, 0, 1});
}
