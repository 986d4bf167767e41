/** @file
    What all trials of a search say about a goal. No I/O.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/search/goal.hpp>
#include <udpbench/search/trial.hpp>

#include <map>
#include <optional>
#include <vector>

namespace udpbench::search {

/** All trials of a search, by their loads. */
using trials = std::map<rate, std::vector<trial>>;

/** The bounds that count: a receiver that carries a high load and loses at a lower one isn't said to carry the high one. */
struct bounds {
  std::optional<rate> lower; ///< The highest lower bound below `upper`.
  std::optional<rate> upper; ///< The lowest upper bound.

  /** Whether a load is between them. */
  bool hold(rate load) const noexcept {
    return (!lower || load > *lower) && (!upper || load < *upper);
  }

  /** (upper - lower) / upper; empty unless there are both. */
  std::optional<double> width() const noexcept {
    if (!lower || !upper) return std::nullopt;
    return static_cast<double>(*upper - *lower) / static_cast<double>(*upper);
  }
};

/** The bounds that trials have for a goal.   Errors: as those of `loss_of`. */
inline bounds find_bounds(const trials& all, const goal& g) {
  bounds out;
  for (const auto& [load, at] : all) { // By rising loads.
    const bound is = classify(at, g);
    if (is == bound::lower) out.lower = load;
    if (is != bound::upper) continue;
    out.upper = load;
    break;
  }
  return out;
}

/** Whether a load is an upper bound only since the sender didn't send it: the receiver took what it got. */
inline bool sender_ends_at(std::vector<trial> at_one_load, const goal& g) {
  for (trial& t : at_one_load) {
    if (t.unsent == t.intended) return true;
    t.intended -= t.unsent;
    t.unsent = 0;
  }
  return classify(at_one_load, g) != bound::upper;
}

} // namespace udpbench::search
