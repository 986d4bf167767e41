/** @file
    Trains of datagrams: sent by one call, and joined or not when they are received.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "loopback.hpp"

#include <udpbench/net/features.hpp>
#include <udpbench/net/try_receives.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <netinet/in.h>
#include <sys/socket.h>

namespace support {

/** Whether this kernel joins datagrams. */
inline bool joins() {
  const auto fd = udpbench::net::open_receiver(v4());
  return udpbench::net::accepts_gro(fd.get());
}

/** Sends `payload` as one train whose datagrams have `segment` bytes, the last one what is left. False where the kernel
    doesn't take it: it has no segmented sends, or not so many segments. */
inline bool send_train(int fd, std::span<const std::byte> payload, std::size_t segment) {
  iovec part{const_cast<std::byte*>(payload.data()), payload.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint16_t))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = IPPROTO_UDP;
  header->cmsg_type = udpbench::net::features::udp_segment;
  header->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
  const auto size = static_cast<std::uint16_t>(segment);
  std::memcpy(CMSG_DATA(header), &size, sizeof size);
  return ::sendmsg(fd, &message, 0) == static_cast<ssize_t>(payload.size());
}

} // namespace support
