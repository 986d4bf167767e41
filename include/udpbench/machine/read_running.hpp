/** @file
    Who else runs at this moment.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/files.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::machine {

/** The names of other processes that run or wait for a cpu, each once, sorted; absent where no process can be seen. Containers show
    their own alone. Source: proc_pid_stat(5). */
inline std::optional<std::vector<std::string>> read_running(const files& from = files{}) {
  std::optional<std::vector<std::string>> all;
  const auto self = from.text("/proc/self/stat");
  for (const std::string& pid : from.names("/proc")) {
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto stat = from.text("/proc/" + pid + "/stat");
    if (!stat) continue;
    const auto open = stat->find('(');
    const auto close = stat->rfind(')');
    if (open == std::string::npos || close == std::string::npos || close + 2 >= stat->size())
      continue;
    if (!all) all.emplace();
    if (self && self->starts_with(pid + " ")) continue;
    if ((*stat)[close + 2] == 'R') all->push_back(stat->substr(open + 1, close - open - 1));
  }
  if (all) {
    std::sort(all->begin(), all->end());
    all->erase(std::unique(all->begin(), all->end()), all->end());
  }
  return all;
}

} // namespace udpbench::machine
