/** @file
    Another process: how it is started, and how it ended.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/usage_error.hpp>
#include <udpbench/net/descriptor.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace udpbench::app {

namespace detail {

/** What a process is started with; freed when it ends. */
class spawn_actions {
 public:
  spawn_actions() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  spawn_actions(const spawn_actions&) = delete;
  spawn_actions& operator=(const spawn_actions&) = delete;
  ~spawn_actions() { ::posix_spawn_file_actions_destroy(&actions_); }

  void give(int fd, int as) { ::posix_spawn_file_actions_adddup2(&actions_, fd, as); }
  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

[[noreturn]] inline void child_failed(const std::string& path, int reason) {
  throw machine_error("process", path,
                      "can't be started: " + std::generic_category().message(reason));
}

} // namespace detail

/** A child process. Whoever destroys it while it runs kills it. Standard input is empty, standard error is shared. Threads: one. */
class process {
 public:
  /** A descriptor of this process and its number in the other. */
  struct handed {
    int from = -1; ///< Here.
    int to = -1;   ///< There.
  };

  /** Starts `path` with `words` behind its name.
      Errors: throws `machine_error` where it can't be started. */
  process(const std::string& path, const std::vector<std::string>& words,
          const std::vector<handed>& descriptors) {
    std::string name = "udpbench";
    std::vector<std::string> copy = words;
    std::vector<char*> argv{name.data()};
    for (std::string& word : copy) argv.push_back(word.data());
    argv.push_back(nullptr);
    detail::spawn_actions actions;
    // Above all numbers that are given out, so that none overwrites another before it is handed over.
    std::vector<net::descriptor> copies;
    for (const handed& h : descriptors) {
      copies.emplace_back(::fcntl(h.from, F_DUPFD_CLOEXEC, 64));
      if (!copies.back()) detail::child_failed(path, errno);
      actions.give(copies.back().get(), h.to);
    }
    const int problem =
        ::posix_spawn(&id_, path.c_str(), actions.get(), nullptr, argv.data(), environ);
    if (problem != 0) detail::child_failed(path, problem);
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() {
    if (end_) return;
    ::kill(id_, SIGKILL);
    wait();
  }

  /** For signals. */
  pid_t id() const noexcept { return id_; }

  /** Waits for its end and tells it: "exit code 2" or "signal 9". */
  std::string wait() {
    while (!end_) look(0);
    return *end_;
  }

  /** The same, but no longer than that; empty if it still runs. */
  std::optional<std::string> wait_for(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!look(WNOHANG) && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return end_;
  }

 private:
  bool look(int how) {
    int status = 0;
    if (end_) return true;
    if (::waitpid(id_, &status, how) == id_)
      end_ = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                 : "exit code " + std::to_string(WEXITSTATUS(status));
    else if (errno == ECHILD)
      end_ = "an end that nobody knows";
    return end_.has_value();
  }

  pid_t id_ = 0;
  std::optional<std::string> end_;
};

} // namespace udpbench::app
