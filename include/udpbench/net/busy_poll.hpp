/** @file
    Polling the device's queue while a receive call waits.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <chrono>
#include <optional>

#include <sys/socket.h>

namespace udpbench::net {

/** How long the kernel polls the device's queue before a receive call sleeps. */
struct busy_polling {
  std::chrono::microseconds requested{};            ///< What it was asked for.
  std::optional<std::chrono::microseconds> granted; ///< Empty where it can't tell.
};

/** Asks the kernel to poll the device's queue for `time` before a receive call sleeps. Above net.core.busy_read this takes
    CAP_NET_ADMIN; `granted_busy_poll` tells what came of it. Source: socket(7), SO_BUSY_POLL. */
inline void request_busy_poll(int fd, std::chrono::microseconds time) noexcept {
  const int value = static_cast<int>(time.count());
  ::setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &value, sizeof value);
}

/** For how long the kernel polls; empty where it can't tell. */
inline std::optional<std::chrono::microseconds> granted_busy_poll(int fd) noexcept {
  int value = 0;
  socklen_t length = sizeof value;
  if (::getsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &value, &length) != 0) return {};
  return std::chrono::microseconds(value);
}

} // namespace udpbench::net
