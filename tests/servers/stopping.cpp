/** @file
    Stop returns, soon, from every state.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include <boost/thread/thread.hpp>

#include <thread>

using namespace servers;

namespace {

/** Stops servers and keeps the longest time that it took. Threads: any. */
class stop_watch {
 public:
  template <class Stop>
  void time(Stop stop) noexcept {
    const auto begin = clock::now();
    stop();
    const std::chrono::nanoseconds took = clock::now() - begin;
    auto longest = longest_.load();
    while (longest < took && !longest_.compare_exchange_weak(longest, took)) {
    }
  }
  void operator()(subject& s) noexcept {
    time([&s]() noexcept { s.stop(); });
  }

  void check() const {
    const std::chrono::duration<double, std::milli> longest = longest_.load();
    INFO("longest stop: " << longest.count() << " ms");
    CHECK(longest < patience);
  }

 private:
  std::atomic<std::chrono::nanoseconds> longest_{0ns};
};

void check_closed(subject& s) {
  CHECK(s.native_handle() == -1);
  CHECK(s.receive(1) == 0);
  CHECK(error_of([&] { s.start(); }) == udpbench::error::not_open);
}

} // namespace

TEST_CASE("stopping what was never opened does nothing", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    stop(*s);
    stop(*s);
    stop.check();
    check_closed(*s);
  });
}

TEST_CASE("a server that is open and idle stops, also twice", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    s->open();
    CHECK(s->native_handle() >= 0);
    stop(*s);
    check_closed(*s);
    stop(*s);
    check_closed(*s);
    stop.check();
  });
}

TEST_CASE("a server that is open stops with datagrams unread", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    sender(s->open())(3);
    REQUIRE(support::wait_for(s->native_handle(), POLLIN));
    stop(*s);
    stop.check();
    CHECK(s->sink.seen == 0);
  });
}

TEST_CASE("a server stops at whatever moment after its start, before the first datagram",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    for (int moment = 0; moment < 10; ++moment) {
      s->open();
      s->start();
      for (int i = 0; i < moment; ++i) std::this_thread::yield();
      stop(*s);
    }
    stop.check();
    CHECK(!s->failure());
    check_closed(*s);
  });
}

TEST_CASE("a server stops while its own thread waits for the next datagram", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    sender send(s->open());
    s->start();
    send();
    REQUIRE(eventually([&] { return s->sink.seen == 1; }));
    stop(*s);
    stop.check();
    CHECK(s->sink.seen == 1);
  });
}

TEST_CASE("a server stops while its own thread is flooded", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    const flood traffic(s->open(flood::address()));
    s->start();
    REQUIRE(eventually([&] { return s->sink.seen > 0; }));
    stop(*s);
    const auto seen = s->sink.seen.load();
    stop.check();
    check_closed(*s);
    CHECK(s->sink.seen == seen);
  });
}

TEST_CASE("stop ends a receive that is blocked in another thread", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    s->open();
    receiving other(*s, 1);
    REQUIRE(other.is_blocked());
    stop(*s);
    CHECK(other.join() == 0);
    stop.check();
    check_closed(*s);
  });
}

TEST_CASE("stop ends a receive that is flooded in another thread, and returns after it",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    const flood traffic(s->open(flood::address()));
    receiving other(*s);
    REQUIRE(eventually([&] { return s->sink.seen > 0; }));
    stop(*s);
    const auto seen = s->sink.seen.load();
    CHECK(other.join() == seen);
    stop.check();
  });
}

TEST_CASE("stop waits for as long as the sink takes", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    gate leave;
    std::atomic<bool> stopped{false};
    s->sink.then = [&](const udpbench::datagram&) { leave.pass(); };
    sender(s->open())();
    receiving other(*s, 1);
    REQUIRE(eventually([&] { return s->sink.seen == 1; }));
    std::atomic<pid_t> tid{0};
    std::jthread stopper([&] {
      tid = ::gettid();
      s->stop();
      stopped = true;
    });
    CHECK(eventually([&] { return tid != 0 && asleep(tid); }));
    CHECK(!stopped);
    CHECK(s->native_handle() >= 0);
    leave.open();
    CHECK(other.join() == 1);
    stopper.join();
    check_closed(*s);
  });
}

TEST_CASE("two threads stop a server at once, and both return when it is stopped", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    std::atomic<int> closed{0};
    const auto stop_it = [&] {
      stop(*s);
      closed += s->native_handle() == -1 ? 1 : 0;
    };
    for (int i = 0; i < 10; ++i) {
      s->open();
      if (i % 2 == 0) s->start();
      std::jthread other(stop_it);
      stop_it();
    }
    stop.check();
    CHECK(closed == 20);
  });
}

TEST_CASE("of two stops at once one closes, and the other waits for that", "[servers]") {
  const watchdog guard;
  udpbench::lifecycle life;
  gate leave;
  std::atomic<bool> closing{false};
  std::atomic<bool> closed{false};
  std::atomic<int> closed_again{0};
  std::atomic<bool> returned_early{false};
  std::atomic<pid_t> tid{0};
  life.open([] {});
  std::jthread first([&] {
    life.stop([&]() noexcept {
      closing = true;
      leave.pass();
      closed = true;
    });
  });
  CHECK(eventually([&] { return closing.load(); }));
  std::jthread second([&] {
    tid = ::gettid();
    life.stop([&]() noexcept { ++closed_again; });
    returned_early = !closed;
  });
  // Until it waits, or has wrongly returned.
  CHECK(eventually([&] { return (tid != 0 && asleep(tid)) || returned_early; }));
  leave.open();
  first.join();
  second.join();
  CHECK(closed_again == 0);
  CHECK(!returned_early);
}

TEST_CASE("a stop inside the sink only asks, and a later one completes it", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    stop_watch stop;
    sender send(s->open());
    s->sink.then = [&](const udpbench::datagram&) { stop(*s); };
    send();
    CHECK(s->receive(10) == 1);
    // Asked to stop, but not closed.
    CHECK(s->native_handle() >= 0);
    send();
    CHECK(s->receive(1) == 0);
    CHECK(error_of([&] { s->start(); }) == udpbench::error::not_open);
    stop(*s);
    check_closed(*s);
    stop.check();
  });
}

TEST_CASE("a stop inside the sink of another server only asks, too, if its own is around that",
          "[servers]") {
  for_all([](const kind& k) {
    const auto outer = k.make();
    const auto inner = k.make();
    sender to_inner(inner->open());
    std::size_t got = 0;
    inner->sink.then = [&](const udpbench::datagram&) { outer->stop(); };
    outer->sink.then = [&](const udpbench::datagram&) {
      to_inner();
      got = inner->receive(1);
    };
    sender(outer->open())();
    CHECK(outer->receive(10) == 1);
    CHECK(got == 1);
    CHECK(outer->native_handle() >= 0);
    outer->stop();
    CHECK(outer->native_handle() == -1);
  });
}

TEST_CASE("a stop inside the sink ends the server's own thread", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    const auto before = threads();
    sender send(s->open());
    s->sink.then = [&](const udpbench::datagram&) { s->stop(); };
    s->start();
    CHECK(threads() == before + 1);
    send();
    CHECK(eventually([&] { return threads() == before; }));
    CHECK(s->native_handle() >= 0);
    s->stop();
    CHECK(!s->failure());
    check_closed(*s);
  });
}

TEST_CASE("open completes a stop that was asked for inside the sink", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    s->sink.then = [&](const udpbench::datagram&) { s->stop(); };
    send();
    REQUIRE(s->receive(10) == 1);
    s->sink.then = {};
    sender again(s->open());
    again();
    CHECK(s->receive(1) == 1);
  });
}

TEST_CASE("the destructor stops the server's own thread", "[servers]") {
  for_all([](const kind& k) {
    const auto before = threads();
    const auto descriptors = open_descriptors();
    stop_watch stop;
    auto s = k.make();
    sender send(s->open());
    s->start();
    send();
    REQUIRE(eventually([&] { return s->sink.seen == 1; }));
    stop.time([&s]() noexcept { s.reset(); });
    stop.check();
    CHECK(eventually([&] { return threads() == before; }));
    CHECK(open_descriptors() == descriptors + 1); // the sender's
  });
}

TEST_CASE("the destructor ends a receive in another thread and waits for it", "[servers]") {
  for_all([](const kind& k) {
    stop_watch stop;
    auto s = k.make();
    s->open();
    receiving other(*s);
    REQUIRE(other.is_blocked());
    stop.time([&s]() noexcept { s.reset(); });
    CHECK(other.join() == 0);
    stop.check();
  });
}

TEST_CASE("an interruption of the stopping or the receiving thread changes nothing", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    gate leave;
    s->sink.then = [&](const udpbench::datagram&) { leave.pass(); };
    sender(s->open())();
    std::size_t got = 0;
    bool returned = false;
    boost::thread receiver([&] { got = s->receive(1); });
    REQUIRE(eventually([&] { return s->sink.seen == 1; }));
    std::atomic<pid_t> tid{0};
    boost::thread stopper([&] {
      tid = ::gettid();
      s->stop();
      returned = true;
    });
    CHECK(eventually([&] { return tid != 0 && asleep(tid); }));
    receiver.interrupt();
    stopper.interrupt();
    leave.open();
    receiver.join();
    stopper.join();
    CHECK(got == 1);
    CHECK(returned);
    check_closed(*s);
  });
}

TEST_CASE("a stop that was overtaken by a reopening returns nevertheless", "[servers]") {
  // The lifecycle alone, where a round takes microseconds: of two that stop, one closes, and a third opens again and stays
  // inside before the other has woken up.
  const watchdog guard;
  udpbench::lifecycle life;
  const auto close = []() noexcept {};
  std::size_t hung = 0;
  life.open([] {});
  for (int round = 0; round < 1000 && hung == 0; ++round) {
    gate go;
    gate leave;
    std::atomic<bool> inside{false};
    std::atomic<int> returned{0};
    std::jthread receiver([&] {
      {
        const udpbench::lifecycle::stay first(life);
        inside = true;
        while (!life.stopping()) std::this_thread::yield();
      }
      life.stop(close);
      life.open([] {});
      const udpbench::lifecycle::stay second(life);
      leave.pass();
    });
    const auto stop = [&] {
      go.pass();
      life.stop(close);
      ++returned;
    };
    std::jthread a(stop);
    std::jthread b(stop);
    while (!inside) std::this_thread::yield();
    go.open();
    // One of them may be late enough to mean the second stay.
    const auto end = clock::now() + patience;
    while (returned != 2 && !(returned == 1 && life.stopping()) && clock::now() < end)
      std::this_thread::yield();
    hung += returned == 2 || life.stopping() ? 0 : 1;
    leave.open();
    receiver.join();
    a.join();
    b.join();
    life.stop(close);
    life.open([] {});
  }
  CHECK(hung == 0);
}
