/** @file
    A socket's own receive queue: what the kernel dropped from it, what is left in it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <linux/sock_diag.h>
#include <sys/socket.h>

namespace udpbench::net {

/** The socket's drop counter, which wraps at 2^32; empty where the kernel doesn't tell.
    Source: SO_MEMINFO, index SK_MEMINFO_DROPS. */
inline std::optional<std::uint32_t> drop_counter(int fd) noexcept {
  std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t length = sizeof info;
  if (::getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info.data(), &length) != 0 ||
      length <= SK_MEMINFO_DROPS * sizeof info[0])
    return {};
  return info[SK_MEMINFO_DROPS];
}

/** Adds up a 32-bit counter that wraps: every reading counts the difference modulo 2^32. Read it at least each 60 s. */
class drop_meter {
 public:
  /** Starts at `reading`, with 0 drops. */
  explicit drop_meter(std::optional<std::uint32_t> reading) noexcept : last_(reading) {}

  /** Drops since the start; empty once a reading was. */
  std::optional<std::uint64_t> update(std::optional<std::uint32_t> reading) noexcept {
    if (last_ && reading) total_ += static_cast<std::uint32_t>(*reading - *last_);
    last_ = last_ ? reading : last_;
    return last_ ? std::optional(total_) : std::nullopt;
  }

 private:
  std::optional<std::uint32_t> last_;
  std::uint64_t total_ = 0;
};

/** Takes all that is queued out of `fd` and gives each datagram's bytes to `seen`; returns how many there were, `most` at
    the most. Outside the timed interval only. */
template <class Seen>
std::uint64_t drain_queue(int fd, std::uint64_t most, Seen seen) {
  std::array<std::byte, 2048> buffer;
  std::uint64_t count = 0;
  for (; count < most; ++count) {
    const auto length = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (length < 0) break;
    seen(buffer, static_cast<std::size_t>(length));
  }
  return count;
}

} // namespace udpbench::net
