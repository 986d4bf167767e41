/** @file
    The only place that opens and binds sockets and sets their options.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/net/descriptor.hpp>

#include <boost/asio/ip/udp.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

/** The only place that opens sockets and sets their options. */
namespace udpbench::net {

/** An address, IPv4 or IPv6, and a port. */
using endpoint = boost::asio::ip::udp::endpoint;

/** Ports of UDP, from the first to the last. */
struct port_range {
  std::uint16_t first = 0; ///< 0: any that the system chooses.
  std::uint16_t last = 0;  ///< Not below `first`.
};

/** What a receiving socket is asked for. */
struct receive_options {
  /** Request for SO_RCVBUF in bytes; empty: the kernel's default stays. */
  std::optional<std::size_t> receive_buffer_bytes = {};
  /** SO_REUSEPORT: further sockets of this user that ask for it, too, may bind to the same port. The kernel gives each of them the flows
      that a hash of their addresses and ports picks for it. Source: socket(7). */
  bool reuse_port = false;
  /** Of which one is chosen where port 0 is asked for. */
  port_range ports = {};
};

/** Where a sending socket's datagrams come from. */
struct source {
  std::optional<boost::asio::ip::address> address = {}; ///< Of this host; empty: by the route.
  std::uint16_t port = 0; ///< Others that ask for it may have it, too; 0: any of `ports`.
  port_range ports = {};  ///< That are used where there is an address.
};

namespace detail {

inline std::string text(const endpoint& e) {
  std::ostringstream out;
  out << e;
  return out.str();
}

[[noreturn]] inline void fail(const std::string& what, const endpoint& where) {
  const error_code reason(errno, boost::system::system_category());
  throw system_error(reason, what + " " + text(where));
}

inline descriptor open_datagram(const endpoint& e) {
  descriptor fd(::socket(e.protocol().family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) fail("open a UDP socket for", e);
  return fd;
}

inline int option(int fd, int level, int name) noexcept {
  int value = 0;
  socklen_t length = sizeof value;
  ::getsockopt(fd, level, name, &value, &length);
  return value;
}

} // namespace detail

/** Lets sockets of this user that ask for it, too, bind to the port of `fd`. Errors: throws `system_error` whose text names `e`. */
inline void share_port(int fd, const endpoint& e) {
  const int on = 1;
  if (::setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
    detail::fail("share the port of", e);
}

/** Bytes of receive buffer that the kernel gave: getsockopt's own value, twice the request (socket(7)). */
inline std::size_t granted_receive_buffer(int fd) noexcept {
  return static_cast<std::size_t>(detail::option(fd, SOL_SOCKET, SO_RCVBUF));
}

/** Where `fd` is bound. Errors: throws `system_error`. */
inline endpoint local_endpoint(int fd) {
  endpoint e;
  auto length = static_cast<socklen_t>(e.capacity());
  if (::getsockname(fd, e.data(), &length) != 0) detail::fail("read the address of", e);
  e.resize(length);
  return e;
}

/** Makes receive calls on a blocking `fd` give up after `tick` with would_block. */
inline void set_receive_timeout(int fd, std::chrono::microseconds tick) noexcept {
  const timeval t{static_cast<time_t>(tick.count() / 1'000'000),
                  static_cast<suseconds_t>(tick.count() % 1'000'000)};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
}

namespace detail {

/** Binds to the first port of `ports` that nobody has. Errors: throws `system_error` whose text names the endpoint, or the ports. */
inline void bind(int fd, endpoint local, const port_range& ports) {
  const bool chosen = local.port() != 0 || ports.first == 0;
  std::uint32_t port = chosen ? local.port() : ports.first;
  for (;; ++port) {
    local.port(static_cast<std::uint16_t>(port));
    if (::bind(fd, local.data(), static_cast<socklen_t>(local.size())) == 0) return;
    if (chosen || errno != EADDRINUSE) fail("bind to", local);
    if (port >= ports.last)
      throw system_error({EADDRINUSE, boost::system::system_category()},
                         "bind to any of the ports " + std::to_string(ports.first) + " to " +
                             std::to_string(ports.last) + " of " + local.address().to_string());
  }
}

} // namespace detail

/** Opens a UDP socket bound to `local`; port 0 lets the system choose, of `options.ports` if they are given.
    `granted_receive_buffer` tells what came of `options.receive_buffer_bytes`, which is a request: above rmem_max it is
    granted to root only.
    Errors: throws `system_error` whose text names the endpoint. Threads: any. Source: socket(7), udp(7). */
inline descriptor open_receiver(const endpoint& local, const receive_options& options = {}) {
  descriptor fd = detail::open_datagram(local);
  if (options.receive_buffer_bytes) {
    constexpr std::size_t most = std::numeric_limits<int>::max() / 2;
    const int bytes = static_cast<int>(std::min(*options.receive_buffer_bytes, most));
    if (::setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0)
      ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }
  // A socket that shares its port before it is bound may be given one that another has, and would take a part of its datagrams.
  const bool chosen = local.port() != 0;
  if (options.reuse_port && chosen) share_port(fd.get(), local);
  detail::bind(fd.get(), local, options.ports);
  if (options.reuse_port && !chosen) share_port(fd.get(), local);
  return fd;
}

/** Sends one datagram from a socket that isn't connected; whether it could be sent isn't told. Threads: any. */
inline void send_from(int fd, const endpoint& to, std::string_view bytes) noexcept {
  ::sendto(fd, bytes.data(), bytes.size(), MSG_DONTWAIT, to.data(),
           static_cast<socklen_t>(to.size()));
}

/** Opens a UDP socket that sends to `remote` alone, from a source if there is one. A full queue on this host is then an error of the send
    call, not a datagram that looks sent (IP_RECVERR; ip(7)).
    Errors: throws `system_error` whose text names the endpoint. Threads: any. */
inline descriptor open_sender(const endpoint& remote, const source& from = {}) {
  descriptor fd = detail::open_datagram(remote);
  const int on = 1;
  if (from.port != 0) ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (from.address) detail::bind(fd.get(), {*from.address, from.port}, from.ports);
  const bool v4 = remote.address().is_v4();
  ::setsockopt(fd.get(), v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_RECVERR : IPV6_RECVERR, &on,
               sizeof on);
  if (::connect(fd.get(), remote.data(), static_cast<socklen_t>(remote.size())) != 0)
    detail::fail("connect to", remote);
  return fd;
}

} // namespace udpbench::net
