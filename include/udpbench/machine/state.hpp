/** @file
    What may change on a machine while a run lasts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::machine {

/** Time of all cpus together since boot, in the kernel's ticks. */
struct cpu_ticks {
  std::uint64_t busy = 0;  ///< In programs and in the kernel for them; without interrupts.
  std::uint64_t steal = 0; ///< Runnable, but another guest or the host had the cpu.
  std::uint64_t total = 0; ///< Idle time and interrupts among it.
};

/** Absent: not shown here. */
struct state {
  std::map<unsigned, std::string> governors; ///< By cpu; without those that show none.
  std::map<unsigned, double> mhz;            ///< By cpu, at that moment.
  std::optional<bool> turbo;                 ///< Whether cpus may exceed their base frequency.
  std::optional<std::string> clock_source;   ///< That the kernel reads.
  std::optional<cpu_ticks> ticks;            ///< How the cpus have spent their time.
  std::optional<std::uint64_t>
      own_ticks;                   ///< Of this process and its children that have been waited for.
  unsigned ticks_per_second = 100; ///< USER_HZ, see proc(5).
  unsigned cpus = 0;               ///< That `ticks` are summed over.
  std::optional<double> load;      ///< Of the last minute, of everybody: proc_loadavg(5).
  std::optional<std::vector<unsigned>> allowed_cpus; ///< Of the thread that read.
};

} // namespace udpbench::machine
