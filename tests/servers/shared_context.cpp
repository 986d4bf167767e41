/** @file
    Several threads of a server that run one context together: one handler at a time, nothing lost, and all of them stop.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "exhausted.hpp"
#include "subject.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/server.hpp>

#include <set>

#include <unistd.h>

using namespace servers;
using udpbench::any_server;
using udpbench::error;
namespace event_loop = udpbench::event_loop;
namespace memory = udpbench::memory;
namespace take = udpbench::take;

namespace {

constexpr std::size_t together = 3;

template <class Take, class Memory = memory::recycling>
using shared =
    udpbench::async_server<probe, Take, Memory, udpbench::chain::single, event_loop::shared>;

/** A server of several threads and one sink. */
struct crewed {
  explicit crewed(const std::function<any_server(probe&)>& make) : server(make(sink)) {}

  udpbench::net::endpoint open(const udpbench::net::endpoint& local = v4()) {
    return server.open_each(std::span(&local, 1)).front();
  }
  bool closed() {
    return server.native_handle(0) == -1 && error_of([&] { server.start(); }) == error::not_open;
  }

  probe sink;
  any_server server;
};

template <class Server>
any_server made(probe& sink) {
  return any_server::make<Server>(sink, together);
}

template <class Test>
void for_crews(Test test) {
  for (const auto& [name, make] : {std::pair{"one", &made<shared<take::one>>},
                                   std::pair{"batch", &made<shared<take::batch<>>>}})
    DYNAMIC_SECTION(name) {
      const watchdog guard;
      crewed c(make);
      test(c);
    }
}

/** Sends one after the other, each when the last was seen. */
void send_and_see(crewed& c, const sender& send, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto before = c.sink.seen.load();
    send();
    REQUIRE(eventually([&] { return c.sink.seen == before + 1; }));
  }
}

} // namespace

TEST_CASE("so many threads run one context as the server was made with", "[servers]") {
  for_crews([](crewed& c) {
    CHECK(c.server.own_threads() == together);
    CHECK(error_of([&] { c.server.start(); }) == error::not_open);
    c.open();
    const auto before = threads();
    c.server.start();
    CHECK(threads() == before + together);
    CHECK(error_of([&] { c.server.start(); }) == error::busy);
    c.server.stop();
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("threads that share a context take turns, one of them at the sink at a time",
          "[servers]") {
  for_crews([](crewed& c) {
    // Neither is safe for several threads at once: each finds what the last one left.
    std::uint64_t count = 0;
    std::set<std::thread::id> who;
    std::atomic<int> inside{0};
    std::atomic<bool> crowded{false};
    std::atomic<std::size_t> people{0};
    c.sink.then = [&](const udpbench::datagram&) {
      if (++inside != 1) crowded = true;
      ++count;
      who.insert(std::this_thread::get_id());
      people = who.size();
      --inside;
    };
    const sender send(c.open());
    c.server.start();
    std::uint64_t sent = 0;
    CHECK(eventually([&] {
      // While there is something to receive one thread may go on for ever; the next is whoever waits.
      if (sent == c.sink.seen) {
        send(8);
        sent += 8;
      }
      return people > 1;
    }));
    CHECK(eventually([&] { return c.sink.seen == sent; }));
    c.server.stop();
    CHECK(count == sent);
    CHECK_FALSE(crowded);
    CHECK(!c.server.failure());
  });
}

TEST_CASE("what a server of several threads has taken from its socket reaches the sink, though it "
          "is stopped",
          "[servers]") {
  for_crews([](crewed& c) {
    const auto before = threads();
    gate held;
    std::atomic<bool> begun{false};
    c.sink.then = [&](const udpbench::datagram&) {
      if (!begun.exchange(true)) held.pass();
    };
    const sender send(c.open());
    const udpbench::net::descriptor still_open(::dup(c.server.native_handle(0)));
    constexpr std::uint64_t sent = 10;
    send(sent);
    c.server.start();
    CHECK(eventually([&] { return begun.load(); }));
    std::jthread stopping([&] { c.server.stop(); });
    // The others have seen the stop, and left; beside these two there is the one in the sink.
    CHECK(eventually([&] { return threads() == before + 2; }));
    held.open();
    stopping.join();
    std::uint64_t left = 0;
    for (; !support::drained(still_open.get()); ++left) support::receive(still_open.get());
    CHECK(c.sink.seen + left == sent);
  });
}

TEST_CASE("a server of several threads stops from every state, and may be opened again",
          "[servers]") {
  for_crews([](crewed& c) {
    const auto descriptors = open_descriptors();
    const auto before = threads();
    c.server.stop(); // never opened
    for (int i = 0; i < 30; ++i) {
      {
        const sender send(c.open());
        if (i % 3 != 0) c.server.start();
        if (i % 3 == 2) send_and_see(c, send, 2);
        c.server.stop();
      }
      CHECK(c.closed());
    }
    CHECK(!c.server.failure());
    CHECK(open_descriptors() == descriptors);
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("a server of several threads stops while it is flooded", "[servers]") {
  for_crews([](crewed& c) {
    flood traffic(c.open(flood::address()));
    c.server.start();
    CHECK(eventually([&] { return c.sink.seen > 0; }));
    c.server.stop();
    const auto seen = c.sink.seen.load();
    CHECK(c.closed());
    CHECK(c.sink.seen == seen);
  });
}

TEST_CASE("a stop inside the sink ends all threads that share a context", "[servers]") {
  for_crews([](crewed& c) {
    const auto before = threads();
    c.sink.then = [&](const udpbench::datagram&) { c.server.stop(); };
    for (int i = 0; i < 3; ++i) {
      const sender send(c.open());
      c.server.start();
      send();
      CHECK(eventually([&] { return threads() == before; }));
      // Asked to stop, but not closed.
      CHECK(c.server.native_handle(0) >= 0);
      std::jthread other([&] { c.server.stop(); });
      c.server.stop();
      CHECK(c.closed());
    }
    CHECK(!c.server.failure());
  });
}

TEST_CASE("a server for several threads receives on a thread of the caller, too", "[servers]") {
  const watchdog guard;
  probe sink;
  shared<take::one> server(sink, together);
  const sender send(server.open(v4()));
  send(5);
  CHECK(server.receive(3, soon()) == 3);
  CHECK(server.receive(5, clock::now()) <= 2);
  server.start();
  CHECK(error_of([&] { server.receive(1, soon()); }) == error::busy);
  send(5);
  CHECK(eventually([&] { return sink.seen == 10; }));
  server.stop();
  CHECK(!server.failure());
}

TEST_CASE("what the handler memory throws ends one of several threads, and is the failure",
          "[servers]") {
  const watchdog guard;
  probe sink;
  const auto before = threads();
  shared<take::one, exhausted> server(sink, together);
  // At the first operation, or at a later one.
  for (const int fuse : {1, 2, 3}) {
    exhausted::fuse = fuse;
    const sender send(server.open(v4()));
    server.start();
    send(5);
    CHECK(eventually([&] { return is_bad_alloc(server.failure()); }));
    CHECK(eventually([&] { return threads() == before + together - 1; }));
    server.stop();
    CHECK(eventually([&] { return threads() == before; }));
    CHECK(server.native_handle() == -1);
  }
  const auto seen = sink.seen.load();
  const sender send(server.open(v4()));
  CHECK(!server.failure());
  server.start();
  send();
  CHECK(eventually([&] { return sink.seen == seen + 1; }));
}
