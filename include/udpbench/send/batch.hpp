/** @file
    Several datagrams per send call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/send/send_policy.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

#include <linux/errqueue.h>

namespace udpbench::send {

/** Up to `N` datagrams per `sendmmsg` (sendmmsg(2)). The call forgets an error that came after some were accepted, so the
    socket's queue of errors is asked for it (IP_RECVERR; ip(7)); where that doesn't tell, the next call tries the same datagram. */
template <std::size_t N = 64>
class batch {
  static_assert(N > 0 && N <= 1024, "sendmmsg takes at most UIO_MAXIOV = 1024 messages");

 public:
  /** Datagrams per call. */
  static constexpr std::size_t most(std::size_t) noexcept { return N; }
  /** See `joins_unlike`: any size follows any other. */
  static constexpr bool joins(std::size_t, std::size_t, std::size_t) noexcept { return true; }

  /** Gives the first of `d` to the kernel, up to `most`. Errors: within the outcome. */
  outcome operator()(int fd, const datagrams& d) noexcept {
    const std::size_t count = std::min(d.count, N);
    std::byte* at = d.data;
    for (std::size_t i = 0; i < count; ++i) {
      parts_[i] = {at, d.length(i)};
      at += d.length(i);
      messages_[i].msg_hdr.msg_iov = &parts_[i];
      messages_[i].msg_hdr.msg_iovlen = 1;
    }
    const int accepted = ::sendmmsg(fd, messages_.data(), static_cast<unsigned>(count), 0);
    if (accepted < 0) return {0, 1, error_code(errno, boost::system::system_category())};
    const auto done = static_cast<std::size_t>(accepted);
    const error_code reason = done < count ? queued_error(fd) : error_code();
    return {done, reason ? std::size_t{1} : 0, reason};
  }

 private:
  /** Empties the queue of errors and returns the last of them. */
  static error_code queued_error(int fd) noexcept {
    error_code last;
    alignas(cmsghdr) char control[512];
    for (;;) {
      msghdr message{};
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      if (::recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return last;
      for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
        const bool v4 = c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR;
        const bool v6 = c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR;
        if (!v4 && !v6) continue;
        sock_extended_err error;
        std::memcpy(&error, CMSG_DATA(c), sizeof error);
        last.assign(static_cast<int>(error.ee_errno), boost::system::system_category());
      }
    }
  }

  std::array<iovec, N> parts_{};
  std::array<mmsghdr, N> messages_{};
};
static_assert(send_policy<batch<>> && joins_unlike<batch<>>);

} // namespace udpbench::send
