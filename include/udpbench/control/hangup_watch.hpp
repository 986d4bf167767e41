/** @file
    Notices that the other end of a connection is gone while this one does something else.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/descriptor.hpp>

#include <boost/thread/scoped_thread.hpp>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace udpbench::control {

/** While it lives, `gone` becomes true when the other end of a stream has closed it, or died. Threads: one of its own. */
class hangup_watch {
 public:
  /** @param fd  of a connected stream socket. Lifetime: outlives this. Errors: throws std::system_error, boost::thread_resource_error. */
  explicit hangup_watch(int fd) : end_(::eventfd(0, EFD_CLOEXEC)) {
    if (!end_) throw std::system_error(errno, std::generic_category(), "watch a connection");
    thread_ = boost::scoped_thread<>([this, fd] {
      // Of what arrives only the end is looked for.
      std::array<pollfd, 2> wanted{{{fd, POLLRDHUP, 0}, {end_.get(), POLLIN, 0}}};
      while (::poll(wanted.data(), wanted.size(), -1) < 0 && errno == EINTR) {
      }
      if (wanted[0].revents != 0) gone_ = true;
    });
  }
  hangup_watch(const hangup_watch&) = delete;
  hangup_watch& operator=(const hangup_watch&) = delete;
  ~hangup_watch() {
    const std::uint64_t one = 1;
    while (::write(end_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
  }

  /** True once it is. Threads: any. Lifetime: this object's. */
  const std::atomic<bool>& gone() const noexcept { return gone_; }

 private:
  net::descriptor end_;
  std::atomic<bool> gone_{false};
  boost::scoped_thread<> thread_; ///< Joined before the others go.
};

} // namespace udpbench::control
