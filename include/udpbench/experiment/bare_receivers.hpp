/** @file
    Receivers without work, to hold others against.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/gro.hpp>

namespace udpbench::experiment {

/** Each `bare_receiver`. Lifetime: static. Threads: any. */
inline const catalogue& bare_receivers() {
  static const catalogue both = [] {
    catalogue c;
    c.add<raw_server<measure::ledger, take::batch<>>>(bare_receiver(false), "takes and counts");
    c.add<raw_server<measure::ledger, take::gro<>>>(bare_receiver(true), "takes trains and counts");
    return c;
  }();
  return both;
}

} // namespace udpbench::experiment
