/** @file
    The concept of a receiver, and the type that can be any.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/receiver.hpp>

#include "subject.hpp"

#include <stdexcept>

using udpbench::any_receiver;
using udpbench::receiver;
using udpbench::tells_memory_use;
namespace memory = udpbench::memory;

namespace {

/** Remembers how it was called. */
struct fake {
  struct calls {
    udpbench::net::endpoint local;
    std::size_t largest = 0;
    std::size_t n = 0;
    servers::clock::time_point deadline;
    int stops = 0;
    int ends = 0;
  };

  fake(calls& to, int handle) : to_(to), handle_(handle) {}
  fake(const fake&) = delete;
  fake& operator=(const fake&) = delete;
  ~fake() { ++to_.ends; }

  udpbench::net::endpoint open(const udpbench::net::endpoint& local,
                               const udpbench::server_options& options) {
    to_.local = local;
    to_.largest = options.largest_datagram;
    return {local.address(), 4711};
  }
  std::size_t receive(std::size_t n, servers::clock::time_point deadline) {
    if (n == 13) throw std::runtime_error("thirteen");
    to_.n = n;
    to_.deadline = deadline;
    return n + 1;
  }
  void stop() noexcept { ++to_.stops; }
  int native_handle() { return handle_; }

 private:
  calls& to_;
  int handle_;
};

struct telling : fake {
  using fake::fake;
  memory::usage memory_use() const { return {.requests = 5, .upstream = 2}; }
};

struct careless : fake { // its stop may throw
  using fake::fake;
  void stop() {}
};
struct tells_too_little : fake {
  using fake::fake;
  int memory_use() const { return 5; }
};

static_assert(receiver<fake> && !tells_memory_use<fake>);
static_assert(receiver<telling> && tells_memory_use<telling>);
static_assert(!receiver<careless>);
static_assert(receiver<tells_too_little> && !tells_memory_use<tells_too_little>);
static_assert(!receiver<int> && !receiver<udpbench::measure::null_sink>);
static_assert(!std::is_copy_constructible_v<any_receiver> &&
              std::is_nothrow_move_constructible_v<any_receiver>);

template <class... Server>
constexpr bool all_receive(support::types<Server...>) {
  return (receiver<Server> && ...);
}
template <class... Server>
constexpr bool any_tells(support::types<Server...>) {
  return (tells_memory_use<Server> || ...);
}
template <class... Server>
constexpr bool all_tell(support::types<Server...>) {
  return (tells_memory_use<Server> && ...);
}
using servers::probe;
static_assert(all_receive(support::servers<probe>{}));
static_assert(!any_tells(support::plain_servers<probe>{}));
static_assert(!any_tells(support::hooked_servers<probe, memory::recycling>{}));
static_assert(all_tell(support::hooked_servers<probe, memory::counting<memory::recycling>>{}));

} // namespace

TEST_CASE("any receiver passes every call on", "[servers]") {
  fake::calls calls;
  {
    auto r = any_receiver::make<fake>(calls, 99);
    const auto local = support::v6();
    CHECK(r.open(local, {.socket = {}, .largest_datagram = 123}) ==
          udpbench::net::endpoint(local.address(), 4711));
    CHECK(calls.local == local);
    CHECK(calls.largest == 123);
    r.open(local);
    CHECK(calls.largest == udpbench::server_options{}.largest_datagram);
    const auto deadline = servers::clock::now();
    CHECK(r.receive(7, deadline) == 8);
    CHECK(calls.n == 7);
    CHECK(calls.deadline == deadline);
    CHECK_THROWS_AS(r.receive(13, deadline), std::runtime_error);
    CHECK(r.native_handle() == 99);
    CHECK(!r.counters().memory_use());
    CHECK(calls.stops == 0);
    r.stop();
    CHECK(calls.stops == 1);
    auto moved = std::move(r);
    CHECK(moved.native_handle() == 99);
    CHECK(calls.ends == 0);
  }
  CHECK(calls.ends == 1);
}

TEST_CASE("any receiver tells the memory use of one that knows it", "[servers]") {
  fake::calls calls;
  const auto r = any_receiver::make<telling>(calls, 1);
  REQUIRE(r.counters().memory_use());
  CHECK(r.counters().memory_use()->requests == 5);
  CHECK(r.counters().memory_use()->upstream == 2u);
}

TEST_CASE("any receiver receives as the server in it does", "[servers]") {
  const servers::watchdog guard;
  probe sink;
  using server = udpbench::async_server<probe, udpbench::take::one, memory::counting<memory::heap>>;
  auto r = any_receiver::make<server>(sink);
  servers::sender(r.open(support::v4()))(2);
  CHECK(r.receive(2, servers::soon()) == 2);
  CHECK(sink.seen == 2);
  CHECK(r.counters().memory_use()->requests >= 2);
  CHECK(r.counters().memory_use()->upstream == r.counters().memory_use()->requests);
  r.stop();
  CHECK(r.native_handle() == -1);
}

TEST_CASE("a receiver that busy-polls tells what it asked for and what it got", "[servers]") {
  const servers::watchdog guard;
  probe sink;
  namespace idle = udpbench::idle;
  using polling = udpbench::sync_server<probe, udpbench::take::one, idle::busy_poll<33>>;
  auto r = any_receiver::make<polling>(sink);
  r.open(support::v4());
  const auto told = r.busy_poll();
  REQUIRE(told);
  CHECK(told->requested == std::chrono::microseconds(33));
  CHECK(told->granted == udpbench::net::granted_busy_poll(r.native_handle()));
  auto plain = any_receiver::make<udpbench::sync_server<probe>>(sink);
  plain.open(support::v4());
  CHECK(!plain.busy_poll());
}
