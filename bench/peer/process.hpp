/** @file
    A program run beside this one: bound to a cpu, ended by a deadline, reaped in every case.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "figures.hpp"

#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/descriptor.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace peers {

using clock = udpbench::measure::monotonic_clock;

/** Ctrl-C came. */
class interrupted : public std::exception {};

/** How a process ended. */
struct ending {
  bool good = false; ///< With exit code 0, or by a signal of ours.
  std::string how;   ///< Such as "exit code 2" or "signal 9".
  std::chrono::nanoseconds
      cpu{}; ///< User and system time, of it and of the children that it waited for.
};

/** A process in a group of its own, so that what it starts ends with it; it also ends where this process is killed. Standard input is
    empty. Threads: this process has only one. */
class process {
 public:
  /** Starts it.
      @param words  the program, found by PATH, and its arguments.
      @param cpu  that it is bound to; empty: none.
      Errors: throws `system_error` where no process can be had. One that can't be started writes so, and ends with exit code 127. */
  process(const std::vector<std::string>& words, std::optional<unsigned> cpu)
      : out_(memory("output")), err_(memory("errors")) {
    std::vector<std::string> copy = words;
    std::vector<char*> argv;
    for (auto& word : copy) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == -1) fail("fork");
    if (pid_ == 0) become(argv, cpu, parent);
    // Both sides do so, since either may come first.
    ::setpgid(pid_, pid_);
    watch_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (!watch_) {
      const int problem = errno;
      reap();
      errno = problem;
      fail("watch a process");
    }
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() { reap(); }

  /** Waits until it has ended; false where it hasn't by then. Errors: throws `interrupted` where `stop` becomes true. */
  bool wait(clock::time_point deadline, const std::atomic<bool>& stop) const {
    for (;;) {
      if (stop) throw interrupted();
      pollfd watched{watch_.get(), POLLIN, 0};
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
      const auto part = std::clamp<std::int64_t>(left.count(), 0, 100);
      if (::poll(&watched, 1, static_cast<int>(part)) == 1) return true;
      if (clock::now() >= deadline) return false;
    }
  }

  /** Sends it a signal, by which it may then end well. */
  void signal(int number) noexcept {
    asked_by_ = number;
    ::kill(pid_, number);
  }

  /** Ends it and all of its group, and tells how it ended. */
  ending reap() noexcept {
    if (pid_ <= 0) return ended_;
    // While it is not reaped, nobody else can have the number of its group.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    rusage used{};
    while (::wait4(pid_, &status, 0, &used) == -1 && errno == EINTR) {
    }
    pid_ = -1;
    const auto time = [](timeval t) {
      return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
    };
    ended_.cpu = time(used.ru_utime) + time(used.ru_stime);
    if (WIFSIGNALED(status)) {
      ended_.good = WTERMSIG(status) == asked_by_;
      ended_.how = "signal " + std::to_string(WTERMSIG(status));
    } else {
      ended_.good = WEXITSTATUS(status) == 0;
      ended_.how = "exit code " + std::to_string(WEXITSTATUS(status));
    }
    return ended_;
  }

  /** What it wrote to standard output so far. */
  std::string output() const { return contents(out_); }
  /** What it wrote to standard error so far. */
  std::string errors() const { return contents(err_); }

 private:
  // A program that prints without end is ended by SIGXFSZ.
  static constexpr rlim_t most_output = 16 << 20;

  [[noreturn]] static void fail(const char* what) {
    throw udpbench::system_error(udpbench::error_code(errno, boost::system::system_category()),
                                 what);
  }

  static udpbench::net::descriptor memory(const char* name) {
    udpbench::net::descriptor fd(::memfd_create(name, MFD_CLOEXEC));
    if (!fd) fail("keep the output of a process");
    return fd;
  }

  static std::string contents(const udpbench::net::descriptor& fd) {
    // No seek: the process writes where the offset is.
    struct stat about{};
    if (::fstat(fd.get(), &about) != 0) return {};
    std::string text(static_cast<std::size_t>(about.st_size), '\0');
    const auto got = ::pread(fd.get(), text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

  [[noreturn]] void become(const std::vector<char*>& argv, std::optional<unsigned> cpu,
                           pid_t parent) const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::signal(number, SIG_DFL);
    const udpbench::net::scoped_affinity bound(cpu);
    const rlimit size{most_output, most_output};
    ::setrlimit(RLIMIT_FSIZE, &size);
    ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    ::dup2(out_.get(), STDOUT_FILENO);
    ::dup2(err_.get(), STDERR_FILENO);
    ::execvp(argv.front(), argv.data());
    ::dprintf(STDERR_FILENO, "can't be started: %s\n", std::strerror(errno));
    ::_exit(127);
  }

  udpbench::net::descriptor out_;
  udpbench::net::descriptor err_;
  udpbench::net::descriptor watch_;
  pid_t pid_ = -1;
  int asked_by_ = 0;
  ending ended_;
};

} // namespace peers
