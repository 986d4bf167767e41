/** @file
    Servers are opened, started and stopped many times, and leave nothing behind.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/skip.hpp"

#include <thread>

using namespace servers;

namespace {

/** One life of a server, from closed to closed; `turn` chooses what happens in it. False if a datagram got lost in it. */
bool live(subject& s, int turn) {
  const auto before = s.sink.seen.load();
  sender send(s.open());
  switch (turn % 5) {
  case 0: // Stopped as soon as it was started.
    s.start();
    s.stop();
    return true;
  case 1: // Never started.
    s.stop();
    return true;
  case 2: // Stopped under traffic.
    s.start();
    send(3);
    s.stop();
    return s.sink.seen <= before + 3;
  case 3: { // Two stops at once, between two datagrams.
    s.start();
    send();
    const bool came = eventually([&] { return s.sink.seen == before + 1; });
    std::jthread other([&] { s.stop(); });
    s.stop();
    return came;
  }
  default: // The caller's own receive.
    send(2);
    const bool came = s.receive(2) == 2;
    s.stop();
    return came;
  }
}

} // namespace

// A list of tests, so that each has a time limit of its own.
TEMPLATE_LIST_TEST_CASE("200 starts and stops leave no descriptor and no thread", "[servers]",
                        support::servers<probe>) {
  const kind k = kind_of<TestType>();
  INFO(k.name);
  if (!lacking(k).empty()) SKIP(k.name << ": " << lacking(k));
  const watchdog guard;
  const auto s = k.make();
  const auto descriptors = open_descriptors();
  const auto threads_before = threads();
  int lost = 0;
  for (int turn = 0; turn < 200; ++turn) lost += live(*s, turn) ? 0 : 1;
  CHECK(lost == 0);
  CHECK(!s->failure());
  CHECK(open_descriptors() == descriptors);
  // A joined thread leaves /proc a moment later, as may one of those before.
  CHECK(eventually([&] { return threads() <= threads_before; }));
}

TEST_CASE("a server that is opened for the hundredth time works as at the first", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    const auto descriptors = open_descriptors();
    int failed = 0;
    for (int i = 0; i < 100; ++i) {
      sender(s->open())(2);
      failed += s->receive(1) == 1 && s->receive(1) == 1 ? 0 : 1;
      s->stop();
    }
    CHECK(failed == 0);
    CHECK(s->sink.seen == 200);
    CHECK(open_descriptors() == descriptors);
  });
}

TEST_CASE("what was queued before a stop is not received after it", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender(s->open())(5);
    REQUIRE(s->receive(1) == 1);
    s->stop();
    sender(s->open())();
    CHECK(s->receive(1) == 1);
    CHECK(s->receive(1, past()) == 0);
  });
}
