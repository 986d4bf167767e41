/** @file
    How often servers allocate in the steady state. Sanitizers count for themselves, so there these tests are skipped.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "several.hpp"

#include "../support/skip.hpp"

#include <udpbench/measure/allocations.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#ifndef UDPBENCH_TEST_SANITIZED
#include <udpbench/measure/count_allocations.hpp>
#endif

using namespace servers;
using udpbench::measure::thread_allocations;

namespace {

/** Whether every operation is to come from the heap. */
bool uses_heap(const kind& k) {
  return mentions(k.name, "heap") || mentions(k.name, "std::allocator");
}

/** Datagrams of a stretch over which a thread's allocations are counted, and how many stretches there may be: the steady state begins
    after the first tick of a server's timer, whenever that is. */
constexpr std::uint64_t stretch = 100;
constexpr std::uint64_t stretches = 10;

/** Counts the allocations of the thread that calls it from one stretch to the next. */
struct stretch_counter {
  std::uint64_t before = 0;
  std::uint64_t fewest = ~std::uint64_t{0};

  void operator()(std::uint64_t seen) {
    if (seen % stretch != 0) return;
    const auto now = *thread_allocations();
    // The first is the thread's start, too.
    if (seen > stretch) fewest = std::min(fewest, now - before);
    before = now;
  }
};

} // namespace

TEST_CASE("in the steady state receive allocates nothing, unless its memory is the heap",
          "[servers]") {
  if (!thread_allocations()) SKIP("allocations are not counted here");
  for_all([](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    const support::bytes payload(64);
    std::size_t got = 0;
    const auto turns = [&] {
      for (int i = 0; i < 30; ++i) {
        send(payload);
        send(payload);
        send(payload);
        got += s->receive(2, soon());
        got += s->receive(1, soon());
        // Without a datagram, so that the tick has its turn.
        if (i % 10 == 0) got += s->receive(1, past());
      }
    };
    turns();
    const auto before = *thread_allocations();
    turns();
    const auto allocations = *thread_allocations() - before;
    CHECK(got == 2 * 90);
    if (uses_heap(k))
      CHECK(allocations >= 60);
    else
      CHECK(allocations == 0);
  });
}

TEST_CASE(
    "in the steady state a server's own thread allocates nothing, unless its memory is the heap",
    "[servers]") {
  if (!thread_allocations()) SKIP("allocations are not counted here");
  for_all([](const kind& k) {
    const auto s = k.make();
    stretch_counter allocations;
    s->sink.then = [&](const udpbench::datagram&) { allocations(s->sink.seen); };
    sender send(s->open());
    s->start();
    for (std::uint64_t sent = 0; sent < stretches * stretch; sent += 50) {
      send(50);
      REQUIRE(eventually([&] { return s->sink.seen == sent + 50; }));
    }
    s->stop();
    if (uses_heap(k))
      CHECK(allocations.fewest > 0);
    else
      CHECK(allocations.fewest == 0);
  });
}

TEST_CASE("in the steady state several sockets allocate nothing, unless their memory is the heap",
          "[servers]") {
  if (!thread_allocations()) SKIP("allocations are not counted here");
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    std::array<stretch_counter, sockets> allocations;
    for (std::size_t i = 0; i < sockets; ++i)
      s->sinks[i].then = [&, i](const udpbench::datagram&) { allocations[i](s->sinks[i].seen); };
    const auto to = senders_to(s->open_each(anywhere()));
    s->start();
    for (std::uint64_t sent = 0; sent < stretches * stretch; sent += 50) {
      for (const auto& send : to) send(50);
      REQUIRE(eventually([&] { return all_seen(*s, sent + 50); }));
    }
    s->stop();
    for (const auto& each : allocations) {
      if (uses_heap(k))
        CHECK(each.fewest > 0);
      else
        CHECK(each.fewest == 0);
    }
  });
}
