/** @file
    Whether a machine is a guest.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>

#include <optional>
#include <string_view>

namespace udpbench::machine {

/** Whether this is a guest: by the cpu's flag, or where cpus have none, by the names that hypervisors give their guests. */
inline std::optional<bool> virtualised(const cpu_facts& c) {
  if (c.hypervisor) return c.hypervisor;
  if (!c.product) return {};
  for (const std::string_view guest : {"QEMU", "KVM", "VMware", "VirtualBox", "Xen", "Parallels",
                                       "Google Compute Engine", "Microsoft Corporation Virtual"})
    if (c.product->find(guest) != std::string::npos) return true;
  return {};
}

} // namespace udpbench::machine
