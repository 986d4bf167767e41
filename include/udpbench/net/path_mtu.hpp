/** @file
    What fits into one packet on the way to an address.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/descriptor.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/udp.hpp>

#include <cstddef>
#include <optional>

#include <netinet/in.h>
#include <sys/socket.h>

namespace udpbench::net {

/** The MTU of the path to an address as the kernel knows it, in bytes; empty where it doesn't tell. Sends nothing. Source: ip(7), IP_MTU;
    ipv6(7), IPV6_MTU. Threads: any. */
inline std::optional<std::size_t> path_mtu(const boost::asio::ip::address& to) noexcept {
  const bool six = to.is_v6();
  const descriptor socket(::socket(six ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // The port is of no account, but there must be one.
  const boost::asio::ip::udp::endpoint end(to, 9);
  if (!socket || ::connect(socket.get(), end.data(), static_cast<socklen_t>(end.size())) != 0)
    return {};
  int mtu = 0;
  socklen_t length = sizeof mtu;
  if (::getsockopt(socket.get(), six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_MTU : IP_MTU, &mtu,
                   &length) != 0 ||
      mtu <= 0)
    return {};
  return static_cast<std::size_t>(mtu);
}

/** Bytes of the headers of IP and UDP before a payload that isn't cut up. */
inline std::size_t header_bytes_before(const boost::asio::ip::address& to) noexcept {
  return to.is_v6() ? 48 : 28;
}

/** Packets that a datagram takes: more than 1 are fragments, each but the last with a multiple of 8 bytes. Source: RFC 791, RFC 8200 4.5.
    @param payload  bytes.
    @param mtu  bytes; at least 68, as IP asks.
    @param to  its address says which IP. */
inline std::size_t packets_of(std::size_t payload, std::size_t mtu,
                              const boost::asio::ip::address& to) noexcept {
  if (payload + header_bytes_before(to) <= mtu) return 1;
  // The header of UDP is cut up with the payload; over IPv6 each fragment has 8 bytes more of its own.
  const std::size_t udp = 8;
  const std::size_t each = (mtu - (to.is_v6() ? 48 : 20)) / 8 * 8;
  return (payload + udp + each - 1) / each;
}

} // namespace udpbench::net
