/** @file
    A comparison in this process, in one call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/facts.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/machine.hpp>
#include <udpbench/machine/changes.hpp>

#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::experiment {

namespace detail {

inline void note_changes(record::run& out, const machine::state& before,
                         const machine::state& after) {
  out.context.changes = machine::changes(before, after);
  for (const auto& change : machine::disturbances(before, after))
    out.suspect.push_back({.load = {}, .size = 0, .work = {}, .reason = change});
}

} // namespace detail

/** Compares receivers at a place of this host and returns the record that the program prints. What was measured before a failure is in
    it, and `error` says what failed.
    Errors: throws nothing but bad_alloc. Threads: the calling one sends, others receive. */
inline record::run compare(const plan& p, place& where, const watcher& watch = {},
                           const build_info& build = {}, const std::string& command = {}) {
  record::run run;
  run.experiment = "compare";
  std::vector<unsigned> cpus = p.pin.receiving();
  const auto receiver = cpus.empty() ? std::nullopt : std::optional(cpus.front());
  if (p.pin.sender) cpus.insert(cpus.begin(), *p.pin.sender);
  try {
    run.context = read_machine(build);
    run.context.seed = p.seed;
    run.context.command = command;
    run.context.findings =
        noteworthy(read_facts(build), {.receive_buffer_bytes = p.receive_buffer_bytes,
                                       .sender = p.pin.sender,
                                       .receiver = receiver});
    const auto before = read_warm_state(cpus);
    comparison(p, where, watch).run(run);
    detail::note_changes(run, before, read_warm_state(cpus));
  } catch (const std::exception& e) {
    run.complete = false;
    run.error = e.what();
  }
  for (auto& r : run.results) r.flags = build.flags;
  return run;
}

/** The same with receivers of a catalogue, in this process. */
inline record::run compare(const plan& p, const catalogue& receivers, const watcher& watch = {},
                           const build_info& build = {}, const std::string& command = {}) {
  in_process here(receivers);
  return compare(p, here, watch, build, command);
}

} // namespace udpbench::experiment
