/** @file
    This program once more, in a process of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/process.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/descriptor.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace udpbench::app {

/** What a process wrote to its standard output, and how it ended. */
struct child_end {
  std::string output; ///< All of it.
  std::string how;    ///< Such as "exit code 2" or "signal 9".
};

namespace detail {

inline constexpr auto this_program = "/proc/self/exe";

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
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) detail::child_failed(detail::this_program, errno);
  const net::descriptor from(ends[0]);
  net::descriptor to(ends[1]);
  std::vector<std::string> named{"udpbench"};
  named.insert(named.end(), words.begin(), words.end());
  process child(detail::this_program, named, {.descriptors = {{to.get(), STDOUT_FILENO}}});
  to.reset();
  std::string output = detail::read_all(from.get(), child.id(), stop);
  return {.output = std::move(output), .how = child.wait().how};
}

} // namespace udpbench::app
