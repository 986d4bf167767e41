/** @file
    What there is to say of a machine, for somebody who wants to measure on it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/find_buffers.hpp>
#include <udpbench/machine/find_build.hpp>
#include <udpbench/machine/find_cpus.hpp>
#include <udpbench/machine/find_frequency.hpp>
#include <udpbench/machine/find_host.hpp>
#include <udpbench/machine/find_kernel.hpp>
#include <udpbench/machine/find_network.hpp>
#include <udpbench/machine/finding.hpp>

#include <vector>

namespace udpbench::machine {

/** One finding for each subject, always the same subjects in the same order: the build, the cpus, the host, the kernel's network.
    Threads: any. */
inline std::vector<finding> findings(const facts& f, const asked& a = {}) {
  return {find_build(f),
          find_allocations(f),
          find_governor(f, a),
          find_turbo(f),
          find_allowed(f, a),
          find_siblings(f, a),
          find_isolated(f, a),
          find_quota(f),
          find_load(f),
          find_virtualisation(f),
          find_steal(f),
          find_clock(f),
          find_receive_buffer(f, a),
          find_udp_memory(f, a),
          find_steering(f),
          find_softirq(f),
          find_busy_poll(f),
          find_firewall(f),
          find_features(f),
          find_io_uring(f)};
}

} // namespace udpbench::machine
