/** @file
    What a network interface drops.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/open.hpp>

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <istream>
#include <optional>
#include <sstream>
#include <string>

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace udpbench::net {

/** Packets of any kind that an interface dropped, since it was made; a segmented send counts as one until it is cut up. */
struct device_counters {
  std::uint64_t received_dropped =
      0; ///< On their way in, with those that were damaged or found no room.
  std::uint64_t sent_dropped = 0; ///< On their way out, likewise.

  /** What was counted from `b` to `a`. */
  friend device_counters operator-(const device_counters& a, const device_counters& b) noexcept {
    return {a.received_dropped - b.received_dropped, a.sent_dropped - b.sent_dropped};
  }
};

namespace detail {

/** Finds the line of `device` in /proc/net/dev. */
inline std::optional<device_counters> read_device(std::istream& in, const std::string& device) {
  std::string line;
  while (std::getline(in, line)) {
    const auto colon = line.find(':');
    const auto name = line.find_first_not_of(' ');
    if (colon == std::string::npos || name >= colon || line.substr(name, colon - name) != device)
      continue;
    std::istringstream columns(line.substr(colon + 1));
    // bytes, packets, errors, drops, fifo, frame, compressed, multicast; and likewise on the way out, where the errors have the fifo's in them.
    std::uint64_t c[16]{};
    for (auto& each : c) columns >> each;
    if (!columns) return {};
    return device_counters{c[2] + c[3] + c[4], c[10] + c[11]};
  }
  return {};
}

} // namespace detail

/** The interface that has an address of this host; empty where none has. */
inline std::string device_of(const boost::asio::ip::address& address) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  std::string found;
  for (const ifaddrs* each = all; each != nullptr && found.empty(); each = each->ifa_next) {
    if (each->ifa_addr == nullptr) continue;
    const bool six = each->ifa_addr->sa_family == AF_INET6;
    if (!six && each->ifa_addr->sa_family != AF_INET) continue;
    endpoint e(six ? boost::asio::ip::udp::v6() : boost::asio::ip::udp::v4(), 0);
    std::memcpy(e.data(), each->ifa_addr, e.size());
    if (e.address() == address) found = each->ifa_name;
  }
  ::freeifaddrs(all);
  return found;
}

/** The interface that a socket's datagrams come by; empty where that is loopback, of which other counters tell all, or the socket is closed. */
inline std::string device_behind(int fd) {
  endpoint e;
  auto length = static_cast<socklen_t>(e.capacity());
  if (::getsockname(fd, e.data(), &length) != 0 || e.address().is_loopback()) return {};
  return device_of(e.address());
}

/** The address of this host from which datagrams go to another; empty where there is no way. Sends nothing. */
inline std::optional<boost::asio::ip::address> address_towards(const endpoint& remote) {
  try {
    return local_endpoint(open_sender(remote).get()).address();
  } catch (const system_error&) {
    return {};
  }
}

/** What an interface of this network namespace counts; empty where there is no such, or the kernel doesn't tell. Source: /proc/net/dev,
    proc(5). */
inline std::optional<device_counters> read_device_counters(const std::string& device) {
  std::ifstream in("/proc/net/dev");
  return detail::read_device(in, device);
}

} // namespace udpbench::net
