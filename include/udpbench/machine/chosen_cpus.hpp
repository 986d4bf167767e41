/** @file
    Which cpus a run is about.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>

#include <algorithm>
#include <vector>

namespace udpbench::machine {

/** The cpus of a run that is bound to some; otherwise those that it may use, as far as they are known. Ascending. */
inline std::vector<unsigned> chosen_cpus(const facts& f, const asked& a) {
  std::vector<unsigned> cpus;
  for (const auto& cpu : {a.sender, a.receiver})
    if (cpu) cpus.push_back(*cpu);
  if (cpus.empty()) cpus = f.now.allowed_cpus ? *f.now.allowed_cpus : f.cpus.online.value_or(cpus);
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

} // namespace udpbench::machine
