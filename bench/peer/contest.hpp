/** @file
    Everybody against everybody: rounds in which each entrant runs once, in an order that treats all alike.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "figures.hpp"
#include "process.hpp"

#include <udpbench/experiment/orders.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace peers {

/** Who takes part. */
struct entrant {
  std::string name;     ///< Of a tool, or of a receiver of udpbench.
  std::string send;     ///< How datagrams are sent to it: single, batch or segmented.
  bool is_peer = false; ///< It is not of udpbench.
  std::function<figures(std::size_t)>
      run; ///< One run at a size. Errors: `run_error`, `interrupted`.
};

/** A run that gave no figures. */
struct failure {
  std::uint64_t round = 0; ///< Counted from 0.
  std::string reason;      ///< The rest of a sentence that begins with the name.
};

/** What came of an entrant at one size. */
struct entry {
  std::string name;                           ///< As of the entrant.
  std::string send;                           ///< Likewise.
  bool is_peer = false;                       ///< Likewise.
  std::vector<std::optional<figures>> rounds; ///< Empty where there was no run, or a failure.
  std::vector<failure> failures;              ///< In the order of rounds.
};

/** All that was measured at one size. */
struct field {
  std::size_t size = 0; ///< Payload, bytes.
  std::vector<entry> entries;
};

/** What a contest left. */
struct outcome {
  std::vector<field> fields; ///< One for each size.
  bool complete = true;      ///< False: interrupted.
};

/** Whether it is run no more at that size, having failed twice in a row: one that hangs costs its whole deadline each time. */
inline bool given_up(const entry& e) {
  const auto n = e.rounds.size();
  return n >= 2 && !e.rounds[n - 1] && !e.rounds[n - 2];
}

namespace detail {

inline void run_once(const entrant& who, std::size_t size, entry& to) {
  const auto round = to.rounds.size();
  to.rounds.emplace_back();
  try {
    to.rounds.back() = who.run(size);
  } catch (const interrupted&) {
    throw;
  } catch (const std::exception& e) {
    to.failures.push_back({round, e.what()});
  }
}

} // namespace detail

/** Runs all rounds of all sizes: in each round everybody once, in a random order, in the next in the reverse one.
    @param say  gets what runs next.
    An interrupt ends it; what was measured so far is there. */
inline outcome contest(const std::vector<entrant>& all, const std::vector<std::size_t>& sizes,
                       std::uint64_t rounds, std::uint64_t seed,
                       const std::function<void(const entry&, std::size_t, std::uint64_t)>& say) {
  outcome out;
  for (const auto size : sizes) {
    out.fields.push_back({size, {}});
    for (const auto& e : all)
      out.fields.back().entries.push_back({e.name, e.send, e.is_peer, {}, {}});
  }
  udpbench::experiment::orders orders(all.size(), seed);
  try {
    for (auto& at : out.fields)
      for (std::uint64_t round = 0; round < rounds; ++round)
        for (const auto i : orders.next()) {
          auto& entry = at.entries[i];
          if (given_up(entry)) continue;
          say(entry, at.size, round);
          detail::run_once(all[i], at.size, entry);
        }
  } catch (const interrupted&) {
    out.complete = false;
  }
  return out;
}

} // namespace peers
