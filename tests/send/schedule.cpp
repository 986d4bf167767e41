/** @file
    What a client tells a pacing with a schedule or a window, and what it writes into its datagrams: by a script.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/pace/rate.hpp>
#include <udpbench/pace/window.hpp>
#include <udpbench/sync_client.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "scripted.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <vector>

#include <sys/socket.h>

namespace net = udpbench::net;
namespace wire = udpbench::wire;
using numbers = std::vector<std::uint64_t>;

namespace {

/** Lets up to three through at a time; the slot of datagram i is 1000 + 10 i. */
struct slots : scripted::pace {
  std::uint64_t intended_ns(std::uint64_t index) const noexcept { return 1000 + 10 * index; }
};
static_assert(udpbench::pace::scheduled<slots>);
static_assert(!udpbench::pace::scheduled<scripted::pace>);

/** Notes what it follows. */
struct follower : scripted::pace {
  const std::atomic<std::uint64_t>** followed = nullptr;
  void follow(const std::atomic<std::uint64_t>* received) { *followed = received; }
};
static_assert(udpbench::pace::closed_loop<follower>);
static_assert(!udpbench::pace::closed_loop<slots>);

udpbench::send::outcome refused_after(std::size_t accepted) {
  return {accepted, 1, {ENOBUFS, boost::system::system_category()}};
}

numbers intended_times(const std::vector<support::bytes>& datagrams) {
  numbers out;
  for (const auto& d : datagrams) out.push_back(wire::decode(d).value().intended_ns);
  return out;
}

} // namespace

TEST_CASE("latency stamped at the actual send hides a stall: each datagram carries its slot's time",
          "[send]") {
  const net::descriptor peer = net::open_receiver(support::v4());
  scripted::network network;
  scripted::timetable table;
  udpbench::sync_client<scripted::policy, slots> client{{{&table}}, {&network}};
  client.open(net::local_endpoint(peer.get()));
  table.script = {{1, 7}, {3, 7}, {2, 7}};
  client.send({.size = 32, .first_sequence = 500}, 6);
  CHECK(scripted::sequences(network.accepted) == numbers{500, 501, 502, 503, 504, 505});
  CHECK(intended_times(network.accepted) == numbers{1000, 1010, 1020, 1030, 1040, 1050});
}

TEST_CASE("a datagram that isn't accepted has had its slot: the next one has the next", "[send]") {
  const net::descriptor peer = net::open_receiver(support::v4());
  scripted::network network;
  scripted::timetable table;
  udpbench::sync_client<scripted::policy, slots> client{{{&table}}, {&network}};
  client.open(net::local_endpoint(peer.get()));
  network.script = {refused_after(1)};
  client.send({.size = 32}, 4);
  CHECK(table.offered == numbers{0, 2});
  CHECK(scripted::sequences(network.accepted) == numbers{0, 1, 2});
  CHECK(intended_times(network.accepted) == numbers{1000, 1020, 1030});
}

TEST_CASE("a window is told what was accepted, and where the receiver publishes", "[send]") {
  const net::descriptor peer = net::open_receiver(support::v4());
  scripted::network network;
  scripted::timetable table;
  const std::atomic<std::uint64_t> received{0};
  const std::atomic<std::uint64_t>* followed = nullptr;
  udpbench::sync_client<scripted::policy, follower> client{{{&table}, &followed}, {&network}};
  client.open(net::local_endpoint(peer.get()));
  network.script = {refused_after(1)};
  client.send({.size = 32, .received = &received}, 6);
  CHECK(followed == &received);
  CHECK(table.offered == numbers{0, 1});
  CHECK(table.most == std::vector<std::size_t>{4, 4});
}

TEST_CASE(
    "two pacers at once: the program's own is the only one, the socket has no rate of its own",
    "[send]") {
  const net::descriptor peer = net::open_receiver(support::v4());
  udpbench::sync_client<udpbench::send::single, udpbench::pace::rate<>> client{
      udpbench::pace::rate<>(1'000'000)};
  client.open(net::local_endpoint(peer.get()));
  CHECK(client.send({.size = 32}, 2).sent == 2);
  CHECK(client.paced_by().punctuality());
  std::uint64_t kernel_rate = 0;
  socklen_t length = sizeof kernel_rate;
  REQUIRE(::getsockopt(client.native_handle(), SOL_SOCKET, SO_MAX_PACING_RATE, &kernel_rate,
                       &length) == 0);
  const std::uint64_t unlimited = length == sizeof kernel_rate ? ~std::uint64_t{0} : 0xffffffffu;
  CHECK(kernel_rate == unlimited);
}
