/** @file
    A program run beside this one: bound to a cpu, ended by a deadline, its output kept.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "figures.hpp"

#include <udpbench/app/process.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/descriptor.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace peers {

using clock = udpbench::measure::monotonic_clock;
using udpbench::app::ending;

/** Ctrl-C came. */
class interrupted : public std::exception {};

/** A process in a group of its own, so that what it starts ends with it; it also ends where this process is killed. Threads: this process
    has only one. */
class process {
 public:
  /** Starts it.
      @param words  the program, found by PATH, and its arguments.
      @param cpu  that it is bound to; empty: none.
      Errors: throws `run_error` where it can't be started, `system_error` where its output can't be kept. */
  process(const std::vector<std::string>& words, std::optional<unsigned> cpu)
      : out_(memory("output")), err_(memory("errors")) {
    try {
      running_.emplace(words.front(), words,
                       udpbench::app::start_options{.descriptors = {{out_.get(), STDOUT_FILENO},
                                                                    {err_.get(), STDERR_FILENO}},
                                                    .cpu = cpu,
                                                    .largest_file = most_output,
                                                    .own_group = true});
    } catch (const udpbench::app::machine_error& e) {
      throw run_error(std::string("has a ") + e.what());
    }
  }

  /** Waits until it has ended; false where it hasn't by then. Errors: throws `interrupted` where `stop` becomes true. */
  bool wait(clock::time_point deadline, const std::atomic<bool>& stop) {
    for (;;) {
      if (stop) throw interrupted();
      if (running_->wait_until(std::min(deadline, clock::now() + std::chrono::milliseconds(100))) !=
          nullptr)
        return true;
      if (clock::now() >= deadline) return false;
    }
  }

  /** Sends it a signal, by which it may then end well. */
  void signal(int number) noexcept { running_->signal(number); }

  /** Ends it and all of its group, and tells how it ended. */
  ending reap() { return running_->end(); }

  /** What it wrote to standard output so far. */
  std::string output() const { return contents(out_); }
  /** What it wrote to standard error so far. */
  std::string errors() const { return contents(err_); }

 private:
  /** Of a program that prints without end, bytes. */
  static constexpr rlim_t most_output = 16 << 20;

  static udpbench::net::descriptor memory(const char* name) {
    udpbench::net::descriptor fd(::memfd_create(name, MFD_CLOEXEC));
    if (!fd)
      throw udpbench::system_error(udpbench::error_code(errno, boost::system::system_category()),
                                   "keep the output of a process");
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

  udpbench::net::descriptor out_;
  udpbench::net::descriptor err_;
  std::optional<udpbench::app::process> running_;
};

} // namespace peers
