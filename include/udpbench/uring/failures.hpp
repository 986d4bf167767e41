/** @file
    Receives that failed, as completions tell them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>

#include <cerrno>
#include <cstdint>

namespace udpbench::uring {

/** How many there were, and the last one's reason. Threads: one at a time. */
class failures {
 public:
  /** Books a completion's result, a negative errno. That a receive was cancelled, interrupted or had nothing to take is none. */
  void add(int result) noexcept {
    if (result == -ECANCELED || result == -EINTR || result == -EAGAIN) return;
    ++count_;
    last_.assign(-result, boost::system::system_category());
  }

  /** Of all that were added. */
  std::uint64_t count() const noexcept { return count_; }
  /** Unset if there was none. */
  const error_code& last() const noexcept { return last_; }

 private:
  std::uint64_t count_ = 0;
  error_code last_;
};

} // namespace udpbench::uring
