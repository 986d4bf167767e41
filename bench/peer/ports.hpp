/** @file
    Ports for programs that can't be asked which one the system gave them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/net/descriptor.hpp>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace peers {

namespace detail {

/** Binds a socket on 127.0.0.1 and returns its port; 0 where that port is taken. */
inline std::uint16_t bind_port(const udpbench::net::descriptor& socket, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(socket.get(), generic, size) != 0 || ::getsockname(socket.get(), generic, &size) != 0)
    return 0;
  return ntohs(address.sin_port);
}

} // namespace detail

/** A port of 127.0.0.1 that nobody has, for UDP and TCP. Somebody may take it before it is used; the server that meant to have it then
    fails, and says so. Errors: throws `system_error`. */
inline std::uint16_t free_port() {
  for (int tries = 0; tries < 100; ++tries) {
    const udpbench::net::descriptor udp(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const udpbench::net::descriptor tcp(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto port = detail::bind_port(udp, 0);
    if (port != 0 && detail::bind_port(tcp, port) == port) return port;
  }
  throw udpbench::system_error(udpbench::error_code(errno, boost::system::system_category()),
                               "find a free port of 127.0.0.1");
}

/** Whether a table of the kernel's (/proc/net/tcp or udp, or their 6) has a socket bound to `port`; of TCP only one that listens. Looking
    there disturbs nobody, while a connection made to find out would be taken for the client's. */
inline bool has_server(const std::string& table, std::uint16_t port, bool tcp) {
  std::istringstream lines(table);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream columns(line);
    std::string slot, local, remote, state;
    if (!(columns >> slot >> local >> remote >> state)) continue;
    const auto colon = local.rfind(':');
    if (colon == local.npos || (tcp && state != "0A")) continue;
    std::istringstream digits(local.substr(colon + 1));
    unsigned found = 0;
    if (digits >> std::hex >> found && found == port) return true;
  }
  return false;
}

/** Whether somebody on this host serves that port. */
inline bool is_served(std::uint16_t port) {
  for (const std::string name : {"tcp", "tcp6", "udp", "udp6"}) {
    std::ostringstream table;
    table << std::ifstream("/proc/net/" + name).rdbuf();
    if (has_server(table.str(), port, name.starts_with("tcp"))) return true;
  }
  return false;
}

} // namespace peers
