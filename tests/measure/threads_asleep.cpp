// Whether threads sleep.
#include "catch.hpp"

#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/threads_asleep.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include <unistd.h>

using udpbench::measure::asleep;
using udpbench::measure::other_threads_asleep;

TEST_CASE("a thread sleeps by the letter behind its name, whatever that is", "[measure]") {
  CHECK(asleep("12 (udpbench) S 1 12"));
  CHECK(asleep("12 (a) R (b) S 1 12"));
  CHECK(asleep("12 (iou-wrk) I 1 12"));
  CHECK_FALSE(asleep("12 (udpbench) R 1 12"));
  CHECK_FALSE(asleep("12 (S) S) R 1 12"));
  CHECK_FALSE(asleep("12 (udpbench) D 1 12"));
  CHECK_FALSE(asleep("12 (udpbench) t 1 12"));
}

TEST_CASE("a thread that has ended has nothing to tell, and sleeps", "[measure]") {
  CHECK(asleep(""));
  CHECK(asleep("12 (udpbench) "));
}

TEST_CASE("other threads sleep while all of them wait, and not while one runs", "[measure]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  std::thread waits([&] {
    char byte = 0;
    static_cast<void>(!::read(ends[0], &byte, 1));
  });
  using clock = udpbench::measure::monotonic_clock;
  const auto deadline = clock::now() + std::chrono::seconds(30);
  bool slept = false;
  while (!slept && clock::now() < deadline) slept = other_threads_asleep();
  CHECK(slept);

  std::atomic<bool> runs{false};
  std::atomic<bool> end{false};
  std::thread busy([&] {
    runs = true;
    while (!end) {
    }
  });
  while (!runs) std::this_thread::yield();
  CHECK_FALSE(other_threads_asleep());
  end = true;
  busy.join();
  ::close(ends[1]);
  waits.join();
  ::close(ends[0]);
}
