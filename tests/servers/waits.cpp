/** @file
    How an event loop waits, and how many datagrams come between two waits.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/sanitized.hpp"
#include "../support/skip.hpp"

#include <udpbench/event_loop.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/between_waits.hpp>
#include <udpbench/measure/waits.hpp>
#include <udpbench/net/features.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <sys/epoll.h>

#ifndef UDPBENCH_TEST_SANITIZED
#include <udpbench/measure/count_waits.hpp>
#endif

using namespace servers;
using udpbench::measure::between_waits;
using udpbench::measure::thread_waits;

namespace {

/** A context that finds as many handlers at each poll as `finds` says, then none until it is run, and is stopped by that. */
struct scripted_context {
  std::vector<std::size_t> finds;
  std::string calls;

  std::size_t poll() {
    const std::size_t i = polls++;
    calls += 'p';
    return i < finds.size() ? finds[i] : 0;
  }
  void run_one() { calls += 'r'; }
  bool stopped() const { return !calls.empty() && calls.back() == 'r'; }

  std::size_t polls = 0;
};

/** How many datagrams came together, and how often. */
using groups = udpbench::measure::buckets;

/** Whether the waits of Asio's reactor are counted here. */
bool counted_here() {
  return thread_waits() != nullptr && udpbench::net::features::backend == "epoll";
}

/** The servers whose receive calls Asio makes, one at a time of a context that one thread runs and that sleeps. */
std::vector<kind> counting_between_waits() {
  std::vector<kind> some;
  for (const kind& k : all()) {
    const auto has = [&](const char* part) { return k.name.find(part) != k.name.npos; };
    if ((has("async_server") || has("coroutine_server")) && has("take::one") &&
        !has("chain::several") && !has("event_loop::spin") && !has("event_loop::shared"))
      some.push_back(k);
  }
  CHECK_FALSE(some.empty());
  return some;
}

} // namespace

TEST_CASE("a hybrid loop waits after its polls in vain, and each handler has them begin again",
          "[servers]") {
  scripted_context idle;
  udpbench::event_loop::hybrid<3>::run(idle);
  CHECK(idle.calls == "pppr");
  scripted_context busy{{0, 0, 2, 0, 1, 0, 0, 0}, {}};
  udpbench::event_loop::hybrid<3>::run(busy);
  CHECK(busy.calls == "ppppppppr");
}

TEST_CASE("datagrams between two waits of their thread come together", "[servers]") {
  if (thread_waits() == nullptr) SKIP("waits are not counted here");
  const udpbench::net::descriptor epoll(::epoll_create1(0));
  epoll_event event{};
  const auto wait = [&](int milliseconds) {
    return ::epoll_wait(epoll.get(), &event, 1, milliseconds);
  };
  between_waits counted;
  counted.one(); // In no stretch.
  {
    const between_waits::stretch all(counted);
    counted.one();
    wait(0); // It only looks.
    counted.one();
    wait(1);
    wait(1); // Nothing came between these.
    counted.one();
    CHECK(counted.sizes().buckets() == groups{{2, 1}});
    counted.one();
    counted.one();
  }
  CHECK(counted.sizes().buckets() == groups{{2, 1}, {3, 1}});
}

TEST_CASE("an epoll_wait whose calls are counted is the C library's", "[servers]") {
  if (thread_waits() == nullptr) SKIP("waits are not counted here");
  epoll_event event{};
  const auto before = *thread_waits();
  CHECK(::epoll_wait(-1, &event, 1, 0) == -1);
  CHECK(errno == EBADF);
  CHECK(*thread_waits() == before);
  CHECK(::epoll_wait(-1, &event, 1, -1) == -1);
  CHECK(*thread_waits() == before + 1);
  std::uint64_t of_another = 1;
  std::thread([&] { of_another = *thread_waits(); }).join();
  CHECK(of_another == 0);
}

TEST_CASE("what is queued at a wake-up of Asio's comes together, and what comes later doesn't",
          "[servers]") {
  if (!counted_here()) SKIP("waits are not counted here");
  for_each(counting_between_waits(), [](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    send(3);
    CHECK(s->receive(3) == 3);
    CHECK(s->datagrams_per_wakeup() == groups{{3, 1}});
    // Of the first that wakes it the sink queues another three, before they are looked for.
    std::uint64_t wakes = s->sink.seen + 1;
    s->sink.then = [&](const udpbench::datagram&) {
      if (s->sink.seen == wakes) send(3);
    };
    receiving r(*s, 6);
    CHECK(r.is_blocked());
    send();
    CHECK(eventually([&] { return s->sink.seen == 3 + 4; }));
    for (std::uint64_t seen = 8; seen <= 9; ++seen) {
      CHECK(r.is_blocked());
      send();
      CHECK(eventually([&] { return s->sink.seen == seen; }));
    }
    CHECK(r.join() == 6);
    CHECK(s->datagrams_per_wakeup() == groups{{1, 2}, {3, 1}, {4, 1}});
  });
}

TEST_CASE("of several operations in flight each reads what there is, then all of them wait",
          "[servers]") {
  if (!counted_here()) SKIP("waits are not counted here");
  using eight = support::several_in_flight<probe, udpbench::memory::recycling>;
  const watchdog guard;
  const auto made = kind_of<eight>().make();
  subject& s = *made;
  const sender send(s.open());
  send(9);
  CHECK(s.receive(9) == 9);
  CHECK(s.datagrams_per_wakeup() == groups{{9, 1}});
  // The first is received by itself; the others are there when its operation starts again behind those in flight, and waits like them.
  s.sink.then = [&](const udpbench::datagram&) {
    if (s.sink.seen == 10) send(8);
  };
  receiving r(s, 9);
  CHECK(r.is_blocked());
  send();
  CHECK(r.join() == 9);
  CHECK(s.datagrams_per_wakeup() == groups{{1, 1}, {8, 1}, {9, 1}});
}
