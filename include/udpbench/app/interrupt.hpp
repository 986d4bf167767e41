/** @file
    Ctrl-C.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <atomic>

#include <signal.h>

namespace udpbench::app {

namespace detail {
// A signal handler has no other way to reach its program.
inline std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);
} // namespace detail

/** While it lives, SIGINT and SIGTERM raise a flag; the second of them ends the program at once, as it would without. A closed
    pipe is an error of the write, no signal. */
class interrupt_guard {
 public:
  interrupt_guard() noexcept {
    detail::interrupted = false;
    struct sigaction raise_flag{};
    raise_flag.sa_handler = [](int) {
      detail::interrupted = true;
      ::signal(SIGINT, SIG_DFL);
      ::signal(SIGTERM, SIG_DFL);
    };
    ::sigaction(SIGINT, &raise_flag, &old_int_);
    ::sigaction(SIGTERM, &raise_flag, &old_term_);
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &old_pipe_);
  }
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  ~interrupt_guard() {
    ::sigaction(SIGINT, &old_int_, nullptr);
    ::sigaction(SIGTERM, &old_term_, nullptr);
    ::sigaction(SIGPIPE, &old_pipe_, nullptr);
  }

  /** True once a signal came. Threads: any. Lifetime: static. */
  const std::atomic<bool>& flag() const noexcept { return detail::interrupted; }

 private:
  struct sigaction old_int_{};
  struct sigaction old_term_{};
  struct sigaction old_pipe_{};
};

} // namespace udpbench::app
