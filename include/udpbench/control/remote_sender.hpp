/** @file
    The sending end of a load, on another host.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/host_place.hpp>
#include <udpbench/control/sender_fields.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/net/open.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace udpbench::control {

/** A server that sends to receivers here, once each of their sockets has shown the server that it wants that. Lifetime: the host outlives it.
    Threads: one at a time. */
class remote_sender final : public experiment::sender {
 public:
  /** @param host  that sends.
      @param mode  by which.
      @param l  paces the datagrams.
      @param cpu  of the sending thread over there; empty: any. */
  remote_sender(host_place& host, experiment::send_mode mode, const experiment::load& l,
                std::optional<unsigned> cpu)
      : host_(host) {
    plan_.mode = mode;
    plan_.load = l;
    plan_.cpu = cpu;
  }

  void use_flows(std::uint16_t flows) override { plan_.flows = flows; }
  void open(const net::endpoint& remote) override { open_each({&remote, 1}); }
  void open_each(std::span<const net::endpoint> remotes) override {
    plan_.ports.clear();
    for (const auto& each : remotes) plan_.ports.push_back(each.port());
  }

  /** Errors: throws `path_error` where the server doesn't hear them. */
  void introduce(const experiment::introducer& say) override {
    host_.show_path(plan_.ports.size(), say);
  }

  /** Errors: throws what any call does. */
  send_counts send(const schedule& s, std::uint64_t count) override {
    last_ = host_.send(plan_, s, count);
    return last_.counts;
  }

  experiment::pacing_report pacing() const override { return last_.pacing; }
  std::optional<experiment::sending_use> use() const override { return last_.use; }

 private:
  host_place& host_;
  sending_plan plan_;
  sending_report last_;
};

} // namespace udpbench::control
