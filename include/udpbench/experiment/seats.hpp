/** @file
    The contestants' receivers of one block, and what becomes of one that fails.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/place.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <vector>

namespace udpbench::experiment {

/** Opens receivers at a place and closes them when it ends. What a receiver throws ends that contestant's part, by name, and
    nothing else. Lifetime: place and contestants outlive it. */
class seats {
 public:
  /** @param where  the place that has them.
      @param contestants  known here by their index. */
  seats(place& where, std::vector<contestant>& contestants)
      : where_(where), contestants_(contestants), open_(contestants.size()) {}
  seats(const seats&) = delete;
  seats& operator=(const seats&) = delete;
  ~seats() {
    for (std::size_t i = 0; i < open_.size(); ++i) close(i);
  }

  /** Opens a contestant that has not failed. The plan's own `receiver` is not looked at. */
  void open(std::size_t who, seat_plan plan) {
    if (!contestants_[who].failure.empty()) return;
    plan.receiver = contestants_[who].receiver;
    guarded(who, [&] {
      open_[who] = where_.open(plan);
      contestants_[who].threads = open_[who]->threads;
      contestants_[who].busy_poll = open_[who]->busy_poll;
      contestants_[who].backend = open_[who]->backend;
    });
  }

  /** Does nothing for one that isn't open. */
  void close(std::size_t who) noexcept {
    if (open_[who]) where_.close(open_[who]->number);
    open_[who].reset();
  }

  /** Empty for one that isn't open. */
  const std::optional<opened>& at(std::size_t who) const noexcept { return open_[who]; }

  /** Calls `f(seat)` for one that is open. */
  template <class F>
  void use(std::size_t who, F f) {
    if (!open_[who]) return;
    guarded(who, [&] { f(open_[who]->number); });
  }

 private:
  template <class F>
  void guarded(std::size_t who, F f) {
    try {
      f();
    } catch (const std::exception& e) {
      fail(who, e.what());
    } catch (...) {
      fail(who, unknown_exception);
    }
  }

  void fail(std::size_t who, const char* why) {
    contestants_[who].failure = why;
    close(who);
  }

  place& where_;
  std::vector<contestant>& contestants_;
  std::vector<std::optional<opened>> open_;
};

} // namespace udpbench::experiment
