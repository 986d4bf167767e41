/** @file
    Which start of which machine this is.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/files.hpp>

#include <string>

namespace udpbench::machine {

/** A text that all processes of one machine see alike, also those in containers, until it starts anew; empty where the kernel tells none.
    Source: random(4). */
inline std::string boot_id(const files& from = files{}) {
  return from.line("/proc/sys/kernel/random/boot_id").value_or("");
}

} // namespace udpbench::machine
