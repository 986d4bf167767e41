/** @file
    Receivers that share a port: every datagram reaches one of them, those of a flow the same, and they start and stop together.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/reuse_port_group.hpp>

#include "subject.hpp"

#include "../support/skip.hpp"

#include <udpbench/sync_client.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <stdexcept>

using namespace servers;
using udpbench::any_receiver;
using udpbench::error;
using udpbench::reuse_port_group;
namespace wire = udpbench::wire;

namespace {

constexpr std::size_t threads_each = 3;

/** A group with its sinks. */
class grouped {
 public:
  grouped(std::size_t n, const std::function<any_receiver(probe&)>& make)
      : sinks(n), group(made(make)) {}

  std::uint64_t seen() const {
    return std::accumulate(sinks.begin(), sinks.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const probe& p) { return sum + p.seen; });
  }
  bool all_closed() {
    for (std::size_t i = 0; i < sinks.size(); ++i)
      if (group.native_handle(i) != -1) return false;
    return error_of([&] { group.start(); }) == error::not_open;
  }

  std::deque<probe> sinks;
  reuse_port_group group;

 private:
  std::vector<any_receiver> made(const std::function<any_receiver(probe&)>& make) {
    std::vector<any_receiver> members;
    for (probe& sink : sinks) members.push_back(make(sink));
    return members;
  }
};

struct member {
  std::string name;
  std::function<any_receiver(probe&)> make;
};

template <class... Server>
std::vector<member> members_of(support::types<Server...>) {
  return {{name_of<Server>(), [](probe& sink) { return any_receiver::make<Server>(sink); }}...};
}

/** One of each kind: a group asks nothing of them but what each receiver promises. */
const std::vector<member>& members() {
  using namespace udpbench;
  static const auto all = members_of(support::joined(
      support::types<raw_server<probe>, sync_server<probe>, sync_server<probe, take::batch<>>,
                     sync_server<probe, take::one, idle::spin<>>, async_server<probe>,
                     async_server<probe, take::batch<>>, coroutine_server<probe>>{},
      support::uring_servers<probe>{}));
  return all;
}

template <class Test>
void for_groups(Test test) {
  for (const member& m : members()) {
    if (m.name.starts_with("uring") && !io_uring_allowed()) {
      WARN("skipped: " << m.name << ": this kernel doesn't allow io_uring");
      continue;
    }
    DYNAMIC_SECTION(m.name) {
      const watchdog guard;
      grouped g(threads_each, m.make);
      test(g);
    }
  }
}

/** Throws where it is told to. */
class fragile {
 public:
  explicit fragile(probe& sink) : server_(sink) {}
  udpbench::net::endpoint open(const udpbench::net::endpoint& local,
                               const udpbench::server_options& options) {
    return server_.open(local, options);
  }
  std::size_t receive(std::size_t n, clock::time_point deadline) {
    if (broken.exchange(false)) throw std::runtime_error("broken");
    return server_.receive(n, deadline);
  }
  void stop() noexcept { server_.stop(); }
  int native_handle() { return server_.native_handle(); }

  static inline std::atomic<bool> broken{false};

 private:
  udpbench::sync_server<probe> server_;
};

/** A sender of `flows` flows, and their numbers. */
struct many_flows {
  explicit many_flows(const udpbench::net::endpoint& to, std::uint16_t n = 64) : flows(n) {
    client.open(to, n);
  }
  /** One of each flow. */
  void operator()() { first += client.send({.first_sequence = first}, flows).sent / flows; }

  std::uint16_t flows;
  udpbench::sync_client<> client;
  std::uint64_t first = 0;
};

} // namespace

TEST_CASE("the members of a group are bound to one port, which the system may choose",
          "[servers]") {
  for_groups([](grouped& g) {
    for (const auto& local : {v4(), support::v6()}) {
      if (local == support::v6() && !support::usable(local)) continue;
      const auto bound = g.group.open(local);
      CHECK(bound.address() == local.address());
      CHECK(bound.port() != 0);
      for (std::size_t i = 0; i < threads_each; ++i)
        CHECK(udpbench::net::local_endpoint(g.group.native_handle(i)) == bound);
      CHECK(error_of([&] { g.group.open(v4()); }) == error::already_open);
      g.group.stop();
      CHECK(g.all_closed());
      // The same port again, by name.
      CHECK(g.group.open_each(std::span(&bound, 1)) == std::vector{bound});
      g.group.stop();
    }
  });
}

TEST_CASE("what many flows send reaches a group once, each flow in order at one member",
          "[servers]") {
  for_groups([](grouped& g) {
    for (const auto& local : {v4(), support::v6()}) {
      if (local == support::v6() && !support::usable(local)) continue;
      // By flow: of each member the numbers that came. Its own thread alone writes there.
      std::vector<std::map<std::uint16_t, std::vector<std::uint64_t>>> came(threads_each);
      for (std::size_t i = 0; i < threads_each; ++i)
        g.sinks[i].then = [&mine = came[i]](const udpbench::datagram& d) {
          mine[wire::load<std::uint16_t>(d.bytes.data() + wire::offset::flow)].push_back(
              wire::load<std::uint64_t>(d.bytes.data() + wire::offset::sequence));
        };
      const auto before = g.seen();
      many_flows send(g.group.open(local));
      g.group.start();
      constexpr std::uint64_t turns = 5;
      for (std::uint64_t turn = 1; turn <= turns; ++turn) {
        send();
        REQUIRE(eventually([&] { return g.seen() - before >= turn * send.flows; }));
      }
      g.group.stop();
      CHECK(!g.group.failure());
      CHECK(g.seen() - before == turns * send.flows);
      std::map<std::uint16_t, int> homes;
      int busy = 0;
      for (const auto& member : came) {
        busy += member.empty() ? 0 : 1;
        for (const auto& [flow, numbers] : member) {
          ++homes[flow];
          CHECK(numbers == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
        }
      }
      CHECK(busy > 1);
      CHECK(homes.size() == send.flows);
      CHECK(std::all_of(homes.begin(), homes.end(), [](const auto& h) { return h.second == 1; }));
    }
  });
}

TEST_CASE("a group has a thread for each of its members", "[servers]") {
  for_groups([](grouped& g) {
    CHECK(g.group.own_threads() == threads_each);
    CHECK(error_of([&] { g.group.start(); }) == error::not_open);
    g.group.open(v4());
    const auto before = threads();
    g.group.start();
    CHECK(threads() == before + threads_each);
    CHECK(error_of([&] { g.group.start(); }) == error::busy);
    g.group.stop();
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("a group counts what its members count", "[servers]") {
  using namespace udpbench;
  using hooked = memory::counting<memory::fixed_block<>>;
  const watchdog guard;
  grouped g(threads_each, [](probe& sink) {
    return any_receiver::make<async_server<probe, take::batch<>, hooked>>(sink);
  });
  many_flows send(g.group.open(v4()));
  g.group.start();
  send();
  REQUIRE(eventually([&] { return g.seen() == 64; }));
  g.group.stop();
  CHECK_FALSE(g.group.never_sleeps());
  CHECK(g.group.receive_errors() == 0u);
  REQUIRE(g.group.memory_use());
  CHECK(g.group.memory_use()->requests >= threads_each);
  const auto calls = g.group.receive_calls();
  REQUIRE(calls);
  CHECK(*calls <= 64);
  for (const auto& sizes : {g.group.datagrams_per_call(), g.group.datagrams_per_wakeup()}) {
    REQUIRE(sizes);
    std::uint64_t all = 0;
    for (const auto& [size, times] : sizes->buckets()) all += size * times;
    CHECK(all == 64);
  }
  CHECK(g.group.datagrams_per_call()->count() == *calls);

  grouped mixed(2, [i = 0](probe& sink) mutable {
    return i++ == 0 ? any_receiver::make<sync_server<probe, take::batch<>, idle::spin<>>>(sink)
                    : any_receiver::make<fragile>(sink);
  });
  CHECK(mixed.group.never_sleeps());
  CHECK_FALSE(mixed.group.receive_calls());
  CHECK_FALSE(mixed.group.memory_use());
}

TEST_CASE("a group takes one endpoint", "[servers]") {
  for_groups([](grouped& g) {
    const std::vector<udpbench::net::endpoint> two(2, v4());
    CHECK(error_of([&] { g.group.open_each(two); }) == error::socket_count);
    CHECK(error_of([&] { g.group.open_each({}); }) == error::socket_count);
    CHECK(g.all_closed());
  });
}

TEST_CASE("where a group's address is in use it is named, and none is left open", "[servers]") {
  for_groups([](grouped& g) {
    const auto holder = udpbench::net::open_receiver(v4());
    const auto taken = udpbench::net::local_endpoint(holder.get());
    const auto descriptors = open_descriptors();
    CHECK(mentions(text_of([&] { g.group.open(taken); }), text(taken)));
    CHECK(error_of([&] { g.group.open(taken); }) == boost::system::errc::address_in_use);
    CHECK(g.all_closed());
    CHECK(open_descriptors() == descriptors);
    many_flows send(g.group.open(v4()));
    g.group.start();
    send();
    CHECK(eventually([&] { return g.seen() == send.flows; }));
  });
}

TEST_CASE("a group of which a member can't be opened is left without any", "[servers]") {
  const watchdog guard;
  struct stubborn : fragile {
    using fragile::fragile;
    // It asks for nothing, and so can't have what others have.
    udpbench::net::endpoint open(const udpbench::net::endpoint& local,
                                 const udpbench::server_options&) {
      return fragile::open(local, {});
    }
  };
  const auto descriptors = open_descriptors();
  grouped g(threads_each, [](probe& sink) { return any_receiver::make<stubborn>(sink); });
  CHECK(error_of([&] { g.group.open(v4()); }) == boost::system::errc::address_in_use);
  CHECK(g.all_closed());
  CHECK(open_descriptors() == descriptors);
}

TEST_CASE("a group stops from every state, and may be opened again", "[servers]") {
  for_groups([](grouped& g) {
    const auto descriptors = open_descriptors();
    const auto before = threads();
    g.group.stop(); // never opened
    for (int i = 0; i < 30; ++i) {
      {
        many_flows send(g.group.open(v4()), 8);
        if (i % 3 != 0) g.group.start();
        if (i % 3 == 2) {
          const auto seen = g.seen();
          send();
          REQUIRE(eventually([&] { return g.seen() == seen + send.flows; }));
        }
        g.group.stop();
      }
      CHECK(g.all_closed());
    }
    CHECK(!g.group.failure());
    CHECK(open_descriptors() == descriptors);
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("a group stops while it is flooded, and takes nothing more", "[servers]") {
  for_groups([](grouped& g) {
    const auto bound = g.group.open(flood::address());
    flood traffic(bound);
    g.group.start();
    CHECK(eventually([&] { return g.seen() > 0; }));
    g.group.stop();
    const auto seen = g.seen();
    CHECK(g.all_closed());
    CHECK(g.seen() == seen);
  });
}

TEST_CASE("a stop inside one sink, or all of them at once, ends all threads of a group",
          "[servers]") {
  for_groups([](grouped& g) {
    const auto before = threads();
    for (probe& sink : g.sinks) sink.then = [&](const udpbench::datagram&) { g.group.stop(); };
    for (int i = 0; i < 5; ++i) {
      many_flows send(g.group.open(v4()));
      send(); // each member has something to stop at
      g.group.start();
      CHECK(eventually([&] { return threads() == before; }));
      // Asked to stop, but not closed.
      CHECK(g.group.native_handle(0) >= 0);
      g.group.stop();
      CHECK(g.all_closed());
    }
    CHECK(!g.group.failure());
  });
}

TEST_CASE("two threads stop a group at once, and the destructor stops it", "[servers]") {
  for_groups([](grouped& g) {
    const auto descriptors = open_descriptors();
    const auto before = threads();
    for (int i = 0; i < 3; ++i) {
      g.group.open(v4());
      g.group.start();
      std::jthread other([&] { g.group.stop(); });
      g.group.stop();
      CHECK(g.all_closed());
    }
    {
      probe sink;
      auto last = reuse_port_group::of<udpbench::sync_server<probe>>(std::span(&sink, 1));
      last.open(v4());
      last.start();
    }
    CHECK(open_descriptors() == descriptors);
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("what ends one thread is the group's failure, and the others go on", "[servers]") {
  const watchdog guard;
  grouped g(threads_each, [](probe& sink) { return any_receiver::make<fragile>(sink); });
  const auto before = threads();
  const auto bound = g.group.open(v4());
  fragile::broken = true;
  g.group.start();
  CHECK(eventually([&] { return g.group.failure() && threads() == before + threads_each - 1; }));
  CHECK_THROWS_WITH(std::rethrow_exception(g.group.failure()), "broken");
  many_flows send(bound);
  send();
  CHECK(eventually([&] { return g.seen() > 0; }));
  g.group.stop();
  CHECK(g.all_closed());
  g.group.open(v4());
  CHECK(!g.group.failure());
}
