/** @file
    This program once more, in a process of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/output.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/descriptor.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace udpbench::app {

/** What a process wrote to its standard output, and how it ended. */
struct child_end {
  std::string output; ///< All of it.
  std::string how;    ///< Such as "exit code 2" or "signal 9".
};

namespace detail {

/** What a process is started with; freed when it ends. */
class spawn_actions {
 public:
  explicit spawn_actions(int output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
  }
  spawn_actions(const spawn_actions&) = delete;
  spawn_actions& operator=(const spawn_actions&) = delete;
  ~spawn_actions() { ::posix_spawn_file_actions_destroy(&actions_); }

  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

[[noreturn]] inline void child_failed(int reason) {
  throw machine_error("process", "/proc/self/exe",
                      "can't be started: " + std::generic_category().message(reason));
}

inline pid_t start_child(const std::vector<std::string>& words, int output) {
  std::string name = "udpbench";
  std::vector<std::string> copy = words;
  std::vector<char*> argv{name.data()};
  for (std::string& word : copy) argv.push_back(word.data());
  argv.push_back(nullptr);
  const spawn_actions actions(output);
  pid_t child = 0;
  const int problem =
      ::posix_spawn(&child, "/proc/self/exe", actions.get(), nullptr, argv.data(), environ);
  if (problem != 0) child_failed(problem);
  return child;
}

/** Reads until the other end closes. An interrupt from a terminal reaches the child as well; where it came to this process alone, it
    is handed on. */
inline std::string read_all(int fd, pid_t child, const std::atomic<bool>& stop) {
  using clock = measure::monotonic_clock;
  std::string all;
  std::array<char, 65'536> part;
  std::optional<clock::time_point> hand_on_at;
  for (;;) {
    pollfd wanted{fd, POLLIN, 0};
    if (::poll(&wanted, 1, 100) == 1) {
      const auto length = ::read(fd, part.data(), part.size());
      if (length == 0 || (length < 0 && errno != EINTR)) return all;
      if (length > 0) all.append(part.data(), static_cast<std::size_t>(length));
    }
    if (!stop) continue;
    if (!hand_on_at) hand_on_at = clock::now() + std::chrono::seconds(2);
    if (clock::now() >= *hand_on_at) {
      ::kill(child, SIGINT);
      hand_on_at = clock::time_point::max();
    }
  }
}

} // namespace detail

/** Runs this program with other words, and waits for its end. Standard error is shared with it.
    @param words  behind the program's name.
    @param stop  becomes true on Ctrl-C, and the child then ends, too.
    Errors: throws `machine_error` where no process or pipe can be had. */
inline child_end run_child(const std::vector<std::string>& words, const std::atomic<bool>& stop) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) detail::child_failed(errno);
  const net::descriptor from(ends[0]);
  net::descriptor to(ends[1]);
  const pid_t child = detail::start_child(words, to.get());
  to.reset();
  child_end end{.output = detail::read_all(from.get(), child, stop), .how = {}};
  int status = 0;
  while (::waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  end.how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                : "exit code " + std::to_string(WEXITSTATUS(status));
  return end;
}

} // namespace udpbench::app
