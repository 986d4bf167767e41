/** @file
    The system calls of another process, counted.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/thread/thread.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace udpbench::measure {

/** How often each was called, by the kernel's numbers. */
using system_call_counts = std::map<std::uint64_t, std::uint64_t>;

/** The name of a system call that a receiver may use; else its number. */
inline std::string system_call_name(std::uint64_t number) {
  using pair = std::pair<std::uint64_t, std::string_view>;
  constexpr std::array names{pair(SYS_clock_gettime, "clock_gettime"),
                             pair(SYS_epoll_ctl, "epoll_ctl"),
                             pair(SYS_epoll_pwait, "epoll_pwait"),
                             pair(SYS_epoll_wait, "epoll_wait"),
                             pair(SYS_futex, "futex"),
                             pair(SYS_getsockopt, "getsockopt"),
                             pair(SYS_io_uring_enter, "io_uring_enter"),
                             pair(SYS_poll, "poll"),
                             pair(SYS_ppoll, "ppoll"),
                             pair(SYS_read, "read"),
                             pair(SYS_recvfrom, "recvfrom"),
                             pair(SYS_recvmmsg, "recvmmsg"),
                             pair(SYS_recvmsg, "recvmsg"),
                             pair(SYS_restart_syscall, "restart_syscall"),
                             pair(SYS_sched_yield, "sched_yield"),
                             pair(SYS_sendmmsg, "sendmmsg"),
                             pair(SYS_sendmsg, "sendmsg"),
                             pair(SYS_sendto, "sendto"),
                             pair(SYS_timerfd_settime, "timerfd_settime"),
                             pair(SYS_write, "write")};
  const auto found = std::find_if(names.begin(), names.end(),
                                  [number](const pair& p) { return p.first == number; });
  return found != names.end() ? std::string(found->second) : "no. " + std::to_string(number);
}

/** Counts the system calls of a process' first thread, from its construction until `stop`. The process is a child of this one, and
    runs many times slower meanwhile: nothing may be timed. Source: ptrace(2).
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
  ~system_call_tracer() { end(); }

  /** Stops counting, lets the process run freely, and tells what was counted. */
  system_call_counts stop() {
    end();
    return counts_;
  }

 private:
  enum class state { starting, counting, ending, failed };

  void say(state s) noexcept {
    state_ = s;
    state_.notify_one();
  }

  void end() noexcept {
    if (!thread_.joinable()) return;
    state_ = state::ending;
    // Its default is to be ignored; what is traced stops for it all the same.
    ::kill(process_, SIGURG);
    const boost::this_thread::disable_interruption uninterrupted;
    thread_.join();
  }

  long ask(int what, void* data = nullptr, std::size_t address = 0) const noexcept {
    return ::ptrace(static_cast<__ptrace_request>(what), process_, reinterpret_cast<void*>(address),
                    data);
  }

  /** Waits until the process stops, and tells for which signal; 0 if it has ended. */
  int stopped() const noexcept {
    int status = 0;
    while (::waitpid(process_, &status, __WALL) != process_)
      if (errno != EINTR) return 0;
    return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
  }

  void run() noexcept {
    const auto options = reinterpret_cast<void*>(std::uintptr_t{PTRACE_O_TRACESYSGOOD});
    if (ask(PTRACE_SEIZE, options) != 0 || ask(PTRACE_INTERRUPT) != 0) {
      problem_ = errno;
      return say(state::failed);
    }
    int signal = stopped();
    say(state::counting);
    for (; signal != 0; signal = stopped()) {
      if (signal == (SIGTRAP | 0x80))
        count();
      else if (signal == SIGURG && state_ == state::ending)
        break;
      // Stops that are no signals look like SIGTRAP.
      const int hand_on = (signal & 0x7F) == SIGTRAP ? 0 : signal;
      if (ask(PTRACE_SYSCALL, reinterpret_cast<void*>(std::uintptr_t(hand_on))) != 0) break;
    }
    ask(PTRACE_DETACH);
  }

  void count() noexcept {
    __ptrace_syscall_info info{};
    if (ask(PTRACE_GET_SYSCALL_INFO, &info, sizeof info) > 0 &&
        info.op == PTRACE_SYSCALL_INFO_ENTRY)
      ++counts_[info.entry.nr];
  }

  pid_t process_;
  std::atomic<state> state_{state::starting};
  int problem_ = 0;
  system_call_counts counts_;
  boost::thread thread_;
};

} // namespace udpbench::measure
