/** @file
    Reads what may change while a run lasts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/files.hpp>
#include <udpbench/machine/parse.hpp>
#include <udpbench/machine/state.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace udpbench::machine {

/** The governor of a cpu's frequency; cloud guests and many containers show none. */
inline std::optional<std::string> read_governor(const files& from, unsigned cpu) {
  return from.line("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                   "/cpufreq/scaling_governor");
}

namespace detail {

/** The value behind `key:` in a file of such lines. */
inline std::optional<std::string> value_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + ":")) return std::string(trimmed(line).substr(key.size() + 1));
  return {};
}

/** `cpu MHz` of /proc/cpuinfo, by cpu: all that there is without cpufreq. */
inline std::map<unsigned, double> read_cpuinfo_mhz(const files& from) {
  std::map<unsigned, double> all;
  std::istringstream lines(from.text("/proc/cpuinfo").value_or(""));
  std::optional<std::uint64_t> cpu;
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    if (line.starts_with("processor")) cpu = parse_number(line.substr(colon + 1));
    if (!line.starts_with("cpu MHz") || !cpu) continue;
    if (const auto mhz = parse_decimal(line.substr(colon + 1)))
      all[static_cast<unsigned>(*cpu)] = *mhz;
  }
  return all;
}

inline std::optional<bool> read_turbo(const files& from) {
  if (const auto off = from.number("/sys/devices/system/cpu/intel_pstate/no_turbo"))
    return *off == 0;
  if (const auto on = from.number("/sys/devices/system/cpu/cpufreq/boost")) return *on != 0;
  return {};
}

/** The line `cpu` of /proc/stat, and how many cpus it sums up. Guest time is part of user time there. Source: proc_stat(5). */
inline void read_ticks(const files& from, state& out) {
  std::istringstream lines(from.text("/proc/stat").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("cpu")) continue;
    if (line[3] != ' ') {
      ++out.cpus;
      continue;
    }
    enum column : std::size_t { user, nice, system, idle, iowait, irq, softirq, steal, columns };
    std::array<std::uint64_t, columns> n{};
    std::istringstream numbers(line.substr(4));
    cpu_ticks ticks;
    for (auto& each : n) {
      if (!(numbers >> each)) return;
      ticks.total += each;
    }
    ticks.busy = n[user] + n[nice] + n[system];
    ticks.steal = n[steal];
    out.ticks = ticks;
  }
}

/** utime, stime, cutime and cstime, the columns 14 to 17. The second, a name, may hold blanks. Source: proc_pid_stat(5). */
inline std::optional<std::uint64_t> read_own_ticks(const files& from) {
  const auto text = from.text("/proc/self/stat");
  const auto end = text ? text->rfind(')') : std::string::npos;
  if (end == std::string::npos) return {};
  std::istringstream columns(text->substr(end + 1));
  std::string skipped;
  for (int column = 3; column < 14; ++column) columns >> skipped;
  std::uint64_t sum = 0;
  for (int column = 14; column < 18; ++column) {
    std::uint64_t n = 0;
    if (!(columns >> n)) return {};
    sum += n;
  }
  return sum;
}

} // namespace detail

/** Reads it for the cpus that matter; where none is named, for those that the calling thread may use.
    Takes some 100 us: outside of timed intervals. Frequencies are those of the moment, and of an idle cpu they say nothing: call it
    where the cpus are warm. Threads: any. */
inline state read_state(const files& from = files{}, std::vector<unsigned> cpus = {}) {
  state s;
  if (const auto status = from.text("/proc/thread-self/status"))
    if (const auto list = detail::value_of(*status, "Cpus_allowed_list"))
      s.allowed_cpus = parse_cpu_list(*list);
  if (cpus.empty() && s.allowed_cpus) cpus = *s.allowed_cpus;
  const auto cpuinfo = detail::read_cpuinfo_mhz(from);
  for (const unsigned cpu : cpus) {
    if (auto governor = read_governor(from, cpu)) s.governors[cpu] = std::move(*governor);
    if (const auto khz = from.number("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                     "/cpufreq/scaling_cur_freq"))
      s.mhz[cpu] = static_cast<double>(*khz) / 1'000;
    else if (const auto known = cpuinfo.find(cpu); known != cpuinfo.end())
      s.mhz[cpu] = known->second;
  }
  s.turbo = detail::read_turbo(from);
  s.clock_source = from.line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  detail::read_ticks(from, s);
  s.own_ticks = detail::read_own_ticks(from);
  if (const long hertz = ::sysconf(_SC_CLK_TCK); hertz > 0)
    s.ticks_per_second = static_cast<unsigned>(hertz);
  if (const auto load = from.line("/proc/loadavg"))
    s.load = parse_decimal(load->substr(0, load->find(' ')));
  return s;
}

} // namespace udpbench::machine
