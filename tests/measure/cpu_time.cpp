/** @file
    What a thread has used. No test asks how long anything takes.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/cpu_time.hpp>

#include "catch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include <unistd.h>

namespace measure = udpbench::measure;
using namespace std::chrono_literals;

namespace {

/** A thread that has worked for so long has seen every timer tick that there is. */
constexpr auto limit = 2s;

} // namespace

TEST_CASE("a thread's cpu time rises with its work and never falls", "[measure]") {
  const auto start = measure::thread_cpu_time();
  auto previous = start;
  while (previous < start + 1ms) {
    const auto now = measure::thread_cpu_time();
    REQUIRE(now >= previous);
    previous = now;
  }
}

TEST_CASE("user and system time rise with a thread's work and never fall", "[measure]") {
  const auto start = measure::current_thread_use();
  CHECK(start.cpu > 0ns);
  auto previous = start;
  // System calls use both. The kernel may tell it in steps of a timer tick.
  while (previous.user + previous.system == start.user + start.system) {
    REQUIRE(previous.cpu < start.cpu + limit);
    const auto now = measure::current_thread_use();
    REQUIRE(now.cpu >= previous.cpu);
    REQUIRE(now.user >= previous.user);
    REQUIRE(now.system >= previous.system);
    REQUIRE(now.voluntary_switches >= previous.voluntary_switches);
    REQUIRE(now.involuntary_switches >= previous.involuntary_switches);
    previous = now;
  }
}

TEST_CASE("each other thread has a cpu time of its own, which is the one that it reads itself",
          "[measure]") {
  std::promise<pid_t> worked;
  std::promise<void> seen;
  std::chrono::nanoseconds at_its_end{};
  const auto at_first = measure::times_of_other_threads();
  std::thread busy([&] {
    const auto start = measure::thread_cpu_time();
    while (measure::thread_cpu_time() < start + 5ms) continue;
    worked.set_value(::gettid());
    seen.get_future().wait();
    at_its_end = measure::thread_cpu_time();
  });
  const pid_t its_number = worked.get_future().get();
  const auto now = measure::times_of_other_threads();
  const auto used = measure::between(at_first, now);
  seen.set_value();
  busy.join();
  REQUIRE(used.size() == now.size());
  const auto found =
      std::find_if(now.begin(), now.end(), [&](const auto& t) { return t.thread == its_number; });
  REQUIRE(found != now.end());
  CHECK(found->cpu >= 5ms);
  CHECK(found->cpu <= at_its_end);
  CHECK(used[static_cast<std::size_t>(found - now.begin())] == found->cpu);
  CHECK(std::none_of(now.begin(), now.end(), [](const auto& t) { return t.thread == ::gettid(); }));
}

TEST_CASE("what a thread used is the difference of two readings", "[measure]") {
  const std::vector<measure::time_of_thread> earlier{{1, 5ms}, {2, 7ms}};
  // The first has ended, and one more has begun.
  const std::vector<measure::time_of_thread> later{{2, 9ms}, {3, 1ms}};
  CHECK(measure::between(earlier, later) == std::vector<std::chrono::nanoseconds>{2ms, 1ms});
}

TEST_CASE("system calls show as system time", "[measure]") {
  const auto start = measure::current_thread_use();
  auto use = start;
  while (use.system == start.system) {
    REQUIRE(use.cpu < start.cpu + limit);
    for (int i = 0; i < 1000; ++i) static_cast<void>(::getppid());
    use = measure::current_thread_use();
  }
  CHECK((use - start).system > 0ns);
}

TEST_CASE("CPU time is read from each thread's own clock: another's work isn't in it",
          "[measure]") {
  const auto before = measure::current_thread_use();
  measure::thread_use busy;
  std::thread([&] {
    const auto start = measure::current_thread_use();
    while (measure::thread_cpu_time() < start.cpu + 50ms) {
    }
    busy = measure::current_thread_use() - start;
  }).join();
  CHECK(busy.cpu >= 50ms);
  CHECK((measure::current_thread_use() - before).cpu < busy.cpu);
}

TEST_CASE("a thread that waits for another switches voluntarily", "[measure]") {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  REQUIRE(::pipe(to.data()) == 0);
  REQUIRE(::pipe(from.data()) == 0);
  std::thread echo([&] {
    char c = 0;
    while (::read(to[0], &c, 1) == 1 && ::write(from[1], &c, 1) == 1) {
    }
  });
  const auto before = measure::current_thread_use();
  auto use = before;
  bool answered = true;
  for (int i = 0; i < 100'000 && answered && use.voluntary_switches == before.voluntary_switches;
       ++i) {
    char c = 1;
    answered = ::write(to[1], &c, 1) == 1 && ::read(from[0], &c, 1) == 1;
    use = measure::current_thread_use();
  }
  ::close(to[1]);
  echo.join();
  for (const int fd : {to[0], from[0], from[1]}) ::close(fd);
  CHECK(answered);
  CHECK((use - before).voluntary_switches > 0);
}

TEST_CASE("the difference of two uses is taken field by field", "[measure]") {
  const measure::thread_use later{50ns, 30ns, 20ns, 7, 9};
  const measure::thread_use earlier{11ns, 12ns, 13ns, 1, 2};
  const auto between = later - earlier;
  CHECK(between.cpu == 39ns);
  CHECK(between.user == 18ns);
  CHECK(between.system == 7ns);
  CHECK(between.voluntary_switches == 6);
  CHECK(between.involuntary_switches == 7);
}
