/** @file
    A window, with a receiver that the test is.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/pace/window.hpp>

#include "catch.hpp"
#include "manual_clock.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>

using namespace std::chrono_literals;
namespace pace = udpbench::pace;

namespace {

/** What happens while the sender yields. */
struct world {
  support::manual_clock clock;
  std::atomic<std::uint64_t> received{0};
  std::function<void()> meanwhile;
  int yields = 0;
};

struct shown_time {
  using duration = support::manual_clock::duration;
  using time_point = support::manual_clock::time_point;
  world* in;
  time_point now() noexcept { return in->clock.now(); }
};

struct other_thread {
  world* in;
  void operator()() const {
    if (++in->yields > 200'000) throw std::length_error("this waiting has no end");
    in->clock.time += 1ms;
    if (in->meanwhile) in->meanwhile();
  }
};

using windowed = pace::window<shown_time, other_thread>;

windowed of(world& w, std::uint64_t size) {
  windowed window(size, {&w}, {&w});
  window.follow(&w.received);
  window.begin();
  return window;
}

} // namespace

TEST_CASE("no more datagrams are in flight than the window has room for", "[pace]") {
  for (const std::uint64_t size : {1u, 2u, 63u, 64u, 1000u})
    for (const std::size_t most : {1u, 44u, 64u}) {
      world w;
      std::uint64_t sent = 0;
      std::uint64_t seed = size;
      w.meanwhile = [&] {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        w.received += (seed >> 33) % (sent - w.received + 1);
      };
      auto window = of(w, size);
      bool was_full = false;
      while (sent < 5000) {
        const auto admitted = window.admit(sent, most);
        REQUIRE(admitted.count >= 1);
        REQUIRE(admitted.count <= most);
        sent += admitted.count;
        CAPTURE(size, most, sent);
        REQUIRE(sent - w.received <= size);
        was_full = was_full || sent - w.received == size;
      }
      CHECK(was_full);
      CHECK_FALSE(window.gave_up());
      CHECK(window.waited_share() > 0);
    }
}

TEST_CASE("a full window yields, so that a receiver on the same cpu can empty it", "[pace]") {
  world w;
  auto window = of(w, 4);
  CHECK(window.admit(0, 64).count == 4);
  CHECK(w.yields == 0);
  CHECK(window.waited_share() == 0);
  w.clock.time += 2ms;
  w.meanwhile = [&] {
    if (w.yields == 3) w.received = 2;
  };
  CHECK(window.admit(4, 64).count == 2);
  CHECK(w.yields == 3);
  // It took 5 ms until then, 3 ms of them with a full window.
  CHECK(window.waited_share() == Approx(0.6));
}

TEST_CASE("lost datagrams can't hang the sender: it gives up a window that stays full for 2 s",
          "[pace]") {
  world w;
  auto window = of(w, 4);
  window.admit(0, 4);
  w.received = 1; // Of the other three nothing will be heard.
  CHECK(window.admit(4, 1).count == 1);
  const auto before = w.clock.time;
  CHECK(window.admit(5, 1).count == 0);
  CHECK(window.gave_up());
  CHECK(w.clock.time - before > 2s);
  CHECK(w.clock.time - before < 3s);
  window.begin();
  CHECK_FALSE(window.gave_up());
}

TEST_CASE("a window gives up for want of arrivals, not for want of room", "[pace]") {
  world w;
  auto window = of(w, 8);
  w.received = 0;
  // 108 were sent, one of them arrives each second: room comes after 101 s.
  w.meanwhile = [&] {
    if (w.yields % 1000 == 0) ++w.received;
  };
  CHECK(window.admit(108, 8).count == 1);
  CHECK(w.yields == 101'000);
}

TEST_CASE("nobody who publishes is a receiver of one window, and more arrivals than sends are room",
          "[pace]") {
  world w;
  auto window = of(w, 4);
  w.received = 100;
  CHECK(window.admit(2, 64).count == 4);
  window.follow(nullptr);
  window.begin();
  CHECK(window.admit(0, 64).count == 4);
  CHECK(window.admit(4, 64).count == 0);
  CHECK(window.gave_up());
}
