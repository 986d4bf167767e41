/** @file
    A run of receivers with several threads.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "examples.hpp"

#include <cstdint>
#include <vector>

namespace examples {

/** Two threads on three cpus; async.shared has them on one context. */
inline record::run threads_run() {
  record::run run = empty_run();
  run.plan.receivers = {"sync", "async.shared"};
  run.plan.loads = {"flood"};
  run.plan.sizes = {1024};
  run.plan.threads = 2;
  run.plan.flows = 32;
  run.plan.pin = {.sender = 0, .receiver = {}, .receivers = {1, 2, 3}};
  const receiver sync{"sync", 1247e3, 640};
  add_result(run, "flood", sync);
  add_result(run, "flood", {"async.shared", 1023e3, 971, 0, 1.0, 0.0});
  add_control(run, "flood", sync);
  add_comparison(run, "flood", "async.shared", 0.82, 0.02, verdict::slower);
  for (record::result& r : run.results) {
    r.threads = 2;
    r.flows = 32;
    if (r.receiver != "sync") continue;
    std::uint64_t i = 0;
    // Which of them is the busier is another from round to round.
    for (record::round& each : r.rounds)
      each.per_thread = i++ % 2 == 0 ? std::vector<std::uint64_t>{600, 400}
                                     : std::vector<std::uint64_t>{400, 600};
  }
  return run;
}

} // namespace examples
