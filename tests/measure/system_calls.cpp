// The system calls of another process.
#include "catch.hpp"
#include "skip.hpp"

#include <udpbench/measure/system_calls.hpp>

#include <array>
#include <optional>
#include <system_error>

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using udpbench::measure::system_call_counts;
using udpbench::measure::system_call_name;
using udpbench::measure::system_call_tracer;

namespace {

/** A process that yields its cpu as often as the byte says that it is sent, answers, and ends when nobody asks any more. */
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
        for (int i = 0; i < times; ++i) ::sched_yield();
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

system_call_counts traced(const yielding& child, std::initializer_list<unsigned char> all) {
  std::optional<system_call_tracer> tracer;
  try {
    tracer.emplace(child.id());
  } catch (const std::system_error& e) {
    WARN(e.what());
    return {};
  }
  for (const auto times : all) child.yield(times);
  return tracer->stop();
}

} // namespace

TEST_CASE("every system call of another process is counted, once", "[measure]") {
  const yielding child;
  auto counts = traced(child, {7, 0, 100});
  if (counts.empty()) SKIP("this process may not trace its child");
  CHECK(counts[SYS_sched_yield] == 107);
  CHECK(counts[SYS_write] == 3);
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
