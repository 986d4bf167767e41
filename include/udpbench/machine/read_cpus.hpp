/** @file
    Reads what doesn't change of the cpus.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>

#include <optional>
#include <sstream>
#include <string>

namespace udpbench::machine {

/** The model of the first cpu, whether a hypervisor shows itself to it, and the product that it is in. */
inline void read_cpu(const files& from, cpu_facts& out) {
  std::istringstream lines(from.text("/proc/cpuinfo").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string value = line.substr(colon + 2);
    if (line.starts_with("model name") && !out.model) out.model = value;
    if (line.starts_with("flags") && !out.hypervisor)
      out.hypervisor = (" " + value + " ").find(" hypervisor ") != std::string::npos;
  }
  for (const char* what : {"sys_vendor", "product_name"})
    if (const auto name = from.line(std::string("/sys/class/dmi/id/") + what))
      out.product = out.product ? *out.product + " " + *name : *name;
}

/** Reads all of it. Threads: any. */
inline cpu_facts read_cpus(const files& from = files{}) {
  const std::string folder = "/sys/devices/system/cpu";
  cpu_facts c;
  read_cpu(from, c);
  c.online = from.cpus(folder + "/online");
  c.isolated = from.cpus(folder + "/isolated");
  if (c.online)
    for (const unsigned cpu : *c.online) {
      const std::string topology = folder + "/cpu" + std::to_string(cpu) + "/topology/";
      // The second is the name that kernels before 5.3 have.
      auto siblings = from.cpus(topology + "core_cpus_list");
      if (!siblings) siblings = from.cpus(topology + "thread_siblings_list");
      if (siblings) c.siblings[cpu] = *siblings;
    }
  c.clock_sources = from.line("/sys/devices/system/clocksource/clocksource0/available_clocksource");
  return c;
}

} // namespace udpbench::machine
