/** @file
    Several datagrams per send call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/send/send_policy.hpp>

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/socket.h>

namespace udpbench::send {

/** Up to `N` datagrams per `sendmmsg` (sendmmsg(2)). An error after some were accepted is told by the next call. */
template <std::size_t N = 64>
class batch {
  static_assert(N > 0 && N <= 1024, "sendmmsg takes at most UIO_MAXIOV = 1024 messages");

 public:
  static constexpr std::size_t most(std::size_t) noexcept { return N; }

  outcome operator()(int fd, const datagrams& d) noexcept {
    const std::size_t count = std::min(d.count, N);
    for (std::size_t i = 0; i < count; ++i) {
      parts_[i] = {d.data + i * d.size, d.size};
      messages_[i].msg_hdr.msg_iov = &parts_[i];
      messages_[i].msg_hdr.msg_iovlen = 1;
    }
    const int accepted = ::sendmmsg(fd, messages_.data(), static_cast<unsigned>(count), 0);
    if (accepted < 0) return {0, 1, error_code(errno, boost::system::system_category())};
    return {static_cast<std::size_t>(accepted), 0, {}};
  }

 private:
  std::array<iovec, N> parts_{};
  std::array<mmsghdr, N> messages_{};
};
static_assert(send_policy<batch<>>);

} // namespace udpbench::send
