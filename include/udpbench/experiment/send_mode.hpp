/** @file
    Which send policy is used, as it is chosen at run time.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <string_view>

namespace udpbench::experiment {

/** Which send policy datagrams are sent by; `automatic`: the fastest that the kernel takes. */
enum class send_mode {
  automatic, ///< None itself; `choose_mode` turns it into one of the others.
  single,    ///< `send::single`
  batch,     ///< `send::batch`
  segmented, ///< `send::segmented`
};

/** The word for a mode on the command line and on record. */
inline std::string_view name(send_mode mode) noexcept {
  switch (mode) {
  case send_mode::automatic:
    return "auto";
  case send_mode::single:
    return "single";
  case send_mode::batch:
    return "batch";
  case send_mode::segmented:
    return "segmented";
  }
  return "";
}

} // namespace udpbench::experiment
