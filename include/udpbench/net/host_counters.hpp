/** @file
    The host's own UDP counters: where to look when a ledger doesn't balance.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/device_counters.hpp>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace udpbench::net {

/** Counters of all sockets of this network namespace (and all cpus), IPv4 and IPv6 together, since boot; and of one interface. */
struct host_counters {
  std::uint64_t in_errors = 0;             ///< InErrors: the next three are among them.
  std::uint64_t receive_buffer_errors = 0; ///< RcvbufErrors: no room in a socket's buffer.
  std::uint64_t memory_errors = 0;         ///< MemErrors: beyond the memory that UDP may have.
  std::uint64_t checksum_errors = 0;       ///< InCsumErrors: damaged.
  std::uint64_t softnet_dropped = 0;       ///< Packets, of any kind.
  std::uint64_t device_dropped = 0; ///< Packets of any kind, on their way into the interface.

  /** What was counted from `b` to `a`. */
  friend host_counters operator-(const host_counters& a, const host_counters& b) noexcept {
    return {a.in_errors - b.in_errors,
            a.receive_buffer_errors - b.receive_buffer_errors,
            a.memory_errors - b.memory_errors,
            a.checksum_errors - b.checksum_errors,
            a.softnet_dropped - b.softnet_dropped,
            a.device_dropped - b.device_dropped};
  }
};

namespace detail {

inline void add(std::string_view name, std::uint64_t n, host_counters& out) noexcept {
  if (name == "InErrors")
    out.in_errors += n;
  else if (name == "RcvbufErrors")
    out.receive_buffer_errors += n;
  else if (name == "MemErrors")
    out.memory_errors += n;
  else if (name == "InCsumErrors")
    out.checksum_errors += n;
}

/** Adds the values of the line pair `Udp: names` / `Udp: values` of /proc/net/snmp. */
inline void read_snmp(std::istream& in, host_counters& out) {
  std::string names;
  std::string values;
  while (std::getline(in, names))
    if (names.starts_with("Udp:") && std::getline(in, values)) break;
  std::istringstream name(names);
  std::istringstream value(values);
  std::string key;
  std::string number;
  while (name >> key && value >> number) {
    add(key, std::strtoull(number.c_str(), nullptr, 10), out);
  }
}

/** Adds the values of the lines `Udp6…` of /proc/net/snmp6, which has one for each counter. */
inline void read_snmp6(std::istream& in, host_counters& out) {
  std::string key;
  std::uint64_t n = 0;
  while (in >> key >> n)
    if (key.starts_with("Udp6")) add(std::string_view(key).substr(4), n, out);
}

/** Adds the second column, drops of the per-cpu backlog, of each line of /proc/net/softnet_stat. */
inline void read_softnet(std::istream& in, host_counters& out) {
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream columns(line);
    std::uint64_t processed = 0;
    std::uint64_t dropped = 0;
    if (columns >> std::hex >> processed >> dropped) out.softnet_dropped += dropped;
  }
}

} // namespace detail

/** Reads them; 0 where the kernel doesn't show them. Source: proc(5). Takes some 50 us: not within a timed interval.
    @param device  the interface; empty: none. */
inline host_counters read_host_counters(const std::string& device = {}) {
  host_counters counters;
  std::ifstream snmp("/proc/net/snmp");
  detail::read_snmp(snmp, counters);
  std::ifstream snmp6("/proc/net/snmp6");
  detail::read_snmp6(snmp6, counters);
  std::ifstream softnet("/proc/net/softnet_stat");
  detail::read_softnet(softnet, counters);
  if (!device.empty())
    if (const auto its = read_device_counters(device))
      counters.device_dropped = its->received_dropped;
  return counters;
}

} // namespace udpbench::net
