// `udpbench serve`, in a process of its own.
#pragma once

#include "program.hpp"
#include "the_program.hpp"

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace udpbench::test {

/** A short comparison, for words to stand behind. */
inline const std::string compare_briefly =
    program + "compare sync async --count 4000 --rounds 1 --quiet ";

/** It came to its end; 5: the machine was too busy for a single valid round. */
inline bool ran(const finished& end) { return end.code == 0 || end.code == 5; }

/** Serves until it is destroyed; with any free port where none is said. */
class serving_program {
 public:
  /** @param words  behind `serve`.
      @param where  what stands before the program: `exec` something.
      Errors: throws std::runtime_error with what the program said, where it doesn't come to serve. */
  explicit serving_program(const std::string& words = "--listen 127.0.0.1:0",
                           const std::string& where = program) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    const std::string command = where + "serve " + words + " </dev/null 2>" + said_.path() + " >&" +
                                std::to_string(ends[1]);
    id_ = ::fork();
    if (id_ == 0) {
      ::close(ends[0]);
      ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    char c = 0;
    while (::read(ends[0], &c, 1) == 1 && c != '\n') line += c;
    ::close(ends[0]);
    constexpr const char* before = "udpbench serves at ";
    const auto end = line.find(" (TCP)");
    if (line.rfind(before, 0) != 0 || end == std::string::npos) {
      wait();
      throw std::runtime_error(line + said());
    }
    endpoint_ = line.substr(std::string(before).size(), end - std::string(before).size());
  }
  serving_program(const serving_program&) = delete;
  serving_program& operator=(const serving_program&) = delete;
  ~serving_program() {
    if (id_ == 0) return;
    ::kill(id_, SIGTERM);
    wait();
  }

  /** ADDRESS:PORT where it listens. */
  const std::string& endpoint() const noexcept { return endpoint_; }
  /** The port alone, with its colon. */
  std::string port() const { return endpoint_.substr(endpoint_.rfind(':')); }
  /** Its process. */
  pid_t id() const noexcept { return id_; }
  /** What it has written to standard error. */
  std::string said() const { return slurp(said_.path()); }

  /** Whether it writes that to standard error, now or after a while. */
  bool says(const std::string& part) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < deadline) {
      if (said().find(part) != std::string::npos) return true;
      ::usleep(1'000);
    }
    return false;
  }

  /** Ends it by a signal, or waits until it ends by itself (0), and returns the exit code, or 128 + signal. */
  int end(int signal) {
    if (signal != 0) ::kill(id_, signal);
    return wait();
  }

 private:
  int wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  temporary_file said_;
  pid_t id_ = 0;
  std::string endpoint_;
};

} // namespace udpbench::test
