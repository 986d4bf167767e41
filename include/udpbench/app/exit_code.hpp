/** @file
    What the program's end tells its caller.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>

#include <algorithm>

namespace udpbench::app {

/** What the process returns. */
enum exit_code : int {
  done = 0,         ///< All went as asked, also where the run is suspect.
  failed = 1,       ///< While running, or not possible on this machine.
  usage = 2,        ///< Knowable from the command line.
  no_round = 5,     ///< No valid round remains.
  interrupted = 130 ///< What was measured so far has been written.
};

/** The exit code of a run that ended by itself. Threads: any. */
inline exit_code code_of(const record::run& run) {
  if (!run.error.empty()) return failed;
  if (!run.complete) return interrupted;
  const auto has_valid = [](const record::result& r) {
    return std::any_of(r.rounds.begin(), r.rounds.end(),
                       [](const record::round& x) { return x.valid; });
  };
  const auto failing = [](const record::result& r) { return !r.failure.empty(); };
  if (std::any_of(run.results.begin(), run.results.end(), failing)) return failed;
  if (!std::all_of(run.results.begin(), run.results.end(), has_valid)) return no_round;
  return done;
}

} // namespace udpbench::app
