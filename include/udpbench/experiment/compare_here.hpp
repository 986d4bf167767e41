/** @file
    A comparison in this process, in one call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/absences.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/describe.hpp>
#include <udpbench/experiment/facts.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/machine.hpp>
#include <udpbench/machine/changes.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/findings.hpp>
#include <udpbench/machine/state.hpp>
#include <udpbench/net/path_mtu.hpp>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

namespace detail {

/** All that is looked at before a run and after it. */
struct look_around {
  std::vector<machine::finding> findings; ///< All of the doctor's.
  machine::state state;                   ///< Of the cpus that matter.
};

inline void note_changes(record::run& out, const look_around& before, const look_around& after) {
  out.context.changes = machine::changes(before.state, after.state);
  auto disturbing = machine::disturbances(before.state, after.state);
  for (auto& change : machine::changed_settings(before.findings, after.findings)) {
    out.context.changes.push_back(change);
    disturbing.push_back(std::move(change));
  }
  for (const auto& change : disturbing)
    out.suspect.push_back({.load = {}, .size = 0, .work = {}, .reason = change});
}

} // namespace detail

/** Compares receivers at a place and returns the record that the program prints. What was measured before a failure is in
    it, and `error` says what failed.
    `make` makes the sender of each load but backlog. Errors: throws nothing but bad_alloc. Threads: the calling one sends, others
    receive. */
inline record::run compare(const plan& p, place& where, const watcher& watch = {},
                           const build_info& build = {}, const std::string& command = {},
                           sender_maker make = make_sender) {
  record::run run;
  run.experiment = "compare";
  // Those of another host are its own business.
  const bool receives = !p.network() || p.reverse;
  std::vector<unsigned> cpus = receives ? p.pin.receiving() : std::vector<unsigned>();
  const auto receiver = cpus.empty() ? std::nullopt : std::optional(cpus.front());
  const auto sender = p.reverse ? std::nullopt : p.pin.sender;
  if (sender) cpus.insert(cpus.begin(), *sender);
  try {
    run.context = read_machine(build);
    run.context.seed = p.seed;
    run.context.command = command;
    const auto look = [&] {
      return detail::look_around{
          machine::findings(read_facts(build), {.receive_buffer_bytes = p.receive_buffer_bytes,
                                                .sender = sender,
                                                .receiver = receiver}),
          read_warm_state(cpus)};
    };
    const auto before = look();
    run.context.findings = noteworthy(before.findings);
    comparison(p, where, watch, std::move(make)).run(run);
    detail::note_changes(run, before, look());
  } catch (const std::exception& e) {
    run.complete = false;
    run.error = e.what();
  }
  for (auto& r : run.results) r.flags = build.flags;
  note_packets(run, p.address, net::path_mtu(p.address));
  note_absences(run);
  return run;
}

/** The same with receivers of a catalogue, in this process. */
inline record::run compare(const plan& p, const catalogue& receivers, const watcher& watch = {},
                           const build_info& build = {}, const std::string& command = {}) {
  in_process here(receivers);
  return compare(p, here, watch, build, command);
}

} // namespace udpbench::experiment
