/** @file
    Reads what this process may do.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/read_state.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <linux/capability.h>

namespace udpbench::machine {

namespace detail {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/** Time over period of one group; no limit where it has none, absent where it can't be read. */
inline std::optional<double> quota_of(const files& from, const std::string& folder) {
  if (const auto line = from.line(folder + "/cpu.max")) {
    const auto blank = line->find(' ');
    if (blank == std::string::npos) return {};
    if (line->starts_with("max")) return no_limit;
    const auto quota = parse_decimal(line->substr(0, blank));
    const auto period = parse_decimal(line->substr(blank + 1));
    if (!quota || !period || *period <= 0) return {};
    return *quota / *period;
  }
  if (const auto line = from.line(folder + "/cpu.cfs_quota_us")) {
    const auto quota = parse_decimal(*line);
    const auto period = from.number(folder + "/cpu.cfs_period_us");
    if (!quota || !period || *period == 0) return {};
    return *quota < 0 ? no_limit : *quota / static_cast<double>(*period);
  }
  return {};
}

/** The least quota of a group and of all above it. */
inline double least_quota(const files& from, const std::string& mount, std::string group) {
  double least = no_limit;
  for (;;) {
    least = std::min(least, quota_of(from, mount + group).value_or(no_limit));
    if (group.empty()) return least;
    group.erase(group.rfind('/'));
  }
}

/** Of both versions of cgroups, for one that is mounted where systemd mounts it. Source: cgroups(7). */
inline std::optional<double> read_cpu_quota(const files& from) {
  const auto groups = from.text("/proc/self/cgroup");
  if (!groups) return {};
  double least = no_limit;
  std::istringstream lines(*groups);
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (!group.starts_with('/') || group == "/") group.clear();
    const bool unified = controllers.empty();
    if (!unified && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    const std::string mount = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controllers;
    least = std::min(least, least_quota(from, mount, group));
  }
  return least;
}

/** Whether the set of effective capabilities has CAP_NET_ADMIN. */
inline std::optional<bool> read_net_admin(const files& from) {
  const auto status = from.text("/proc/thread-self/status");
  const auto set = status ? value_of(*status, "CapEff") : std::nullopt;
  if (!set) return {};
  const std::string_view digits = trimmed(*set);
  std::uint64_t bits = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (problem != std::errc() || end != digits.data() + digits.size()) return {};
  return (bits >> CAP_NET_ADMIN & 1) != 0;
}

} // namespace detail

/** What can be read of it, below the root of `from`. Errors: none. Threads: any, each for itself. */
inline limit_facts read_limits(const files& from = files{}) {
  return {.net_admin = detail::read_net_admin(from),
          .cpu_quota = detail::read_cpu_quota(from),
          .io_uring_disabled = from.number("/proc/sys/kernel/io_uring_disabled")};
}

} // namespace udpbench::machine
