/** @file
    The system calls of another process, counted.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/clock.hpp>

#include <boost/thread/lock_types.hpp>
#include <boost/thread/mutex.hpp>
#include <boost/thread/thread.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <system_error>

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace udpbench::measure {

/** How often each was called, by the kernel's numbers. */
using system_call_counts = std::map<std::uint64_t, std::uint64_t>;

/** Whose system calls. */
enum class traced_threads {
  first,  ///< The one that the process began with.
  others, ///< All the rest together.
};

/** Counts the system calls of a process from its construction until `stop`: those of its first thread, and those of the threads that begin
    meanwhile. The process is a child of this one, and runs many times slower: nothing may be timed. A call that waited for 10 ms or more and
    then gave nothing is left out, since how many of these there are is a matter of time. Source: ptrace(2).
    Threads: one; the counting is done on a thread of its own. */
class system_call_tracer {
 public:
  /** Returns when it counts. Errors: throws std::system_error where that isn't allowed. */
  explicit system_call_tracer(pid_t process) : process_(process) {
    // Whoever traces a process is a thread, and has to be the same one from first to last.
    thread_ = boost::thread([this] { run(); });
    state_.wait(state::starting);
    if (state_ != state::failed) return;
    thread_.join();
    throw std::system_error(problem_, std::generic_category(), "trace a process");
  }
  system_call_tracer(const system_call_tracer&) = delete;
  system_call_tracer& operator=(const system_call_tracer&) = delete;
  ~system_call_tracer() { stop(); }

  /** What was counted up to now. A call counts when it begins. */
  system_call_counts counts(traced_threads whose) const {
    const boost::unique_lock<boost::mutex> lock(mutex_);
    return counts_[static_cast<std::size_t>(whose)];
  }

  /** Stops counting, and lets the process run freely. */
  void stop() noexcept {
    if (!thread_.joinable()) return;
    state_ = state::ending;
    wake(process_);
    const boost::this_thread::disable_interruption uninterrupted;
    thread_.join();
  }

 private:
  enum class state { starting, counting, ending, failed };

  /** The last call that a thread has begun. */
  struct last_call {
    std::uint64_t number = 0;
    monotonic_clock::time_point begun;
    bool in_vain = false; ///< It waited long, and gave nothing.
  };

  void say(state s) noexcept {
    state_ = s;
    state_.notify_one();
  }

  /** Stops a traced thread, even while a call sleeps: by a signal whose default is to be ignored. */
  void wake(pid_t thread) const noexcept { ::syscall(SYS_tgkill, process_, thread, SIGURG); }

  static long ask(pid_t thread, int what, std::uintptr_t data = 0,
                  std::size_t address = 0) noexcept {
    return ::ptrace(static_cast<__ptrace_request>(what), thread, reinterpret_cast<void*>(address),
                    reinterpret_cast<void*>(data));
  }

  void run() {
    constexpr std::uintptr_t options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE;
    if (ask(process_, PTRACE_SEIZE, options) != 0 || ask(process_, PTRACE_INTERRUPT) != 0) {
      problem_ = errno;
      return say(state::failed);
    }
    threads_[process_];
    while (!threads_.empty()) {
      int status = 0;
      // Of this thread alone: other children of the process are others' to wait for.
      const pid_t thread = ::waitpid(-1, &status, __WALL | __WNOTHREAD);
      if (thread < 0 && errno != EINTR) break;
      if (thread < 0) continue;
      if (WIFSTOPPED(status))
        stopped(thread, status);
      else
        threads_.erase(thread);
      if (state_ == state::starting) say(state::counting);
    }
    if (state_ == state::starting) say(state::counting);
  }

  void stopped(pid_t thread, int status) {
    const int signal = WSTOPSIG(status);
    const bool is_call = signal == (SIGTRAP | 0x80);
    // Stops that are no signals look like SIGTRAP, or have the number of an event.
    const bool is_signal = !is_call && signal != SIGTRAP && (status >> 16) == 0;
    const auto hand_on = static_cast<std::uintptr_t>(is_signal ? signal : 0);
    if (state_ == state::ending) {
      ask(thread, PTRACE_DETACH, hand_on == SIGURG ? 0 : hand_on);
      threads_.erase(thread);
      if (!woken_)
        for (const auto& [other, call] : threads_) wake(other);
      woken_ = true;
      return;
    }
    auto& call = threads_[thread];
    if (is_call) count(thread, call);
    ask(thread, PTRACE_SYSCALL, hand_on);
  }

  void count(pid_t thread, last_call& call) {
    __ptrace_syscall_info info{};
    if (ask(thread, PTRACE_GET_SYSCALL_INFO, reinterpret_cast<std::uintptr_t>(&info),
            sizeof info) <= 0)
      return;
    const boost::unique_lock<boost::mutex> lock(mutex_);
    auto& counts = counts_[thread == process_ ? 0 : 1];
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      // The next takes the place of one in vain: so a thread that waits again and again has one call to show at any time.
      if (call.in_vain) --counts[call.number];
      call = {.number = info.entry.nr, .begun = monotonic_clock::now(), .in_vain = false};
      ++counts[call.number];
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
      call.in_vain = gave_nothing(call.number, info.exit.rval) &&
                     monotonic_clock::now() - call.begun >= long_wait;
    }
  }

  static bool gave_nothing(std::uint64_t number, std::int64_t result) noexcept {
    if (result == -EAGAIN || result == -ETIME || result == -ETIMEDOUT) return true;
    return result == 0 && (number == SYS_epoll_wait || number == SYS_epoll_pwait ||
                           number == SYS_poll || number == SYS_ppoll);
  }

  static constexpr std::chrono::milliseconds long_wait{10};

  pid_t process_;
  std::atomic<state> state_{state::starting};
  int problem_ = 0;
  std::map<pid_t, last_call> threads_; ///< That are traced.
  bool woken_ = false;                 ///< All of them, to be let go.
  mutable boost::mutex mutex_;
  std::array<system_call_counts, 2> counts_; ///< By `traced_threads`; under the mutex.
  boost::thread thread_;
};

} // namespace udpbench::measure
