/** @file
    How datagrams are offered to a receiver.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace udpbench::experiment {

/** `backlog[:K]`: K datagrams are put into the receive buffer while the receiver is held, then it is released: the pure
    cost of its path. `flood`: a sender beside it sends as fast as it can: its rate and loss when saturated. */
struct load {
  enum class kind { backlog, flood };

  kind what = kind::backlog;
  std::optional<std::uint64_t>
      depth; ///< Of backlog, in datagrams; empty: 64, or half of what the buffer holds.

  /** As it is written on a command line. */
  std::string name() const {
    if (what == kind::flood) return "flood";
    return depth ? "backlog:" + std::to_string(*depth) : "backlog";
  }

  bool operator==(const load&) const = default;
};

} // namespace udpbench::experiment
