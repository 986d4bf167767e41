/** @file
    Whether threads sleep.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace udpbench::measure {

/** Whether a thread sleeps, by its line of /proc/PID/task/TID/stat; one that has ended, and so has none, does. Source: proc(5). */
inline bool asleep(std::string_view stat) noexcept {
  // The name before it may hold any character.
  const auto name_end = stat.rfind(") ");
  return name_end == stat.npos || name_end + 2 >= stat.size() ||
         std::string_view("SIZX").find(stat[name_end + 2]) != std::string_view::npos;
}

/** Whether every thread of this process but the calling one sleeps: none runs, waits for a cpu or is held by a tracer. False where the
    system doesn't tell. Costs three system calls for each. Errors: throws std::bad_alloc. */
inline bool other_threads_asleep() {
  const std::string own = std::to_string(::gettid());
  std::error_code problem;
  std::filesystem::directory_iterator each("/proc/self/task", problem);
  for (; !problem && each != std::filesystem::directory_iterator(); each.increment(problem)) {
    if (each->path().filename() == own) continue;
    std::string line;
    std::getline(std::ifstream(each->path() / "stat"), line);
    if (!asleep(line)) return false;
  }
  return !problem;
}

} // namespace udpbench::measure
