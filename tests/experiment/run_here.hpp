/** @file
    A comparison in the test's own process.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/record/run.hpp>

namespace experiments {

/** What a plan gives with receivers of that catalogue. */
inline udpbench::record::run run_here(const udpbench::experiment::catalogue& known,
                                      const udpbench::experiment::plan& p) {
  udpbench::experiment::in_process here(known);
  udpbench::record::run out;
  udpbench::experiment::comparison(p, here).run(out);
  return out;
}

} // namespace experiments
