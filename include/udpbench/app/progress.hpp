/** @file
    The line that shows a person how far a run is.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace udpbench::app {

/** One line on standard error, rewritten in place; nothing where that is no terminal that can do so, or if it is not wanted. */
class progress_line {
 public:
  /** @param wanted  false: nothing is ever shown. */
  explicit progress_line(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) == 1 && !dumb()) {}
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line() { clear(); }

  /** Replaces the line. `done` blocks `of` so many are finished; the one that runs is shown. */
  void show(const std::string& load, std::uint64_t done, std::uint64_t of) {
    say(load + ": block " + std::to_string(done + 1) + " of " + std::to_string(of));
  }

  /** Replaces the line by any other. */
  void say(const std::string& text) {
    if (!shown_) return;
    std::cerr << "\r\x1b[K" << text << std::flush;
    dirty_ = true;
  }

  /** Prints a line that stays. */
  void note(const std::string& text) {
    if (!shown_) return;
    clear();
    std::cerr << text << '\n';
  }

  /** Takes the line away, so that something else can be printed. */
  void clear() {
    if (dirty_) std::cerr << "\r\x1b[K" << std::flush;
    dirty_ = false;
  }

 private:
  static bool dumb() noexcept {
    const char* terminal = std::getenv("TERM");
    return terminal != nullptr && std::string_view(terminal) == "dumb";
  }

  bool shown_;
  bool dirty_ = false;
};

} // namespace udpbench::app
