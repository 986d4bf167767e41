/** @file
    Reads the settings that datagrams meet on their way, and the firewall's.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/parse.hpp>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace udpbench::machine {

namespace detail {

/** `mem` of the line `UDP:` of /proc/net/sockstat, in pages. */
inline std::optional<std::uint64_t> read_udp_pages(const files& from) {
  std::istringstream lines(from.text("/proc/net/sockstat").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t n = 0;
    if (!(words >> word) || word != "UDP:") continue;
    while (words >> word >> n)
      if (word == "mem") return n;
  }
  return {};
}

} // namespace detail

/** The largest receive buffer that anyone may ask for, in bytes. */
inline std::optional<std::uint64_t> read_rmem_max(const files& from = files{}) {
  return from.number("/proc/sys/net/core/rmem_max");
}

/** Inside a network namespace of its own, older kernels show less of it. */
inline network_facts read_network(const files& from = files{}) {
  const std::string core = "/proc/sys/net/core/";
  network_facts n;
  n.rmem_max = read_rmem_max(from);
  n.rmem_default = from.number(core + "rmem_default");
  n.max_backlog = from.number(core + "netdev_max_backlog");
  n.budget = from.number(core + "netdev_budget");
  n.busy_read = from.number(core + "busy_read");
  n.busy_poll = from.number(core + "busy_poll");
  n.loopback_rps = from.line("/sys/class/net/lo/queues/rx-0/rps_cpus");
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  // The first of three numbers is the limit; UDP has no use for the others (ip-sysctl.rst of Linux 5.16 and later).
  if (const auto limits = from.line("/proc/sys/net/ipv4/udp_mem"))
    if (const auto pages = parse_number(limits->substr(0, limits->find_first_of(" \t"))))
      n.udp_limit_bytes = *pages * page;
  if (const auto pages = detail::read_udp_pages(from)) n.udp_in_use_bytes = *pages * page;
  return n;
}

/** A kernel that has it all built in shows no modules; the names of tables can be read by root alone. */
inline firewall_facts read_firewall(const files& from = files{}) {
  firewall_facts f;
  if (const auto modules = from.text("/proc/modules")) {
    f.modules.emplace();
    std::istringstream lines(*modules);
    for (std::string line; std::getline(lines, line);) {
      const std::string name = line.substr(0, line.find(' '));
      for (const std::string_view part : {"nf_", "nft_", "iptable_", "ip6table_", "ip_tables"})
        if (name.starts_with(part)) {
          f.modules->push_back(name);
          break;
        }
    }
  }
  for (const char* path : {"/proc/net/ip_tables_names", "/proc/net/ip6_tables_names"}) {
    const auto names = from.text(path);
    if (!names) continue;
    if (!f.tables) f.tables.emplace();
    std::istringstream lines(*names);
    for (std::string name; std::getline(lines, name);) f.tables->push_back(name);
  }
  f.tracked = from.number("/proc/sys/net/netfilter/nf_conntrack_count");
  f.tracked_most = from.number("/proc/sys/net/netfilter/nf_conntrack_max");
  return f;
}

} // namespace udpbench::machine
