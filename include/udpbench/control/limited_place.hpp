/** @file
    A place as far as a client may use it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/limits.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/receiving_thread.hpp>
#include <udpbench/measure/duplicate_window.hpp>
#include <udpbench/net/open.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace udpbench::control {

/** Lets through what a client may ask for, and binds its receivers to the address that the client has called. Threads: one at a time. */
class limited_place final : public experiment::place {
 public:
  /** @param inner  the place. Lifetime: outlives this.
      @param address  to which every receiver is bound.
      @param ports  of which every socket has one.
      @param most  that is let through. */
  limited_place(experiment::place& inner, boost::asio::ip::address address, net::port_range ports,
                const limits& most)
      : inner_(inner), address_(std::move(address)), ports_(ports), most_(most) {}

  /** Errors: throws `limit_error`, and what the place does. */
  experiment::opened open(const experiment::seat_plan& asked) override {
    check(asked, most_);
    detail::allow("receivers", seats_.size() + 1, most_.receivers);
    const std::size_t sockets = asked.sockets * asked.threads;
    detail::allow("sockets", total(&use::sockets) + sockets, most_.sockets);
    const std::size_t books =
        sockets * (memory_of_books(asked.flows, usual_reach) + asked.work.bytes);
    allow_memory(books + sockets * asked.options.socket.receive_buffer_bytes.value_or(0));
    const auto opened = inner_.open(here(asked));
    const use its{.sockets = sockets,
                  .memory = opened.receive_buffer_bytes * sockets + books,
                  .flows = std::max<std::size_t>(asked.flows, sockets),
                  .joined = opened.joined};
    try {
      allow_memory(its.memory);
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

  /** Errors: as `open`. Over a network nothing is to be told of trains, so no book of them is kept. */
  schedule begin(experiment::seat s, const experiment::round_plan& plan) override {
    check_seat(s, false);
    check(plan, most_);
    auto its = plan;
    if (!address_.is_loopback()) its.count = 0;
    book_reach(seats_.at(s), its.count);
    auto round = inner_.begin(s, its);
    seats_.at(s).in_round = true;
    return round;
  }

  experiment::sample end(experiment::seat s, const send_counts& sent) override {
    check_seat(s, true);
    check(sent, seats_.at(s).flows, most_);
    seats_.at(s).in_round = false;
    return inner_.end(s, sent);
  }

  experiment::tried_work try_work(const experiment::work_trial& t) override {
    check(t, most_);
    allow_memory(t.what.bytes);
    return inner_.try_work(t);
  }

  std::uint64_t capacity(const experiment::seat_plan& asked, const experiment::turn_plan& turn,
                         std::uint64_t most) override {
    check(asked, most_);
    check(turn, most_);
    detail::allow("capacity", most, std::uint64_t{most_.depth});
    // The kernel grants twice what is asked for.
    allow_memory(2 * asked.options.socket.receive_buffer_bytes.value_or(0));
    return inner_.capacity(here(asked), turn, most);
  }

 private:
  static constexpr std::uint64_t usual_reach = measure::duplicate_window::default_reach;

  struct use {
    std::size_t sockets = 0;
    std::size_t memory = 0;            ///< Bytes of receive buffers, ledgers and work.
    std::size_t flows = 1;             ///< That its sender tells of.
    bool joined = false;               ///< Its ledger reaches over a whole round.
    bool in_round = false;             ///< It has begun, and not ended.
    std::uint64_t reach = usual_reach; ///< Of its ledger.
  };

  /** Bytes of a ledger. */
  static std::size_t memory_of_books(std::size_t flows, std::uint64_t reach) {
    return flows * measure::duplicate_window::memory(reach);
  }

  void allow_memory(std::size_t more) const {
    detail::allow("memory", total(&use::memory) + more, most_.memory);
  }

  /** A ledger that has grown once stays as it is. */
  void book_reach(use& its, std::uint64_t count) const {
    const auto reach = std::min(count, experiment::most_reach);
    if (!its.joined || reach <= its.reach) return;
    const auto more = memory_of_books(its.flows, reach) - memory_of_books(its.flows, its.reach);
    allow_memory(more);
    its.memory += more;
    its.reach = reach;
  }

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

  void check_seat(experiment::seat s, bool in_round) const {
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
  std::map<experiment::seat, use> seats_;
};

} // namespace udpbench::control
