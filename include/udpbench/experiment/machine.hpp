/** @file
    The machine that a run is made on.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/overhead.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/record/run.hpp>

#include <boost/version.hpp>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include <sys/utsname.h>

namespace udpbench::experiment {

namespace detail {

/** The first line of a file of the kernel's; empty if it isn't there. */
inline std::optional<std::string> first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return {};
  return line;
}

/** Reads the model of the first cpu, and whether a hypervisor shows itself. */
inline void read_cpu(std::istream& in, record::context& c) {
  std::string line;
  while (std::getline(in, line)) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string value = line.substr(colon + 2);
    if (line.starts_with("model name") && c.cpu.empty()) c.cpu = value;
    if (line.starts_with("flags") && !c.virtualised)
      c.virtualised = (" " + value + " ").find(" hypervisor ") != std::string::npos;
  }
}

inline std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

} // namespace detail

/** Reads what the kernel shows of the machine, and measures the clock and the instrument. Takes some 10 ms. It changes nothing. */
inline record::context read_machine(const build_info& build = {}) {
  record::context c;
  c.version = build.version;
  c.build_type = build.type;
  utsname kernel{};
  if (::uname(&kernel) == 0) c.kernel = std::string(kernel.sysname) + " " + kernel.release;
  std::ifstream cpuinfo("/proc/cpuinfo");
  detail::read_cpu(cpuinfo, c);
  c.cpus = std::thread::hardware_concurrency();
  c.governor = detail::first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (const auto most = detail::first_line("/proc/sys/net/core/rmem_max"))
    c.rmem_max = std::strtoull(most->c_str(), nullptr, 10);
  c.boost = std::to_string(BOOST_VERSION / 100'000) + "." +
            std::to_string(BOOST_VERSION / 100 % 1'000) + "." + std::to_string(BOOST_VERSION % 100);
  measure::monotonic_clock clock;
  const auto quality = measure::measure_clock(clock);
  c.clock_resolution_ns = quality.resolution_ns;
  c.clock_read_ns = quality.read_ns;
  c.overhead_ns = instrument_overhead();
  c.started = detail::utc_now();
  return c;
}

} // namespace udpbench::experiment
