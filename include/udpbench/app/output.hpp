/** @file
    Where results go.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/usage_error.hpp>
#include <udpbench/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <ostream>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

namespace udpbench::app {

/** A file or, as `-`, standard output. It is opened before a run, so that a run is not lost to a wrong name.
    Errors: constructor and `write` throw `machine_error`. */
class output {
 public:
  /** @param name  a file, which is emptied, or `-`. */
  explicit output(std::string name) : name_(std::move(name)) {
    if (to_standard_output()) return;
    file_.open(name_, std::ios::out | std::ios::trunc | std::ios::binary);
    if (!file_) fail();
  }

  /** True for `-`. */
  bool to_standard_output() const noexcept { return name_ == "-"; }

  /** Writes all of it and flushes. */
  void write(const std::string& text) {
    std::ostream& out = to_standard_output() ? std::cout : file_;
    errno = 0;
    if (!(out << text << std::flush)) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw machine_error("output", to_standard_output() ? "standard output" : name_,
                        errno != 0 ? std::strerror(errno) : "can't be written");
  }

  std::string name_;
  std::ofstream file_;
};

/** Whether colours are wanted on standard output. `when` is auto, always or never; NO_COLOR (no-color.org) and a dumb terminal
    turn off what `auto` would turn on. Errors: throws `usage_error`. */
inline bool wants_colour(const std::string& when) {
  if (when == "always") return true;
  if (when == "never") return false;
  if (when != "auto") throw usage_error("--color", when, "known are auto, always and never");
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string(terminal) != "dumb") && ::isatty(STDOUT_FILENO) == 1;
}

/** Columns of the terminal on standard output; 80 where that is none, or too narrow to say. */
inline std::size_t terminal_width() noexcept {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40) return 80;
  return size.ws_col;
}

} // namespace udpbench::app
