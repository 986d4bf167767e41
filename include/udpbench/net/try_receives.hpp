/** @file
    Whether this kernel knows a way of receiving, tried out on a socket.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/features.hpp>

#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>

namespace udpbench::net {

/** Turns UDP_GRO on; the socket keeps it. Threads: any. Source: udp(7). */
inline bool accepts_gro(int fd) noexcept {
  const int on = 1;
  return ::setsockopt(fd, IPPROTO_UDP, features::udp_gro, &on, sizeof on) == 0;
}

/** Whether recvmmsg(2) is there and allowed; asks for no datagram. Threads: any. */
inline bool accepts_recvmmsg(int fd) noexcept {
  return ::recvmmsg(fd, nullptr, 0, MSG_DONTWAIT, nullptr) >= 0 || errno == EAGAIN;
}

} // namespace udpbench::net
