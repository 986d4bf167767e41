/** @file
    What there is to say of the memory that datagrams wait in.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>

#include <cstdint>
#include <string>

namespace udpbench::machine {

/** Whether the kernel grants the receive buffer that is asked for. */
inline finding find_receive_buffer(const facts& f, const asked& a) {
  finding out{.subject = "receive buffer"};
  const auto& most = f.network.rmem_max;
  if (!most) {
    out.found = "The kernel doesn't show how large a receive buffer may be (net.core.rmem_max).";
    out.why = "Inside a container's network some kernels hide it; what is granted stands in each "
              "result.";
    return out;
  }
  out.level = level::ok;
  const std::string limit = std::to_string(*most) + " bytes";
  if (!a.receive_buffer_bytes) {
    out.found =
        "A run takes the kernel's own receive buffer" +
        (f.network.rmem_default ? ", " + std::to_string(*f.network.rmem_default) + " bytes" : "") +
        ", unless --receive-buffer asks for more; granted are up to " + limit + ".";
    return out;
  }
  const std::uint64_t wanted = *a.receive_buffer_bytes;
  out.found =
      "Asked for are " + std::to_string(wanted) + " bytes, and net.core.rmem_max is " + limit + ".";
  if (wanted <= *most) return out;
  if (f.limits.net_admin.value_or(false)) {
    out.level = level::note;
    out.why = "This process may exceed it (CAP_NET_ADMIN); others that measure here may not.";
  } else {
    out.level = level::warning;
    out.why = "The kernel grants less than is asked for, and a run that asks for it ends.";
  }
  out.change = "As root: sysctl -w net.core.rmem_max=" + std::to_string(wanted) + ".";
  return out;
}

/** Whether a run's queues fit below the limit that all UDP queues share. */
inline finding find_udp_memory(const facts& f, const asked& a) {
  finding out{.subject = "UDP memory"};
  if (!f.network.udp_limit_bytes || !f.network.udp_in_use_bytes) {
    out.found = "The kernel doesn't show its limit for all UDP queues together.";
    return out;
  }
  const std::uint64_t limit = *f.network.udp_limit_bytes;
  const std::uint64_t used = *f.network.udp_in_use_bytes;
  // The kernel doubles what is asked for (socket(7)), and at most two queues are full at a time.
  const std::uint64_t buffer =
      a.receive_buffer_bytes ? *a.receive_buffer_bytes * 2 : f.network.rmem_default.value_or(0);
  const std::uint64_t needed = 2 * buffer;
  out.found = "All UDP queues together may take " + std::to_string(limit >> 20) +
              " MiB, and now take " + std::to_string(used >> 20) + " MiB.";
  if (used <= limit && limit - used >= needed) {
    out.level = level::ok;
    return out;
  }
  out.level = level::warning;
  out.why = "A run's queues may take " + std::to_string(needed >> 20) +
            " MiB; beyond the limit the kernel drops datagrams, however large the socket's own "
            "buffer (MemErrors).";
  out.change =
      "As root, raise the first of the three numbers of net.ipv4.udp_mem, which are pages; "
      "or ask for a smaller receive buffer.";
  return out;
}

} // namespace udpbench::machine
