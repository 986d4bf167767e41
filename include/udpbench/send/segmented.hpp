/** @file
    Several datagrams as one, which the kernel cuts up.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/features.hpp>
#include <udpbench/send/send_policy.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>

namespace udpbench::send {

/** Generic segmentation offload: one `sendmsg` with UDP_SEGMENT (udp(7)) carries as many datagrams as fit into 65,473 bytes and
    the kernel's limit of segments. All of them are accepted, or none. */
class segmented {
 public:
  /** Bytes of all segments together. With the headers of Ethernet, IPv6 and UDP they are fewer than 65,536, which an
      interface takes as one packet: the kernel would cut up a longer one before it sends it, and joins nothing of it again on loopback. Source:
      GSO_LEGACY_MAX_SIZE of Linux. */
  static constexpr std::size_t largest_payload = 65'535 - 14 - 40 - 8;

  /** A receiver whose socket has UDP_GRO on may get the datagrams of one call as one train. */
  static constexpr bool in_trains = true;

  /** Datagrams of `size` bytes per call: as many as fit, at least 1. */
  static constexpr std::size_t most(std::size_t size) noexcept {
    return std::clamp<std::size_t>(size == 0 ? 1 : largest_payload / size, 1,
                                   net::features::most_segments);
  }

  /** See `joins_unlike`: all have the size of the first but for the last, which may be shorter. */
  static constexpr bool joins(std::size_t first, std::size_t last, std::size_t next) noexcept {
    return last == first && next <= first;
  }

  /** Gives the first of `d` to the kernel, up to `most`. Errors: within the outcome. */
  outcome operator()(int fd, const datagrams& d) noexcept {
    const std::size_t count = std::min(d.count, most(d.size));
    const std::size_t segment = d.length(0);
    iovec part{d.data, (count - 1) * segment + d.length(count - 1)};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint16_t))] = {};
    if (count > 1) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = IPPROTO_UDP;
      header->cmsg_type = net::features::udp_segment;
      header->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
      const auto size = static_cast<std::uint16_t>(segment);
      std::memcpy(CMSG_DATA(header), &size, sizeof size);
    }
    if (::sendmsg(fd, &message, 0) < 0)
      return {0, count, error_code(errno, boost::system::system_category())};
    return {count, 0, {}};
  }
};
static_assert(send_policy<segmented> && joins_unlike<segmented>);

} // namespace udpbench::send
