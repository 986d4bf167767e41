/** @file
    One datagram per send call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/send/send_policy.hpp>

#include <cerrno>

#include <sys/socket.h>

namespace udpbench::send {

/** One `send` a datagram (send(2)). */
struct single {
  /** Datagrams per call. */
  static constexpr std::size_t most(std::size_t) noexcept { return 1; }

  /** Gives the first of `d` to the kernel, up to `most`. Errors: within the outcome. */
  outcome operator()(int fd, const datagrams& d) noexcept {
    if (::send(fd, d.data, d.size, 0) < 0)
      return {0, 1, error_code(errno, boost::system::system_category())};
    return {1, 0, {}};
  }
};
static_assert(send_policy<single>);

} // namespace udpbench::send
