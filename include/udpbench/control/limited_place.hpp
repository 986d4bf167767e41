/** @file
    A place as far as a client may use it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/limits.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/net/open.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace udpbench::control {

/** Lets through what a client may ask for, and binds its receivers to the address that the client has called. Threads: one at a time. */
class limited_place final : public experiment::place {
 public:
  /** Of the session's time. */
  using clock = std::chrono::steady_clock;

  /** @param inner  the place. Lifetime: outlives this.
      @param address  to which every receiver is bound.
      @param ports  of which every socket has one.
      @param most  that is let through. */
  limited_place(experiment::place& inner, boost::asio::ip::address address, net::port_range ports,
                const limits& most)
      : inner_(inner), address_(std::move(address)), ports_(ports), most_(most) {}

  /** Errors: throws `limit_error`, and what the place does. */
  experiment::opened open(const experiment::seat_plan& asked) override {
    check_time();
    check(asked, most_);
    detail::allow("receivers", seats_.size() + 1, most_.receivers);
    const std::size_t sockets = asked.sockets * asked.threads;
    detail::allow("sockets", total(&use::sockets) + sockets, most_.sockets);
    const auto opened = inner_.open(here(asked));
    const use its{sockets, opened.receive_buffer_bytes * sockets,
                  std::max<std::size_t>(asked.flows, sockets), false};
    try {
      detail::allow("receive buffers", total(&use::memory) + its.memory, most_.memory);
      seats_.emplace(opened.number, its);
    } catch (...) {
      inner_.close(opened.number);
      throw;
    }
    return opened;
  }

  void close(experiment::seat s) noexcept override {
    seats_.erase(s);
    inner_.close(s);
  }

  experiment::sample turn(experiment::seat s, const experiment::turn_plan& plan) override {
    check_seat(s, false);
    check(plan, most_);
    return inner_.turn(s, plan);
  }

  schedule begin(experiment::seat s, const experiment::round_plan& plan) override {
    check_seat(s, false);
    check(plan, most_);
    auto round = inner_.begin(s, plan);
    seats_.at(s).in_round = true;
    return round;
  }

  experiment::sample end(experiment::seat s, const send_counts& sent) override {
    check_seat(s, true);
    check(sent, seats_.at(s).flows, most_);
    seats_.at(s).in_round = false;
    return inner_.end(s, sent);
  }

  std::uint64_t capacity(const experiment::seat_plan& asked, const experiment::turn_plan& turn,
                         std::uint64_t most) override {
    check_time();
    check(asked, most_);
    check(turn, most_);
    detail::allow("capacity", most, std::uint64_t{most_.depth});
    return inner_.capacity(here(asked), turn, most);
  }

 private:
  struct use {
    std::size_t sockets = 0;
    std::size_t memory = 0; ///< Bytes of receive buffers.
    std::size_t flows = 1;  ///< That its sender tells of.
    bool in_round = false;  ///< It has begun, and not ended.
  };

  experiment::seat_plan here(experiment::seat_plan plan) const {
    plan.address = address_;
    plan.options.socket.ports = ports_;
    return plan;
  }

  std::size_t total(std::size_t use::* what) const noexcept {
    std::size_t sum = 0;
    for (const auto& [seat, its] : seats_) sum += its.*what;
    return sum;
  }

  void check_time() const {
    if (clock::now() - begin_ > most_.session)
      throw limit_error("session: this server allows " + std::to_string(most_.session.count()) +
                        " s, which have passed");
  }

  void check_seat(experiment::seat s, bool in_round) const {
    check_time();
    const auto found = seats_.find(s);
    if (found == seats_.end())
      throw limit_error("receiver " + std::to_string(s) + ": it is not open");
    if (found->second.in_round != in_round)
      throw limit_error("receiver " + std::to_string(s) +
                        (in_round ? ": it is in no round" : ": it is in a round"));
  }

  experiment::place& inner_;
  boost::asio::ip::address address_;
  net::port_range ports_;
  limits most_;
  clock::time_point begin_ = clock::now();
  std::map<experiment::seat, use> seats_;
};

} // namespace udpbench::control
