/** @file
    Notices that the other end of a connection is gone, or has had its time, while this one does something else.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/limits.hpp>
#include <udpbench/net/descriptor.hpp>

#include <boost/thread/scoped_thread.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace udpbench::control {

/** While it lives, `over` becomes true when the other end of a stream has closed it, or died, and when its time is over; a while after
    that the connection is ended. Threads: one of its own. */
class connection_watch {
 public:
  /** @param fd  of a connected stream socket. Lifetime: outlives this.
      @param allowed  from now on; empty: for ever.
      @param farewell  how long an end whose time is over may take to hear of it.
      Errors: throws std::system_error, boost::thread_resource_error. */
  explicit connection_watch(int fd, std::optional<std::chrono::seconds> allowed = {},
                            std::chrono::milliseconds farewell = std::chrono::seconds(5))
      : fd_(fd), allowed_(allowed), farewell_(farewell), end_(::eventfd(0, EFD_CLOEXEC)) {
    if (!end_) throw std::system_error(errno, std::generic_category(), "watch a connection");
    thread_ = boost::scoped_thread<>([this] { watch(); });
  }
  connection_watch(const connection_watch&) = delete;
  connection_watch& operator=(const connection_watch&) = delete;
  ~connection_watch() {
    const std::uint64_t one = 1;
    while (::write(end_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
  }

  /** True once either has come to pass. Threads: any. Lifetime: this object's. */
  const std::atomic<bool>& over() const noexcept { return over_; }

  /** Errors: throws `limit_error` once its time is over. Threads: any. */
  void check_time() const {
    if (late_)
      throw limit_error("session: this server allows " + std::to_string(allowed_->count()) +
                        " s, which have passed");
  }

 private:
  using clock = std::chrono::steady_clock;

  enum class event { none, hangup, end };

  void watch() noexcept {
    const auto until = allowed_ ? std::optional(clock::now() + *allowed_) : std::nullopt;
    auto seen = await(until);
    if (seen == event::none) {
      late_ = true;
      over_ = true;
      seen = await(clock::now() + farewell_);
      if (seen == event::none) ::shutdown(fd_, SHUT_RDWR);
    }
    if (seen == event::hangup) over_ = true;
  }

  /** `none` where neither comes in time. */
  event await(std::optional<clock::time_point> until) const noexcept {
    // Of what arrives only the end is looked for.
    std::array<pollfd, 2> wanted{{{fd_, POLLRDHUP, 0}, {end_.get(), POLLIN, 0}}};
    for (;;) {
      std::int64_t left = -1;
      if (until) {
        left = std::chrono::ceil<std::chrono::milliseconds>(*until - clock::now()).count();
        if (left <= 0) return event::none;
      }
      constexpr std::int64_t longest = 60'000;
      if (::poll(wanted.data(), wanted.size(), static_cast<int>(std::min(left, longest))) <= 0)
        continue;
      return wanted[1].revents != 0 ? event::end : event::hangup;
    }
  }

  int fd_;
  std::optional<std::chrono::seconds> allowed_;
  std::chrono::milliseconds farewell_;
  net::descriptor end_;
  std::atomic<bool> over_{false};
  std::atomic<bool> late_{false};
  boost::scoped_thread<> thread_; ///< Joined before the others go.
};

} // namespace udpbench::control
