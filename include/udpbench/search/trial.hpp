/** @file
    Trials, and what those at one load say of it. No I/O.

    The formulas are those of MLRsearch (draft-ietf-bmwg-mlrsearch); durations count by what was intended.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/search/goal.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace udpbench::search {

using rate = std::uint64_t; ///< Datagrams per second.

/** What one trial came to. */
struct trial {
  rate load = 0;                       ///< As intended.
  std::chrono::nanoseconds duration{}; ///< As intended.
  std::uint64_t intended = 0;          ///< Datagrams that load and duration ask for.
  std::uint64_t unsent = 0;            ///< Of these, what the sender did not send in time.
  std::uint64_t received = 0;          ///< Of what was sent; duplicates count once.
};

/** The share of the intended datagrams that didn't arrive: what was not sent in time counts as lost, or a slow sender would make a
    receiver look fast.
    Errors: throws `std::invalid_argument` if nothing was intended, or more arrived than were sent. */
inline double loss_of(const trial& t) {
  if (t.intended == 0) throw std::invalid_argument("a trial of no datagrams");
  if (t.unsent > t.intended || t.received > t.intended - t.unsent)
    throw std::invalid_argument("a trial that received more than was sent");
  return static_cast<double>(t.intended - t.received) / static_cast<double>(t.intended);
}

/** What a load's trials say of it. */
enum class bound { undecided, lower, upper };

namespace detail {

/** Seconds of trials at one load, by their length and loss. */
struct seconds {
  double full_low = 0;
  double full_high = 0;
  double short_low = 0;
  double short_high = 0;
};

inline seconds add_up(std::span<const trial> at_one_load, const goal& g) {
  seconds out;
  for (const trial& t : at_one_load) {
    const bool high = loss_of(t) > g.loss;
    double& of = t.duration < g.trial ? (high ? out.short_high : out.short_low)
                                      : (high ? out.full_high : out.full_low);
    of += std::chrono::duration<double, std::nano>(t.duration).count();
  }
  return out;
}

inline double nanoseconds(std::chrono::nanoseconds t) { return static_cast<double>(t.count()); }

} // namespace detail

/** Whether a load is one that the receiver carries (`lower`: of its bounds) or not. Full-length trials decide, and short ones only in so far
    as more of them have a high loss than the goal allows: it is as if all that are still missing had come out best, and worst.
    @param at_one_load  all trials at that load, of whatever length.
    @param g  what is looked for.
    Errors: as those of `loss_of`. */
inline bound classify(std::span<const trial> at_one_load, const goal& g) {
  const detail::seconds s = detail::add_up(at_one_load, g);
  const double excess = s.short_high - s.short_low * g.exceed / (1 - g.exceed);
  const double high = s.full_high + std::max(0.0, excess);
  const double whole = std::max(s.full_low + high, detail::nanoseconds(g.sum));
  const double quota = whole * g.exceed;
  const bool pessimistic = whole - s.full_low <= quota;
  const bool optimistic = high <= quota;
  if (pessimistic && optimistic) return bound::lower;
  return !pessimistic && !optimistic ? bound::upper : bound::undecided;
}

/** Datagrams per second that were forwarded at a load: the load, less the loss of the best full-length trials that make up so much time as the
    goal asks for. 0 where there aren't enough of them.
    @param at_one_load  all trials at that load.
    @param g  what is looked for.
    Errors: as those of `loss_of`; throws `std::invalid_argument` for no trial. */
inline double conditional_throughput(std::span<const trial> at_one_load, const goal& g) {
  if (at_one_load.empty()) throw std::invalid_argument("the throughput of no trial");
  std::vector<trial> full;
  double sum = 0;
  for (const trial& t : at_one_load)
    if (t.duration >= g.trial) {
      full.push_back(t);
      sum += detail::nanoseconds(t.duration);
    }
  std::sort(full.begin(), full.end(),
            [](const trial& a, const trial& b) { return loss_of(a) < loss_of(b); });
  const double wanted = std::max(sum, detail::nanoseconds(g.sum)) * (1 - g.exceed);
  double covered = 0;
  for (const trial& t : full) {
    covered += detail::nanoseconds(t.duration);
    if (covered >= wanted) return static_cast<double>(t.load) * (1 - loss_of(t));
  }
  return 0;
}

} // namespace udpbench::search
