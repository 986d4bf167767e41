/** @file
    What the machine and the build are like, and how the machine changes meanwhile.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/findings.hpp>
#include <udpbench/machine/read.hpp>
#include <udpbench/machine/try_io_uring.hpp>
#include <udpbench/measure/allocations.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/net/try_receives.hpp>
#include <udpbench/record/run.hpp>

#include <boost/asio/ip/address_v4.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace udpbench::experiment {

namespace detail {

inline machine::build_facts build_facts(const experiment::build_info& build) {
  namespace features = net::features;
  return {.type = build.type,
          .flags = build.flags,
          .compiler = std::string(features::compiler),
          .asserts = features::asserts,
          .optimised = features::optimised,
          .sanitizer = features::sanitizer,
          .counts_allocations = measure::thread_allocations().has_value()};
}

/** Tries it out on sockets of its own, which are closed again. */
inline machine::tried_facts try_kernel() {
  const auto here = boost::asio::ip::address_v4::loopback();
  const auto works = [&](experiment::send_mode mode) {
    return experiment::mode_works(mode, here, 1024);
  };
  const auto socket = net::open_receiver({here, 0});
  return {.segmented_sends = works(experiment::send_mode::segmented),
          .batched_sends = works(experiment::send_mode::batch),
          .gro = net::accepts_gro(socket.get()),
          .batched_receives = net::accepts_recvmmsg(socket.get()),
          .drop_counter = net::drop_counter(socket.get()).has_value(),
          .io_uring_error = machine::try_io_uring()};
}

} // namespace detail

/** All that can be known of the place where something is to be measured. It changes nothing. Takes some ms.
    @param build  of the program.
    @param from  where the kernel's files are.
    Errors: `system_error` where no socket can be had. */
inline machine::facts read_facts(const build_info& build,
                                 const machine::files& from = machine::files{}) {
  machine::facts facts = machine::read(from);
  facts.build = detail::build_facts(build);
  facts.tried = detail::try_kernel();
  return facts;
}

/** Those findings of the doctor that a reader of figures should know: notes and warnings. */
inline std::vector<record::finding> noteworthy(const std::vector<machine::finding>& all) {
  std::vector<record::finding> out;
  for (const auto& f : all)
    if (f.level == machine::level::note || f.level == machine::level::warning)
      out.push_back({std::string(machine::name(f.level)), f.subject, f.found});
  return out;
}

/** What may change on the machine, read on cpus that have been running for 10 ms each: an idle one shows a frequency of its own.
    @param cpus  those that matter; empty: the present one, whichever that is. */
inline machine::state read_warm_state(const std::vector<unsigned>& cpus) {
  using clock = measure::monotonic_clock;
  const machine::files from;
  machine::state s = machine::read_state(from, cpus);
  for (const unsigned cpu : cpus) {
    const net::scoped_affinity bound(cpu);
    for (const auto end = clock::now() + std::chrono::milliseconds(10); clock::now() < end;) {
    }
    const machine::state warm = machine::read_state(from, {cpu});
    if (const auto mhz = warm.mhz.find(cpu); mhz != warm.mhz.end()) s.mhz[cpu] = mhz->second;
  }
  if (cpus.empty()) s.mhz.clear();
  return s;
}

} // namespace udpbench::experiment
