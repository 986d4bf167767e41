/** @file
    What there is to say of what this kernel can do.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/words.hpp>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace udpbench::machine {

/** Whether io_uring can be used, and what forbids it. */
inline finding find_io_uring(const facts& f) {
  finding out{.subject = "io_uring"};
  if (!f.tried.io_uring_error) {
    out.found = "Not tried.";
    return out;
  }
  const int error = *f.tried.io_uring_error;
  if (error == 0) {
    out.level = level::ok;
    out.found = "This process may use io_uring.";
    return out;
  }
  out.level = level::note;
  out.why = "Receivers on io_uring can't be measured; the others can.";
  const auto disabled = f.limits.io_uring_disabled.value_or(0);
  if (error == ENOSYS) {
    out.found = "io_uring isn't there, or is hidden (ENOSYS).";
    out.change = "Use Linux 5.1 or later, built with it; under gVisor and the like there is none.";
  } else if (disabled != 0) {
    out.found =
        "io_uring is forbidden: kernel.io_uring_disabled is " + std::to_string(disabled) + ".";
    out.change = "As root: sysctl -w kernel.io_uring_disabled=0.";
  } else if (error == EPERM || error == EACCES) {
    out.found = "io_uring is forbidden to this process, though not by kernel.io_uring_disabled.";
    out.change = "Containers filter it by default; allow it in the seccomp profile of this one.";
  } else {
    out.found = std::string("io_uring can't be set up: ") + std::strerror(error) + ".";
    if (error == ENOMEM) out.change = "Raise the limit of locked memory (ulimit -l).";
  }
  return out;
}

/** Which of the kernel's means for sending, receiving and counting are there. */
inline finding find_features(const facts& f) {
  const tried_facts& t = f.tried;
  struct row {
    std::optional<bool> works;
    const char* what;
  };
  std::vector<std::string> there;
  std::vector<std::string> missing;
  for (const row& r :
       {row{t.segmented_sends, "segmented sends (UDP_SEGMENT)"},
        row{t.batched_sends, "batched sends (sendmmsg)"}, row{t.gro, "joined receives (UDP_GRO)"},
        row{t.batched_receives, "batched receives (recvmmsg)"},
        row{t.drop_counter, "a count of drops (SO_MEMINFO)"}})
    if (r.works) (*r.works ? there : missing).push_back(r.what);
  finding out{.subject = "kernel features"};
  if (there.empty() && missing.empty()) {
    out.found = "Not tried.";
    return out;
  }
  out.level = missing.empty() ? level::ok : level::note;
  out.found = there.empty() ? "" : "There are " + listed(there) + ".";
  if (missing.empty()) return out;
  out.found += (there.empty() ? "Missing: " : " Missing: ") + listed(missing) + ".";
  out.why = "Single sends may limit a flood instead of the receiver, receivers that need what is "
            "missing fail, and without a count of drops losses stay unexplained.";
  out.change = "Use Linux 5.0 or later; some sandboxes lack parts of it on any version.";
  return out;
}

} // namespace udpbench::machine
