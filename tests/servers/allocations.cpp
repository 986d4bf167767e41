/** @file
    How often servers allocate in the steady state. Sanitizers count for themselves, so there these tests are skipped.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "several.hpp"

#include "../support/skip.hpp"

#include <udpbench/measure/allocations.hpp>

#include <array>

#ifndef UDPBENCH_TEST_SANITIZED
#include <udpbench/measure/count_allocations.hpp>
#endif

using namespace servers;
using udpbench::measure::thread_allocations;

namespace {

/** Whether every operation is to come from the heap. */
bool uses_heap(const kind& k) { return k.name.find("heap") != std::string::npos; }

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
    constexpr std::uint64_t count = 300; // several slices
    const auto s = k.make();
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    s->sink.then = [&](const udpbench::datagram&) {
      if (s->sink.seen == 100) first = *thread_allocations();
      if (s->sink.seen == count) last = *thread_allocations();
    };
    sender send(s->open());
    s->start();
    for (std::uint64_t sent = 0; sent < count; sent += 50) {
      send(50);
      REQUIRE(eventually([&] { return s->sink.seen == sent + 50; }));
    }
    s->stop();
    if (uses_heap(k))
      CHECK(last > first);
    else
      CHECK(last == first);
  });
}

TEST_CASE("in the steady state several sockets allocate nothing, unless their memory is the heap",
          "[servers]") {
  if (!thread_allocations()) SKIP("allocations are not counted here");
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    std::array<std::uint64_t, sockets> first{};
    std::array<std::uint64_t, sockets> last{};
    for (std::size_t i = 0; i < sockets; ++i)
      s->sinks[i].then = [&, i](const udpbench::datagram&) {
        if (s->sinks[i].seen == 100) first[i] = *thread_allocations();
        if (s->sinks[i].seen == 200) last[i] = *thread_allocations();
      };
    const auto to = senders_to(s->open_each(anywhere()));
    s->start();
    for (std::uint64_t sent = 0; sent < 200; sent += 50) {
      for (const auto& send : to) send(50);
      REQUIRE(eventually([&] { return all_seen(*s, sent + 50); }));
    }
    s->stop();
    for (std::size_t i = 0; i < sockets; ++i) {
      if (uses_heap(k))
        CHECK(last[i] > first[i]);
      else
        CHECK(last[i] == first[i]);
    }
  });
}
