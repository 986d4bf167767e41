/** @file
    Several places as one: the end of a receiver's name says where it is.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace udpbench::experiment {

/** Receivers whose name ends with `@WHERE` are at the place of that name, where they are called what stands before the `@`; all others are
    at home. Lifetime: the places outlive it. Threads: one at a time. */
class routed_place final : public place {
 public:
  /** @param home  has all receivers without an `@`. */
  explicit routed_place(place& home) : home_(home) {}

  /** Adds the place of all `…@where`. */
  void add(std::string where, place& there) { others_.insert_or_assign(std::move(where), &there); }

  /** Where a receiver's name says that it is; empty: at home. */
  static std::string_view where(std::string_view receiver) noexcept {
    const auto at = receiver.rfind('@');
    return at == std::string_view::npos ? std::string_view() : receiver.substr(at + 1);
  }

  opened open(const seat_plan& plan) override {
    place* there = &home_;
    seat_plan as_known_there = plan;
    if (const auto other = others_.find(where(plan.receiver)); other != others_.end()) {
      there = other->second;
      as_known_there.receiver.resize(plan.receiver.rfind('@'));
    }
    opened result = there->open(as_known_there);
    seats_[next_] = {there, result.number};
    result.number = next_++;
    return result;
  }

  void close(seat s) noexcept override {
    const auto found = seats_.find(s);
    if (found == seats_.end()) return;
    found->second.where->close(found->second.number);
    seats_.erase(found);
  }

  sample turn(seat s, const turn_plan& plan) override {
    return at(s).where->turn(at(s).number, plan);
  }

  schedule begin(seat s, const round_plan& plan) override {
    return at(s).where->begin(at(s).number, plan);
  }

  void send_from(seat s, const net::endpoint& to, std::string_view bytes) override {
    at(s).where->send_from(at(s).number, to, bytes);
  }

  sample end(seat s, const send_counts& sent) override {
    return at(s).where->end(at(s).number, sent);
  }

  tried_work try_work(const work_trial& t) override { return home_.try_work(t); }

  /** Of a socket at home: it is the kernel's, whoever receives from it. */
  std::uint64_t capacity(const seat_plan& plan, const turn_plan& turn,
                         std::uint64_t most) override {
    return home_.capacity(plan, turn, most);
  }

 private:
  struct taken {
    place* where = nullptr;
    seat number = 0;
  };

  const taken& at(seat s) const { return seats_.at(s); }

  place& home_;
  std::map<std::string, place*, std::less<>> others_;
  std::map<seat, taken> seats_;
  seat next_ = 0;
};

} // namespace udpbench::experiment
