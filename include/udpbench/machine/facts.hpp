/** @file
    What is known of a machine: plain data, absent where it isn't known.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/state.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::machine {

// Members have initialisers, so that a few can be named and the others left out.
/** Of the processors. */
struct cpu_facts {
  std::optional<std::string> model{};   ///< As the kernel names it.
  std::optional<bool> hypervisor{};     ///< The flag in /proc/cpuinfo, which x86 alone has.
  std::optional<std::string> product{}; ///< Vendor and product by DMI.
  std::optional<std::vector<unsigned>> online{};   ///< That the kernel schedules on.
  std::optional<std::vector<unsigned>> isolated{}; ///< That it puts nobody on unasked.
  std::map<unsigned, std::vector<unsigned>>
      siblings{};                             ///< Cpus of the same core, itself among them.
  std::optional<std::string> clock_sources{}; ///< Those to choose from, as the kernel lists them.
};

/** Of the network, on its way to a UDP socket. */
struct network_facts {
  std::optional<std::uint64_t> rmem_max{};         ///< Bytes.
  std::optional<std::uint64_t> rmem_default{};     ///< Bytes.
  std::optional<std::uint64_t> udp_limit_bytes{};  ///< Of all UDP queues together.
  std::optional<std::uint64_t> udp_in_use_bytes{}; ///< Now.
  std::optional<std::string> loopback_rps{};       ///< Mask of cpus.
  std::optional<std::uint64_t> max_backlog{};      ///< Datagrams that wait for a cpu's softirq.
  std::optional<std::uint64_t> budget{};           ///< Datagrams of one softirq.
  std::optional<std::uint64_t> busy_read{};        ///< Microseconds.
  std::optional<std::uint64_t> busy_poll{};        ///< Microseconds.
};

/** Of netfilter. */
struct firewall_facts {
  std::optional<std::vector<std::string>> modules{}; ///< Of netfilter, loaded.
  std::optional<std::vector<std::string>> tables{};  ///< Of iptables, in use.
  std::optional<std::uint64_t> tracked{};            ///< Connections that nf_conntrack knows.
  std::optional<std::uint64_t> tracked_most{};       ///< That it can know.
};

/** What this process may do. */
struct limit_facts {
  std::optional<bool> net_admin{};   ///< May exceed `rmem_max`: CAP_NET_ADMIN.
  std::optional<double> cpu_quota{}; ///< Cpus' worth of time by its cgroups; infinite: no limit.
  std::optional<std::uint64_t> io_uring_disabled{}; ///< kernel.io_uring_disabled: 0, 1 or 2.
};

/** What the executable knows of itself; a caller fills it in. */
struct build_facts {
  std::string type{};              ///< CMAKE_BUILD_TYPE.
  std::string flags{};             ///< Of the compiler.
  std::string compiler{};          ///< Name and version.
  bool asserts = false;            ///< NDEBUG isn't defined.
  bool optimised = true;           ///< By the compiler's own word.
  bool sanitizer = false;          ///< By its macros, which not every sanitizer has.
  bool counts_allocations = false; ///< Of each thread.
};

/** What was tried out; a caller fills it in. Absent: not tried. */
struct tried_facts {
  std::optional<bool> segmented_sends{};  ///< UDP_SEGMENT.
  std::optional<bool> batched_sends{};    ///< sendmmsg(2).
  std::optional<bool> gro{};              ///< UDP_GRO.
  std::optional<bool> batched_receives{}; ///< recvmmsg(2).
  std::optional<bool> drop_counter{};     ///< SO_MEMINFO.
  std::optional<int> io_uring_error{};    ///< Of io_uring_setup(2), an errno; 0: it works.
};

/** All that is known of a machine. */
struct facts {
  state now;                                       ///< What may change while a run lasts.
  cpu_facts cpus;                                  ///< Of the processors.
  network_facts network;                           ///< Of the network.
  firewall_facts firewall;                         ///< Of netfilter.
  limit_facts limits;                              ///< What this process may do.
  std::optional<std::vector<std::string>> running; ///< Others that run at this moment, by name.
  build_facts build;                               ///< Of the executable.
  tried_facts tried;                               ///< What was tried out.
};

/** What a run wants of the machine. Empty: the kernel's default; not bound to a cpu. */
struct asked {
  std::optional<std::uint64_t> receive_buffer_bytes{}; ///< Before the kernel doubles it.
  std::optional<unsigned> sender{};                    ///< Its cpu.
  std::optional<unsigned> receiver{};                  ///< Its cpu.
};

} // namespace udpbench::machine
