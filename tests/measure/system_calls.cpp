// The system calls of another process.
#include "catch.hpp"
#include "skip.hpp"

#include <udpbench/measure/system_call_name.hpp>
#include <udpbench/measure/system_calls.hpp>

#include <array>
#include <optional>
#include <system_error>
#include <thread>

#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using udpbench::measure::system_call_counts;
using udpbench::measure::system_call_name;
using udpbench::measure::system_call_tracer;
using udpbench::measure::traced_threads;

namespace {

constexpr unsigned char idle = 200;      ///< For 20 ms, for nothing.
constexpr unsigned char by_thread = 201; ///< Yields 50 times on a thread that begins and ends.

/** A process that does what the byte says that it is sent, and yields its cpu as often where that is no word; answers, and ends when nobody
    asks any more. */
class yielding {
 public:
  yielding() {
    REQUIRE(::pipe(to_.data()) == 0);
    REQUIRE(::pipe(from_.data()) == 0);
    id_ = ::fork();
    if (id_ == 0) {
      ::close(to_[1]);
      unsigned char times = 0;
      while (::read(to_[0], &times, 1) == 1) {
        if (times == idle)
          ::poll(nullptr, 0, 20);
        else if (times == by_thread)
          std::thread([] { yields(50); }).join();
        else
          yields(times);
        if (::write(from_[1], &times, 1) != 1) break;
      }
      ::_exit(0);
    }
    ::close(to_[0]);
    ::close(from_[1]);
  }
  ~yielding() {
    ::close(to_[1]);
    ::close(from_[0]);
    ::waitpid(id_, nullptr, 0);
  }

  static void yields(int times) {
    for (int i = 0; i < times; ++i) ::sched_yield();
  }

  void yield(unsigned char times) const {
    unsigned char answer = 0;
    REQUIRE(::write(to_[1], &times, 1) == 1);
    REQUIRE(::read(from_[0], &answer, 1) == 1);
  }

  pid_t id() const noexcept { return id_; }

 private:
  std::array<int, 2> to_{};
  std::array<int, 2> from_{};
  pid_t id_ = 0;
};

system_call_counts traced(const yielding& child, std::initializer_list<unsigned char> all,
                          traced_threads whose = traced_threads::first) {
  std::optional<system_call_tracer> tracer;
  try {
    tracer.emplace(child.id());
  } catch (const std::system_error& e) {
    WARN(e.what());
    return {};
  }
  for (const auto times : all) child.yield(times);
  tracer->stop();
  return tracer->counts(whose);
}

} // namespace

TEST_CASE("every system call of another process is counted, once", "[measure]") {
  const yielding child;
  auto counts = traced(child, {7, 0, 100});
  if (counts.empty()) SKIP("this process may not trace its child");
  CHECK(counts[SYS_sched_yield] == 107);
  CHECK(counts[SYS_write] == 3);
}

TEST_CASE("threads that begin are counted apart from the first one", "[measure]") {
  const yielding child;
  if (traced(child, {1}).empty()) SKIP("this process may not trace its child");
  auto others = traced(child, {by_thread, 7, by_thread}, traced_threads::others);
  CHECK(others[SYS_sched_yield] == 100);
  CHECK(traced(child, {by_thread, 7})[SYS_sched_yield] == 7);
}

TEST_CASE("a wait that gave nothing is not counted, whoever waits", "[measure]") {
  const yielding child;
  auto counts = traced(child, {3, idle, idle});
  if (counts.empty()) SKIP("this process may not trace its child");
  CHECK(counts[SYS_poll] == 0);
  CHECK(counts[SYS_sched_yield] == 3);
}

TEST_CASE("counts are told while they go on", "[measure]") {
  const yielding child;
  if (traced(child, {1}).empty()) SKIP("this process may not trace its child");
  const system_call_tracer tracer(child.id());
  child.yield(5);
  CHECK(tracer.counts(traced_threads::first)[SYS_sched_yield] == 5);
  child.yield(6);
  CHECK(tracer.counts(traced_threads::first)[SYS_sched_yield] == 11);
}

TEST_CASE("a process runs on, uncounted, when its calls are counted no more", "[measure]") {
  const yielding child;
  if (traced(child, {1}).empty()) SKIP("this process may not trace its child");
  child.yield(3);
  CHECK(traced(child, {5})[SYS_sched_yield] == 5);
}

TEST_CASE("who may not trace is told so", "[measure]") {
  // A process can't trace itself.
  CHECK_THROWS_AS(system_call_tracer(::getpid()), std::system_error);
}

TEST_CASE("system calls have the names of their manual pages", "[measure]") {
  CHECK(system_call_name(SYS_recvmmsg) == "recvmmsg");
  CHECK(system_call_name(99'999) == "no. 99999");
}
