/** @file
    What the kernel dropped from each of a server's sockets.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/queue.hpp>
#include <udpbench/server.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace udpbench::experiment {

/** The drop counters of a server's sockets. Lifetime: the server outlives it. Threads: one. */
class socket_drops {
 public:
  /** Of none, until `begin`. */
  explicit socket_drops(any_server& server) : server_(server) {}

  /** Starts at 0 for each of so many sockets, which are open. */
  void begin(std::size_t sockets) {
    meters_.clear();
    for (std::size_t i = 0; i < sockets; ++i)
      meters_.emplace_back(net::drop_counter(server_.native_handle(i)));
    last_.assign(sockets, std::nullopt);
  }

  /** Drops of all sockets since `begin`; empty where the kernel doesn't tell. */
  std::optional<std::uint64_t> read() {
    std::optional<std::uint64_t> all = 0;
    for (std::size_t i = 0; i < meters_.size(); ++i) {
      last_[i] = meters_[i].update(net::drop_counter(server_.native_handle(i)));
      all = all && last_[i] ? std::optional(*all + *last_[i]) : std::nullopt;
    }
    return all;
  }

  /** Those of the i-th, as last read. */
  std::optional<std::uint64_t> last(std::size_t i) const { return last_.at(i); }

 private:
  any_server& server_;
  std::vector<net::drop_meter> meters_;
  std::vector<std::optional<std::uint64_t>> last_;
};

} // namespace udpbench::experiment
