/** @file
    What there is to say of the cpus' frequency.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/chosen_cpus.hpp>
#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/words.hpp>

#include <map>
#include <string>
#include <vector>

namespace udpbench::machine {

/** Whether the frequency follows the load. */
inline finding find_governor(const facts& f, const asked& a) {
  std::map<std::string, std::vector<unsigned>> by_governor;
  for (const unsigned cpu : chosen_cpus(f, a))
    if (const auto known = f.now.governors.find(cpu); known != f.now.governors.end())
      by_governor[known->second].push_back(cpu);
  finding out{.subject = "governor"};
  if (by_governor.empty()) {
    out.found = "The kernel shows no frequency governor.";
    out.why = "Cloud guests and many containers have none: whoever runs the host decides.";
    return out;
  }
  std::vector<std::string> parts;
  for (const auto& [governor, cpus] : by_governor)
    parts.push_back(governor + " on " + cpu_words(cpus));
  out.found = "Governor " + listed(parts) + ".";
  if (by_governor.size() == 1 && by_governor.begin()->first == "performance") {
    out.level = level::ok;
    return out;
  }
  out.level = level::warning;
  out.why = "The frequency follows the load with a delay, so a receiver that rests more between "
            "datagrams runs slower when it works.";
  out.change =
      "As root: cpupower frequency-set -g performance; afterwards set back what was there.";
  return out;
}

/** Whether cpus may exceed their base frequency. */
inline finding find_turbo(const facts& f) {
  if (!f.now.turbo)
    return {.subject = "turbo",
            .found = "The kernel doesn't show whether cpus may exceed their base frequency.",
            .why = "Guests are seldom told."};
  if (!*f.now.turbo)
    return {.level = level::ok, .subject = "turbo", .found = "No cpu exceeds its base frequency."};
  return {.level = level::note,
          .subject = "turbo",
          .found = "Cpus may exceed their base frequency.",
          .why = "How far they do depends on heat and on the other cores, so figures drift; orders "
                 "are random and receivers take turns, which keeps it out of the ratios.",
          .change = "As root, for steadier figures: echo 1 > "
                    "/sys/devices/system/cpu/intel_pstate/no_turbo, or where that isn't there, "
                    "echo 0 > /sys/devices/system/cpu/cpufreq/boost."};
}

} // namespace udpbench::machine
