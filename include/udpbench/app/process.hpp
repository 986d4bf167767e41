/** @file
    Another process: how it is started, waited for and ended.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/usage_error.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/descriptor.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace udpbench::app {

/** How a process ended. */
struct ending {
  bool good = false; ///< With exit code 0, or by the last signal that it was sent from here.
  std::string how = "an end that nobody knows"; ///< Such as "exit code 2" or "signal 9".
  std::chrono::nanoseconds
      cpu{}; ///< User and system time, of it and of the children that it waited for.
};

/** What a process is started with beside its words. Standard input is empty, and what isn't said here is inherited. */
struct start_options {
  /** A descriptor of this process and its number in the other. */
  struct handed {
    int from = -1; ///< Here.
    int to = -1;   ///< There.
  };
  std::vector<handed> descriptors = {};    ///< Among them standard output.
  std::optional<unsigned> cpu = {};        ///< That it is bound to; empty: none.
  std::optional<rlim_t> largest_file = {}; ///< That it may write, bytes: beyond, SIGXFSZ ends it.
  /** In a group of its own, of which nothing is left when the process has ended; it also ends where the thread that starts it does. Signals
      are not ignored there, whatever this process does. */
  bool own_group = false;
};

namespace detail {

[[noreturn]] inline void child_failed(const std::string& path, int reason) {
  throw machine_error("process", path,
                      "can't be started: " + std::generic_category().message(reason));
}

} // namespace detail

/** A child process. Whoever destroys it while it runs kills it. Threads: one. */
class process {
 public:
  using clock = measure::monotonic_clock; ///< Of deadlines.

  /** Starts it.
      @param path  of the program; without a slash it is looked for in PATH.
      @param words  its own name first.
      @param how  see there.
      Errors: throws `machine_error` where it can't be started. */
  process(const std::string& path, std::vector<std::string> words, const start_options& how = {})
      : own_group_(how.own_group) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    // Above all numbers that are given out, so that none overwrites another before it is handed over.
    std::vector<net::descriptor> copies;
    for (const auto& h : how.descriptors) copies.push_back(high(path, h.from));
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) detail::child_failed(path, errno);
    const net::descriptor told(ends[0]);
    net::descriptor tells(ends[1]);
    net::descriptor problem = high(path, tells.get());
    tells.reset();
    const pid_t parent = ::getpid();
    {
      const net::scoped_affinity bound(how.cpu); // It is inherited.
      id_ = ::fork();
    }
    if (id_ == 0) become(path.c_str(), argv.data(), how, copies, problem.get(), parent);
    if (id_ < 0) detail::child_failed(path, errno);
    problem.reset();
    // Both sides do so, since either may come first.
    if (own_group_) ::setpgid(id_, id_);
    int reason = 0;
    if (::read(told.get(), &reason, sizeof reason) == sizeof reason) {
      end();
      detail::child_failed(path, reason);
    }
    // Where the kernel has none it is looked after now and then.
    watch_.reset(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() { end(); }

  /** For who traces it. */
  pid_t id() const noexcept { return id_; }

  /** Sends it a signal, by which it may then end well; nothing where it has ended. */
  void signal(int number) noexcept {
    if (end_) return;
    asked_by_ = number;
    ::kill(id_, number);
  }

  /** Waits for its end and tells it. */
  const ending& wait() {
    while (!look(0)) {
    }
    return *end_;
  }

  /** Waits for its end until then; null if it still runs. */
  const ending* wait_until(clock::time_point deadline) {
    constexpr std::chrono::milliseconds most{60'000};
    for (;;) {
      if (look(WNOHANG)) return &*end_;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
      if (left.count() <= 0) return nullptr;
      pollfd watched{watch_.get(), POLLIN, 0};
      ::poll(&watched, 1, watch_ ? static_cast<int>(std::min(left, most).count()) : 1);
    }
  }

  /** Kills it if it still runs, and tells how it ended. */
  const ending& end() {
    if (!look(WNOHANG)) ::kill(id_, SIGKILL);
    return wait();
  }

 private:
  static net::descriptor high(const std::string& path, int fd) {
    net::descriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 64));
    if (!copy) detail::child_failed(path, errno);
    return copy;
  }

  /** What the child does: nothing that another thread's lock could keep from it. */
  [[noreturn]] static void become(const char* path, char* const* argv, const start_options& how,
                                  const std::vector<net::descriptor>& copies, int problem,
                                  pid_t parent) noexcept {
    if (how.own_group) {
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(127);
      for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::signal(number, SIG_DFL);
    }
    if (how.largest_file) {
      const rlimit size{*how.largest_file, *how.largest_file};
      ::setrlimit(RLIMIT_FSIZE, &size);
    }
    ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    for (std::size_t i = 0; i < copies.size(); ++i) ::dup2(copies[i].get(), how.descriptors[i].to);
    ::execvp(path, argv);
    const int reason = errno;
    static_cast<void>(!::write(problem, &reason, sizeof reason));
    ::_exit(127);
  }

  /** Whether it has ended; waits for that unless told not to. */
  bool look(int how) {
    if (end_) return true;
    siginfo_t seen{};
    // While it is not reaped, nobody else can have the number of its group.
    if (::waitid(P_PID, static_cast<id_t>(id_), &seen, WEXITED | WNOWAIT | how) != 0) {
      if (errno != EINTR) end_.emplace();
      return end_.has_value();
    }
    if (seen.si_pid == 0) return false;
    if (own_group_) ::kill(-id_, SIGKILL);
    int status = 0;
    rusage used{};
    while (::wait4(id_, &status, 0, &used) == -1 && errno == EINTR) {
    }
    const auto time = [](timeval t) {
      return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
    };
    const bool killed = WIFSIGNALED(status);
    const int number = killed ? WTERMSIG(status) : WEXITSTATUS(status);
    end_ = {.good = number == (killed ? asked_by_ : 0),
            .how = (killed ? "signal " : "exit code ") + std::to_string(number),
            .cpu = time(used.ru_utime) + time(used.ru_stime)};
    return true;
  }

  bool own_group_;
  pid_t id_ = -1;
  net::descriptor watch_;
  int asked_by_ = 0;
  std::optional<ending> end_;
};

} // namespace udpbench::app
