/** @file
    Leaving the spinning to the kernel.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/idle/block.hpp>
#include <udpbench/net/busy_poll.hpp>

#include <chrono>

namespace udpbench::idle {

/** Receive calls block, and the kernel polls the device's queue for `Microseconds` before they sleep (SO_BUSY_POLL). Only a driver that
    has such a queue polls: over loopback nothing is, and it is as good as `block`. `net::granted_busy_poll` tells what the kernel
    granted: above net.core.busy_read that takes CAP_NET_ADMIN. */
template <unsigned Microseconds = 50>
struct busy_poll : block {
  /** What the kernel is asked for. */
  static constexpr std::chrono::microseconds requested{Microseconds};

  /** Asks for it. @param fd  an open socket. */
  static void prepare(int fd) noexcept { net::request_busy_poll(fd, requested); }
};
static_assert(idle_policy<busy_poll<>>);

} // namespace udpbench::idle
