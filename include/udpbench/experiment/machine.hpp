/** @file
    The machine that a run is made on.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/overhead.hpp>
#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/read_cpus.hpp>
#include <udpbench/machine/read_network.hpp>
#include <udpbench/machine/read_state.hpp>
#include <udpbench/machine/virtualised.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/record/run.hpp>

#include <boost/version.hpp>

#include <chrono>
#include <ctime>
#include <string>
#include <thread>

#include <sys/utsname.h>

namespace udpbench::experiment {

/** The present date and time: UTC, ISO 8601, to the second. */
inline std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/** Reads what the kernel shows of the machine, and measures the clock and the instrument. Takes some 10 ms. It changes nothing. */
inline record::context read_machine(const build_info& build = {}) {
  record::context c;
  c.version = build.version;
  c.build_type = build.type;
  utsname kernel{};
  if (::uname(&kernel) == 0) c.kernel = std::string(kernel.sysname) + " " + kernel.release;
  const machine::files from;
  machine::cpu_facts cpu;
  machine::read_cpu(from, cpu);
  c.cpu = cpu.model.value_or("");
  c.virtualised = machine::virtualised(cpu);
  c.cpus = std::thread::hardware_concurrency();
  c.governor = machine::read_governor(from, 0);
  c.rmem_max = machine::read_rmem_max(from);
  c.boost = std::to_string(BOOST_VERSION / 100'000) + "." +
            std::to_string(BOOST_VERSION / 100 % 1'000) + "." + std::to_string(BOOST_VERSION % 100);
  measure::monotonic_clock clock;
  const auto quality = measure::measure_clock(clock);
  c.clock_resolution_ns = quality.resolution_ns;
  c.clock_read_ns = quality.read_ns;
  c.overhead_ns = instrument_overhead();
  c.started = utc_now();
  return c;
}

} // namespace udpbench::experiment
