/** @file
    What `receive(n, deadline)` promises.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/skip.hpp"

#include <udpbench/measure/ledger.hpp>
#include <udpbench/sync_client.hpp>

#include <csignal>
#include <thread>

#include <pthread.h>

using namespace servers;

TEST_CASE("receive gives exactly n", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender(s->open())(80);
    CHECK(s->receive(37) == 37);
    CHECK(s->sink.seen == 37);
    CHECK(s->receive(43) == 43);
    CHECK(s->sink.seen == 80);
  });
}

TEST_CASE("of three datagrams receive gives two and then one", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender(s->open())(3);
    CHECK(s->receive(2) == 2);
    CHECK(s->receive(1) == 1);
    CHECK(s->sink.seen == 3);
  });
}

TEST_CASE("receive waits for datagrams that are yet to come", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    receiving other(*s, 2);
    REQUIRE(other.is_blocked());
    send();
    REQUIRE(eventually([&] { return s->sink.seen == 1; }));
    CHECK(!other.is_done());
    send();
    CHECK(other.join() == 2);
  });
}

TEST_CASE("receiving nothing returns at once and leaves what is queued", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender(s->open())();
    CHECK(s->receive(0) == 0);
    CHECK(s->receive(0, past()) == 0);
    CHECK(s->sink.seen == 0);
    CHECK(s->receive(1) == 1);
  });
}

TEST_CASE("receive leaves no operation that would take a later datagram", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    const auto queued = [&] { return support::receive(s->native_handle()); };
    send(support::pattern(10, 1));
    send(support::pattern(10, 2));
    REQUIRE(s->receive(1) == 1);
    CHECK(queued() == support::pattern(10, 2));
    // Nor does a receive that its deadline has ended.
    CHECK(s->receive(1, past()) == 0);
    send(support::pattern(10, 3));
    CHECK(queued() == support::pattern(10, 3));
    CHECK(support::drained(s->native_handle()));
    CHECK(s->receive(1, past()) == 0);
    CHECK(s->sink.seen == 1);
  });
}

TEST_CASE("a deadline in the past returns with what one receive call finds", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    CHECK(s->receive(5, past()) == 0);
    for (int i = 0; i < 8; ++i) {
      send();
      REQUIRE(support::wait_for(s->native_handle(), POLLIN));
      CHECK(s->receive(5, past()) == 1);
    }
    CHECK(s->sink.seen == 8);
  });
}

TEST_CASE("a deadline ends a receive that is waiting, which is no error", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender(s->open())(3);
    CHECK(s->receive(5, clock::now() + udpbench::server_tick) == 3);
    CHECK(s->receive(5, past()) == 0);
    CHECK(s->receive_errors() == 0);
  });
}

TEST_CASE("a deadline ends a receive under a steady stream", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    const flood traffic(s->open(flood::address()));
    const auto got = s->receive(SIZE_MAX, clock::now() + udpbench::server_tick);
    CHECK(got == s->sink.seen);
    // Once more, in the pace of the stream.
    CHECK(got + s->receive(SIZE_MAX, past()) == s->sink.seen);
  });
}

TEST_CASE("no datagram is lost around deadlines", "[servers]") {
  for_all([](const kind& k) {
    constexpr std::uint64_t all_sent = 1000;
    const auto s = k.make();
    udpbench::measure::ledger ledger;
    ledger.begin(7, 1);
    s->sink.then = [&](const udpbench::datagram& d) { ledger(d); };
    const auto local = s->open();
    std::jthread other([&s, local] {
      udpbench::sync_client<> client;
      client.open(local);
      // Never more on the way than the smallest receive buffer holds.
      for (std::uint64_t sent = 0; sent < all_sent; ++sent) {
        eventually([&] { return s->sink.seen + 32 > sent; });
        client.send({.run = 7, .round = 1, .size = 64, .first_sequence = sent}, 1);
      }
    });
    std::uint64_t got = 0;
    const auto end = soon();
    while (got < all_sent && clock::now() < end) got += s->receive(3, past());
    CHECK(got == all_sent);
    CHECK(ledger.counts().unique == all_sent);
    CHECK(ledger.counts().total() == all_sent);
  });
}

TEST_CASE("foreign, late, repeated and overtaken datagrams are each counted as what they are",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    udpbench::measure::ledger books(2);
    books.begin(7, 2);
    s->sink.then = [&](const udpbench::datagram& d) { books(d); };
    const auto local = s->open();
    const sender one(local);
    const sender another(local);
    const auto numbered = [](std::uint16_t flow, std::uint16_t round, std::uint64_t i) {
      return support::numbered({.flow = flow, .round = round, .run = 7, .sequence = i}, 64);
    };
    one(numbered(0, 2, 0));
    another(numbered(1, 2, 0));
    one(support::pattern(64)); // no header
    another(support::numbered({.round = 2, .run = 8, .sequence = 1}, 64));
    one(numbered(0, 1, 5)); // of the round before
    one(numbered(0, 2, 2));
    one(numbered(0, 2, 1)); // overtaken
    another(numbered(1, 2, 0));
    another(numbered(0, 2, 1)); // a copy by another way
    CHECK(s->receive(9) == 9);
    CHECK(books.counts().unique == 4);
    CHECK(books.counts().foreign == 2);
    CHECK(books.counts().late == 1);
    CHECK(books.counts().reordered == 1);
    CHECK(books.counts().duplicate == 2);
    CHECK(books.counts().old == 0);
    CHECK(books.counts().bytes == 4 * 64);
    CHECK(s->receive_errors() == 0);
  });
}

namespace {

/** Gives each datagram three times, as GRO gives several by one call. */
class threefold {
 public:
  void prepare(std::size_t largest) { single_.prepare(largest); }

  template <udpbench::datagram_sink Sink>
  std::size_t operator()(int fd, std::size_t n, udpbench::take::wait w, Sink& sink,
                         udpbench::error_code& ec) noexcept {
    auto thrice = [&](const udpbench::datagram& d) noexcept {
      for (int i = 0; i < 3; ++i) sink(d);
    };
    return 3 * single_(fd, n, w, thrice, ec);
  }

 private:
  udpbench::take::one single_;
};

} // namespace

TEST_CASE("a take that gives more than was asked for ends its receive, and all is counted",
          "[servers]") {
  const auto kinds = kinds_of(support::types<udpbench::raw_server<probe, threefold>,
                                             udpbench::sync_server<probe, threefold>,
                                             udpbench::async_server<probe, threefold>>{});
  for_each(kinds, [](const kind& k) {
    const auto s = k.make();
    sender(s->open())(3);
    CHECK(s->receive(1) == 3);
    CHECK(s->receive(4) == 6);
    CHECK(s->sink.seen == 9);
  });
}

TEST_CASE("two senders are received alike", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    std::array<int, 2> by{};
    s->sink.then = [&](const udpbench::datagram& d) { ++by.at(d.length); };
    const auto local = s->open();
    const sender a(local);
    const sender b(local);
    for (int i = 0; i < 20; ++i) {
      a(1, 0);
      b(1, 1);
    }
    CHECK(s->receive(40) == 40);
    CHECK(by[0] == 20);
    CHECK(by[1] == 20);
  });
}

TEST_CASE("the loopback of IPv6 is as good", "[servers]") {
  if (!support::usable(support::v6())) SKIP("this host has no ::1");
  for_all([](const kind& k) {
    const auto s = k.make();
    const auto local = s->open(support::v6());
    CHECK(local.address().is_v6());
    sender send(local);
    send(3);
    CHECK(s->receive(2) == 2);
    s->start();
    send();
    CHECK(eventually([&] { return s->sink.seen == 4; }));
  });
}

TEST_CASE("an error of the socket is counted and gone on with", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    const auto local = s->open();
    const auto connect = [](int fd, const udpbench::net::endpoint& to) {
      return ::connect(fd, to.data(), static_cast<socklen_t>(to.size())) == 0;
    };
    const auto send = [](int fd) { return ::send(fd, "", 0, 0) == 0; };
    // A peer that hears itself alone refuses what others send, and who sent it is told so by the next receive (ECONNREFUSED).
    const auto peer = udpbench::net::open_receiver(v4());
    const auto peer_at = udpbench::net::local_endpoint(peer.get());
    REQUIRE(connect(peer.get(), peer_at));
    REQUIRE(connect(s->native_handle(), peer_at));
    REQUIRE(send(s->native_handle()));
    REQUIRE(support::wait_for(s->native_handle(), 0));
    receiving other(*s, 1);
    REQUIRE(other.is_blocked());
    REQUIRE(send(s->native_handle()));
    REQUIRE(connect(peer.get(), local));
    REQUIRE(send(peer.get()));
    CHECK(other.join() == 1);
    CHECK(s->receive_errors() >= 1);
    CHECK(s->receive_errors() <= 2);
  });
}

TEST_CASE("a signal neither ends a receive nor counts as an error", "[servers]") {
  static std::atomic<int> handled;
  for_all([](const kind& k) {
    handled = 0;
    struct sigaction action{};
    struct sigaction before{};
    action.sa_handler = [](int) { ++handled; };
    REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);
    const auto s = k.make();
    sender send(s->open());
    receiving other(*s, 1);
    for (int i = 1; i <= 5; ++i) {
      REQUIRE(other.is_blocked());
      ::pthread_kill(other.handle(), SIGUSR1);
      REQUIRE(eventually([&] { return handled == i; }));
    }
    CHECK(!other.is_done());
    send();
    CHECK(other.join() == 1);
    CHECK(s->receive_errors() == 0);
    ::sigaction(SIGUSR1, &before, nullptr);
  });
}

TEST_CASE("a server's own thread receives all that comes", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    s->start();
    for (std::uint64_t sent = 0; sent < 300; sent += 100) {
      send(100);
      REQUIRE(eventually([&] { return s->sink.seen == sent + 100; }));
    }
    s->stop();
    CHECK(s->sink.seen == 300);
    CHECK(!s->failure());
  });
}
