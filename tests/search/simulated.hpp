// Receivers that are a formula, and a search over them.
#pragma once

#include <udpbench/search/search.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace simulated {

namespace search = udpbench::search;

/** The share of what is sent at a load that a receiver loses in one trial. */
using receiver = std::function<double(search::rate)>;

/** Loses what is above its capacity. */
inline receiver capacity(search::rate most) {
  return [most](search::rate load) {
    return load <= most ? 0.0 : static_cast<double>(load - most) / static_cast<double>(load);
  };
}

/** How likely a trial loses at a load: half at `middle`, where it rises within some thousandths. */
inline double likely(search::rate load, double middle) {
  return 1 / (1 + std::exp(-(static_cast<double>(load) - middle) / (middle * 0.001)));
}

/** Loses by chance: nothing, or 3 %. */
inline receiver noisy(double middle, unsigned seed) {
  return [middle, random = std::mt19937(seed)](search::rate load) mutable {
    return std::uniform_real_distribution<>()(random) < likely(load, middle) ? 0.03 : 0.0;
  };
}

/** What a trial of a receiver comes to, by a sender that sends at most `sendable` a second. */
inline search::trial run(const search::order& what, const receiver& of,
                         search::rate sendable = 100'000'000) {
  const auto count = [&](search::rate a_second) {
    return static_cast<std::uint64_t>(
        static_cast<double>(a_second) *
        std::chrono::duration_cast<std::chrono::duration<double>>(what.duration).count());
  };
  const std::uint64_t sent = count(std::min(what.load, sendable));
  const auto lost = static_cast<std::uint64_t>(
      std::ceil(of(std::min(what.load, sendable)) * static_cast<double>(sent)));
  return {what.load, what.duration, count(what.load), count(what.load) - sent, sent - lost};
}

/** A search to its end.   @return the number of trials. */
inline int carry_out(search::search& s, const receiver& of, search::rate sendable = 100'000'000) {
  int trials = 0;
  while (const auto order = s.next()) {
    s.tell(run(*order, of, sendable));
    ++trials;
  }
  return trials;
}

} // namespace simulated
