/** @file
    A schedule, in a time that the test moves.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/pace/rate.hpp>

#include "catch.hpp"
#include "manual_clock.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
namespace pace = udpbench::pace;

namespace {

/** Time passes when it is read, when somebody sleeps, and when the test says so. */
struct world {
  support::manual_clock clock{.time = support::manual_clock::time_point(1'000'000s)};
  nanoseconds reading = 30ns;
  nanoseconds oversleeping = 60us;
  bool signals = false; ///< Each sleep ends when half of it is over.
  std::vector<nanoseconds> sleeps;

  std::uint64_t ns() const {
    return static_cast<std::uint64_t>(clock.time.time_since_epoch().count());
  }
};

struct shown_time {
  using duration = support::manual_clock::duration;
  using time_point = support::manual_clock::time_point;
  world* in;
  time_point now() noexcept {
    in->clock.time += in->reading;
    return in->clock.now();
  }
};

struct passing_sleep {
  world* in;
  void operator()(nanoseconds d) const {
    in->sleeps.push_back(d);
    in->clock.time += in->signals ? d / 2 : d + in->oversleeping;
  }
};

using paced = pace::rate<shown_time, passing_sleep>;

paced at(world& w, std::uint64_t per_second) { return paced(per_second, {&w}, {&w}); }

} // namespace

TEST_CASE("each datagram is let through in its slot, and carries the slot's time", "[pace]") {
  world w;
  auto rate = at(w, 200'000);
  rate.begin();
  const auto start = w.ns();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto admitted = rate.admit(i, 64);
    REQUIRE(admitted.count == 1);
    REQUIRE(admitted.intended_ns == start + i * 5000);
    REQUIRE(w.ns() >= admitted.intended_ns);
    REQUIRE(w.ns() - admitted.intended_ns <= 30);
  }
  CHECK(w.sleeps.empty());
}

TEST_CASE("a period that is no whole number of ns never drifts, in a run of any length", "[pace]") {
  world w;
  for (const std::uint64_t per_second : {3u, 7u, 999'983u, 3'000'000u, 9'999'999u}) {
    auto rate = at(w, per_second);
    rate.begin();
    const std::uint64_t start = w.ns();
    // Ten years of whole seconds, and a slot within one.
    for (const std::uint64_t seconds : {0u, 1u, 86'400u, 315'360'000u})
      for (const std::uint64_t rest : {std::uint64_t{0}, std::uint64_t{1}, per_second - 1}) {
        CAPTURE(per_second, seconds, rest);
        const std::uint64_t exact = seconds * 1'000'000'000 + rest * 1'000'000'000 / per_second;
        REQUIRE(rate.intended_ns(seconds * per_second + rest) == start + exact);
      }
  }
}

TEST_CASE("late slots are sent late, as fast as it goes, and none is skipped", "[pace]") {
  world w;
  auto rate = at(w, 1000);
  rate.begin();
  const auto start = w.ns();
  rate.admit(0, 1);
  w.clock.time += 10ms; // The sender was held up for ten slots.
  const auto resumed = w.ns();
  std::uint64_t i = 1;
  for (; i <= 10; ++i) {
    const auto admitted = rate.admit(i, 1);
    REQUIRE(admitted.count == 1);
    CHECK(admitted.intended_ns == start + i * 1'000'000);
  }
  CHECK(w.sleeps.empty());
  CHECK(w.ns() - resumed < 1000);
  rate.admit(i, 1); // In its slot again.
  CHECK(w.ns() - (start + i * 1'000'000) <= 30);
}

TEST_CASE("several datagrams go into one send call only where they are due already", "[pace]") {
  world w;
  auto rate = at(w, 1'000'000);
  rate.begin();
  const auto start = w.ns();
  CHECK(rate.admit(0, 64).count == 1);
  w.clock.time = support::manual_clock::time_point(nanoseconds(start + 10'500)) - w.reading;
  const auto late = rate.admit(1, 64);
  CHECK(late.count == 10);
  CHECK(late.intended_ns == start + 1000);
  w.clock.time += 1ms;
  CHECK(rate.admit(11, 64).count == 64);
  CHECK(rate.admit(75, 3).count == 3);
}

TEST_CASE("100 % CPU at 1 datagram/s: the sender sleeps while a slot is far and spins only near it",
          "[pace]") {
  world w;
  auto rate = at(w, 1);
  rate.begin();
  rate.admit(0, 1);
  w.clock.readings = 0;
  for (std::uint64_t i = 1; i <= 10; ++i) rate.admit(i, 1);
  CHECK(w.sleeps.size() == 10);
  for (const auto slept : w.sleeps) CHECK(slept > 999ms);
  // 40 µs are left of each second, at 30 ns a reading.
  CHECK(w.clock.readings < 10 * 1500);
  CHECK(rate.lag().max() <= 30u);
}

TEST_CASE("a sleep that a signal ends is slept to its end", "[pace]") {
  world w;
  w.signals = true;
  auto rate = at(w, 1);
  rate.begin();
  rate.admit(0, 1);
  rate.admit(1, 1);
  CHECK(w.sleeps.size() > 10);
  CHECK(rate.lag().max() <= 30u);
}

TEST_CASE("a sleep that lasts too long makes its slot late and no other", "[pace]") {
  world w;
  w.oversleeping = 700us;
  auto rate = at(w, 100);
  rate.begin();
  for (std::uint64_t i = 0; i < 50; ++i) rate.admit(i, 1);
  CHECK(rate.lag().percentile(50).value() == Approx(600'000).epsilon(0.005));
  const auto kept = rate.punctuality().value();
  CHECK(kept.mean_gap_ns == Approx(10e6).epsilon(0.005));
  CHECK_FALSE(kept.behind());
}

TEST_CASE("100 ms bursts from a coarse pacer: the gaps between sends show them, and the lag",
          "[pace]") {
  world w;
  auto rate = at(w, 1000);
  rate.begin();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    if (i % 100 == 99) w.clock.time += 100ms; // As if the pacer looked at the clock that seldom.
    rate.admit(i, 1);
  }
  const auto kept = rate.punctuality().value();
  CHECK(kept.gap.p50 < 1000);
  CHECK(kept.gap.max >= 100'000'000);
  CHECK(kept.lag.p50 > 30'000'000);

  auto even = at(w, 1000);
  even.begin();
  for (std::uint64_t i = 0; i < 1000; ++i) even.admit(i, 1);
  CHECK(even.gaps().count() == 999);
  CHECK(even.gaps().min().value() == Approx(1e6).epsilon(0.005));
  CHECK(even.gaps().max().value() == Approx(1e6).epsilon(0.005));
}

TEST_CASE("a sender that is slower than its schedule falls behind, by the gap and by the lag",
          "[pace]") {
  world w;
  auto rate = at(w, 1'000'000);
  rate.begin();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    rate.admit(i, 1);
    w.clock.time += 1970ns; // What a send call takes.
  }
  const auto kept = rate.punctuality().value();
  CHECK(kept.period_ns == Approx(1000));
  CHECK(kept.mean_gap_ns == Approx(2000));
  CHECK(kept.behind());
  CHECK(kept.lag.max == Approx(999'000).epsilon(0.01));
  CHECK(kept.gap.p99 == Approx(2000).epsilon(0.004));
}

TEST_CASE("a slot that an interrupted send call leaves is booked once, and a new round afresh",
          "[pace]") {
  world w;
  auto rate = at(w, 1000);
  rate.begin();
  rate.admit(0, 1);
  CHECK_FALSE(rate.punctuality());
  rate.admit(0, 1);
  rate.admit(0, 1);
  CHECK(rate.lag().count() == 1);
  CHECK(rate.gaps().count() == 0);
  rate.admit(1, 1);
  CHECK(rate.lag().count() == 2);
  CHECK(rate.gaps().count() == 1);
  rate.begin();
  CHECK(rate.lag().count() == 0);
  CHECK_FALSE(rate.punctuality());
}
