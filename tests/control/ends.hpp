// Both ends of a connection, in one process.
#pragma once

#include <udpbench/control/stream.hpp>

#include <array>
#include <stdexcept>

#include <sys/socket.h>

namespace udpbench::control {

struct ends {
  explicit ends(std::array<int, 2> fds = connected())
      : here(net::descriptor(fds[0])), there(net::descriptor(fds[1])) {}

  stream here;
  stream there;

 private:
  static std::array<int, 2> connected() {
    std::array<int, 2> fds{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
      throw std::runtime_error("no pair of sockets");
    return fds;
  }
};

} // namespace udpbench::control
