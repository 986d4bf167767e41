/** @file
    What a search looks for. No I/O.

    The terms and presets are those of MLRsearch (draft-ietf-bmwg-mlrsearch) and of RFC 2544 section 26.1.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace udpbench::search {

/** Which loads a receiver is said to carry. All shares are of 1. */
struct goal {
  std::string name; ///< For messages and results.
  std::chrono::nanoseconds
      trial{}; ///< Trials at least so long are full-length ones, shorter ones are short.
  std::chrono::nanoseconds sum{}; ///< So much of full-length trials decides about a load.
  double loss = 0;                ///< A trial that loses more has a high loss.
  double exceed = 0; ///< So much of a load's trial time may be of trials with a high loss.
  double width = 0;  ///< (upper - lower) / upper, at which the bounds are near enough.
};

/** The goals that have names. */
inline std::array<goal, 4> presets() {
  using namespace std::chrono_literals;
  return {{{.name = "rfc2544", .trial = 60s, .sum = 60s, .width = 0.005},
           {.name = "ndr", .trial = 1s, .sum = 21s, .exceed = 0.5, .width = 0.005},
           {.name = "pdr", .trial = 1s, .sum = 21s, .loss = 0.005, .exceed = 0.5, .width = 0.005},
           {.name = "quick", .trial = 200ms, .sum = 1s, .exceed = 0.5, .width = 0.02}}};
}

/** The goal of that name.
    Errors: throws `std::invalid_argument` for any other name, with those that there are. */
inline goal preset(std::string_view name) {
  std::string known;
  for (const goal& each : presets()) {
    if (each.name == name) return each;
    known += (known.empty() ? "" : ", ") + each.name;
  }
  throw std::invalid_argument("goal '" + std::string(name) + "': allowed are " + known);
}

namespace detail {

inline void check_share(const goal& g, const char* what, double x, bool may_be_0) {
  if (std::isfinite(x) && x < 1 && (may_be_0 ? x >= 0 : x > 0)) return;
  throw std::invalid_argument("goal '" + g.name + "': " + what + " " + std::to_string(x) +
                              ": allowed is from 0" + (may_be_0 ? "" : " (excluded)") +
                              " to below 1");
}

inline void check_goal(const goal& g) {
  check_share(g, "loss", g.loss, true);
  check_share(g, "exceed", g.exceed, true);
  check_share(g, "width", g.width, false);
  if (g.trial <= std::chrono::nanoseconds::zero())
    throw std::invalid_argument("goal '" + g.name + "': trial " + std::to_string(g.trial.count()) +
                                " ns: allowed is above 0");
  if (g.sum < g.trial)
    throw std::invalid_argument("goal '" + g.name + "': sum " + std::to_string(g.sum.count()) +
                                " ns: allowed is from one trial (" +
                                std::to_string(g.trial.count()) + " ns)");
}

} // namespace detail

/** Whether a search can look for these.
    Errors: throws `std::invalid_argument`, which names goal and figure, for none, for two of one name, and for what no load can meet or
    all do. */
inline void check_goals(std::span<const goal> goals) {
  if (goals.empty()) throw std::invalid_argument("goals: at least one");
  for (std::size_t i = 0; i < goals.size(); ++i) {
    detail::check_goal(goals[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (goals[j].name == goals[i].name)
        throw std::invalid_argument("goal '" + goals[i].name + "': there are two of this name");
  }
}

} // namespace udpbench::search
