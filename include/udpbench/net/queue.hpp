/** @file
    A socket's own receive queue: what the kernel dropped from it, what is left in it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/net/train.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <linux/sock_diag.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace udpbench::net {

namespace detail {

/** A value of SO_MEMINFO; empty where the kernel doesn't tell. */
inline std::optional<std::uint32_t> memory_info(int fd, std::size_t index) noexcept {
  std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t length = sizeof info;
  if (::getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info.data(), &length) != 0 ||
      length <= index * sizeof info[0])
    return {};
  return info[index];
}

} // namespace detail

/** Bytes of memory that what is queued takes, as the kernel accounts for it against the receive buffer; empty where it doesn't tell.
    Source: SO_MEMINFO, index SK_MEMINFO_RMEM_ALLOC. */
inline std::optional<std::uint64_t> queued_memory(int fd) noexcept {
  return detail::memory_info(fd, SK_MEMINFO_RMEM_ALLOC);
}

/** The socket's drop counter, which wraps at 2^32; empty where the kernel doesn't tell. A train of joined datagrams counts once (see
    `joins_datagrams`).
    Source: SO_MEMINFO, index SK_MEMINFO_DROPS. */
inline std::optional<std::uint32_t> drop_counter(int fd) noexcept {
  return detail::memory_info(fd, SK_MEMINFO_DROPS);
}

/** Bytes of the next datagram that is queued; 0 where none is, or that one has none. Source: udp(7), FIONREAD. */
inline std::size_t next_length(int fd) noexcept {
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
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

/** Takes all that is queued out of `fd` and gives each datagram to `seen(bytes, length)`, with its true length; returns how many there
    were, `most` at the most, but for the rest of a train. Outside the timed interval only. Errors: std::bad_alloc. */
template <class Seen>
std::uint64_t drain_queue(int fd, std::uint64_t most, Seen seen) {
  std::vector<std::byte> buffer(64 * 1024);
  std::uint64_t count = 0;
  while (count < most) {
    error_code ec;
    const train t = receive_train(fd, buffer, MSG_DONTWAIT, ec);
    if (ec) break;
    for (std::size_t i = 0; i < t.datagrams(); ++i) {
      const std::size_t at = std::min(i * t.segment, buffer.size());
      const std::size_t length = std::min(t.segment, t.bytes - i * t.segment);
      const std::span<const std::byte> bytes(buffer.data() + at,
                                             std::min(length, buffer.size() - at));
      seen(bytes, length);
      ++count;
    }
  }
  return count;
}

} // namespace udpbench::net
