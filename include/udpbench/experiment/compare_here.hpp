/** @file
    A comparison in this process, in one call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/machine.hpp>

#include <exception>
#include <string>

namespace udpbench::experiment {

/** Compares receivers of a catalogue and returns the record that the program prints. What was measured before a failure is in it,
    and `error` says what failed.
    Errors: throws nothing but bad_alloc. Threads: the calling one sends, another receives. */
inline record::run compare(const plan& p, const catalogue& receivers, const watcher& watch = {},
                           const build_info& build = {}, const std::string& command = {}) {
  record::run run;
  run.experiment = "compare";
  try {
    run.context = read_machine(build);
    run.context.seed = p.seed;
    run.context.command = command;
    in_process here(receivers);
    comparison(p, here, watch).run(run);
  } catch (const std::exception& e) {
    run.complete = false;
    run.error = e.what();
  }
  for (auto& r : run.results) r.flags = build.flags;
  return run;
}

} // namespace udpbench::experiment
