/** @file
    Ownership of a file descriptor.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <utility>

#include <unistd.h>

namespace udpbench::net {

/** Closes its descriptor when it ends. Threads: one at a time. */
class descriptor {
 public:
  descriptor() = default;
  /** @param fd  is closed by this object from now on; below 0: none. */
  explicit descriptor(int fd) noexcept : fd_(fd) {}
  /** Leaves `other` without one. */
  descriptor(descriptor&& other) noexcept : fd_(other.release()) {}
  /** Closes its own and leaves `other` without one. */
  descriptor& operator=(descriptor&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~descriptor() { reset(); }

  /** -1: none. */
  int get() const noexcept { return fd_; }
  /** Whether there is one. */
  explicit operator bool() const noexcept { return fd_ >= 0; }
  /** Gives it away, unclosed. */
  int release() noexcept { return std::exchange(fd_, -1); }
  /** Closes its own and takes another. */
  void reset(int fd = -1) noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

} // namespace udpbench::net
