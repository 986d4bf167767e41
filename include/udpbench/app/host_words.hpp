/** @file
    Hosts and ports as they are typed.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/net/open.hpp>

#include <cstdint>
#include <string>

namespace udpbench::app {

/** The port of `udpbench serve`, where none is said. */
inline constexpr std::uint16_t default_port = 7527;

/** A host, by name or address, and a port of it. */
struct host_and_port {
  std::string host;                  ///< Without brackets; an IPv6 address with its scope.
  std::uint16_t port = default_port; ///< Of TCP.
};

/** Reads `HOST`, `HOST:PORT`, `[IPV6]:PORT`; an IPv6 address without a port needs no brackets.
    @param option  that says so.
    @param text  its value.
    @param lowest  port that is allowed.
    Errors: throws `usage_error`. */
inline host_and_port parse_host(const char* option, const std::string& text,
                                std::uint16_t lowest = 1) {
  constexpr auto form = "allowed is HOST, HOST:PORT or [IPV6]:PORT";
  host_and_port out{.host = text};
  std::string port;
  const auto colon = text.rfind(':');
  if (!text.empty() && text.front() == '[') {
    const auto end = text.find(']');
    if (end == std::string::npos) throw usage_error(option, text, form);
    out.host = text.substr(1, end - 1);
    const auto rest = text.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || rest.size() == 1))
      throw usage_error(option, text, form);
    if (!rest.empty()) port = rest.substr(1);
  } else if (colon != std::string::npos && text.find(':') == colon) {
    out.host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (port.empty()) throw usage_error(option, text, form);
  }
  if (out.host.empty() || out.host.find_first_of(" \t\n/") != std::string::npos)
    throw usage_error(option, text, form);
  if (!port.empty())
    out.port = static_cast<std::uint16_t>(parse_count(option, port, {lowest, 65'535}));
  return out;
}

/** Reads `A-B`, or one port. Errors: throws `usage_error`. */
inline net::port_range parse_ports(const char* option, const std::string& text) {
  const auto dash = text.find('-');
  const auto port = [&](const std::string& part) {
    return static_cast<std::uint16_t>(parse_count(option, part, {1, 65'535}));
  };
  net::port_range out;
  out.first = port(text.substr(0, dash));
  out.last = dash == std::string::npos ? out.first : port(text.substr(dash + 1));
  if (out.last < out.first)
    throw usage_error(option, text, "the last port is below the first: allowed is A-B");
  return out;
}

} // namespace udpbench::app
