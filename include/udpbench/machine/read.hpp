/** @file
    Reads a machine.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/read_cpus.hpp>
#include <udpbench/machine/read_limits.hpp>
#include <udpbench/machine/read_network.hpp>
#include <udpbench/machine/read_running.hpp>
#include <udpbench/machine/read_state.hpp>

namespace udpbench::machine {

/** All that files of the kernel show; `build` and `tried` are left to the caller. It changes nothing.
    Takes some ms. Errors: none; what can't be read is absent. Threads: any. */
inline facts read(const files& from = files{}) {
  facts f;
  f.cpus = read_cpus(from);
  f.now = read_state(from);
  f.network = read_network(from);
  f.firewall = read_firewall(from);
  f.limits = read_limits(from);
  f.running = read_running(from);
  return f;
}

} // namespace udpbench::machine
