/** @file
    Why this process can't use io_uring.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/files.hpp>
#include <udpbench/machine/find_kernel.hpp>
#include <udpbench/machine/read_limits.hpp>
#include <udpbench/machine/try_io_uring.hpp>

#include <string>

namespace udpbench::machine {

/** What keeps this process from io_uring, and how to change it, in sentences; empty if nothing does. */
inline std::string why_no_io_uring() {
  facts f;
  f.tried.io_uring_error = try_io_uring();
  if (f.tried.io_uring_error == 0) return {};
  f.limits = read_limits(files{});
  const finding why = find_io_uring(f);
  return why.found + (why.change.empty() ? "" : " " + why.change);
}

} // namespace udpbench::machine
