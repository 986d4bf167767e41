/** @file
    This program once more, in a process of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/process.hpp>
#include <udpbench/app/signs_of_life.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/written.hpp>
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

/** How long a child may give no sign of life before it is given up. */
struct child_patience {
  std::chrono::nanoseconds running =
      3 * experiment::round_plan{}.limit; ///< Thrice what the longest round may take.
  std::chrono::nanoseconds interrupted =
      std::chrono::seconds(30); ///< After an interrupt, when no round follows.

  /** The one that counts. */
  std::chrono::nanoseconds of(bool after_interrupt) const noexcept {
    return after_interrupt ? interrupted : running;
  }
};

/** What a process wrote to its standard output, and how it ended. */
struct child_end {
  std::string output; ///< All of it.
  std::string how;    ///< Such as "exit code 2" or "signal 9".
  pid_t id = 0;       ///< What it was.
};

namespace detail {

inline constexpr auto this_program = "/proc/self/exe";

/** The ends of two pipes from a child. */
struct child_pipes {
  net::descriptor output; ///< Of what it writes.
  net::descriptor life;   ///< Of its signs of life.
};

/** Reads until the other end closes; false if that was not awaited, since nothing was heard for so long. An interrupt from a terminal
    reaches the child as well; where it came to this process alone, it is handed on. */
inline bool read_all(const child_pipes& from, pid_t child, const std::atomic<bool>& stop,
                     const child_patience& patience, std::string& all) {
  using clock = measure::monotonic_clock;
  std::array<char, 65'536> part;
  std::optional<clock::time_point> hand_on_at;
  silence<> quiet;
  for (;;) {
    pollfd wanted{from.output.get(), POLLIN, 0};
    bool heard = false;
    if (::poll(&wanted, 1, 100) == 1) {
      const auto length = ::read(from.output.get(), part.data(), part.size());
      if (length == 0 || (length < 0 && errno != EINTR)) return true;
      if (length > 0) all.append(part.data(), static_cast<std::size_t>(length));
      heard = true;
    }
    heard = gave_sign(from.life.get()) || heard;
    const bool interrupted = stop;
    if (interrupted && !hand_on_at) {
      hand_on_at = clock::now() + std::chrono::seconds(2);
      heard = true; // The shorter patience begins now.
    }
    if (quiet.look(heard) > patience.of(interrupted)) return false;
    if (interrupted && clock::now() >= *hand_on_at) {
      ::kill(child, SIGINT);
      hand_on_at = clock::time_point::max();
    }
  }
}

/** A pipe: what is to be read here, and what a child writes to. Errors: throws `machine_error`. */
inline std::array<net::descriptor, 2> pipe_for(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) child_failed(program, errno);
  return {net::descriptor(ends[0]), net::descriptor(ends[1])};
}

/** Its end, if it comes within that time, or it is killed. */
inline std::string end_of(process& child, bool closed, std::chrono::nanoseconds silent) {
  if (closed)
    if (const ending* its = child.wait_until(process::clock::now() + silent)) return its->how;
  return child.end().how + ", since nothing was heard of it for " + experiment::written(silent);
}

} // namespace detail

/** The number under which a child has the pipe for its signs of life. */
inline constexpr int life_descriptor = 3;

/** Runs this program with other words, and waits for its end; one that gives no sign of life is killed. Standard error is shared with
    it.
    @param words  behind the program's name.
    @param stop  becomes true on Ctrl-C, and the child then ends, too.
    @param patience  how long that may be.
    @param program  another than this one.
    Errors: throws `machine_error` where no process or pipe can be had. */
inline child_end run_child(const std::vector<std::string>& words, const std::atomic<bool>& stop,
                           const child_patience& patience = {},
                           const std::string& program = detail::this_program) {
  auto [from, to] = detail::pipe_for(program);
  auto [life_from, life_to] = detail::pipe_for(program);
  ::fcntl(life_from.get(), F_SETFL, O_NONBLOCK);
  std::vector<std::string> named{"udpbench"};
  named.insert(named.end(), words.begin(), words.end());
  process child(program, named,
                {.descriptors = {{to.get(), STDOUT_FILENO}, {life_to.get(), life_descriptor}}});
  to.reset();
  life_to.reset();
  child_end end{.output = {}, .how = {}, .id = child.id()};
  const bool closed = detail::read_all({std::move(from), std::move(life_from)}, child.id(), stop,
                                       patience, end.output);
  end.how = detail::end_of(child, closed, patience.of(stop));
  return end;
}

} // namespace udpbench::app
