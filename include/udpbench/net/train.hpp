/** @file
    Datagrams that the kernel hands out joined: one receive call gives a train of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/net/features.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

#include <netinet/in.h>
#include <sys/socket.h>

namespace udpbench::net {

/** What one receive call gave: datagrams one behind the other, all of them as long as the first, but for a shorter last one.
    Source: udp(7), UDP_GRO. */
struct train {
  std::size_t bytes = 0;   ///< True length of all together.
  std::size_t segment = 0; ///< Of the first; `bytes` where it is alone.

  /** How many there are; a datagram of length 0 is one. */
  std::size_t datagrams() const noexcept {
    return segment == 0 ? 1 : (bytes + segment - 1) / segment;
  }
};

/** One recvmsg(2) into `buffer`, which cuts off what is too long; the train's length is true all the same. A socket without UDP_GRO
    gives trains of one.
    @param fd  a UDP socket.
    @param buffer  where the bytes go.
    @param flags  further ones.
    @param ec  why there was nothing.   Errors: sets `ec`.   Threads: one. */
inline train receive_train(int fd, std::span<std::byte> buffer, int flags,
                           error_code& ec) noexcept {
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const auto length = ::recvmsg(fd, &message, flags | MSG_TRUNC);
  if (length < 0) {
    ec.assign(errno, boost::system::system_category());
    return {};
  }
  train out{static_cast<std::size_t>(length), static_cast<std::size_t>(length)};
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != IPPROTO_UDP || c->cmsg_type != features::udp_gro) continue;
    int segment = 0;
    std::memcpy(&segment, CMSG_DATA(c), sizeof segment);
    if (segment > 0) out.segment = std::min(static_cast<std::size_t>(segment), out.bytes);
  }
  return out;
}

/** Whether the socket has UDP_GRO on: its drop counter then counts trains. False where the kernel doesn't tell. Threads: any. */
inline bool joins_datagrams(int fd) noexcept {
  int on = 0;
  socklen_t length = sizeof on;
  return ::getsockopt(fd, IPPROTO_UDP, features::udp_gro, &on, &length) == 0 && on != 0;
}

} // namespace udpbench::net
