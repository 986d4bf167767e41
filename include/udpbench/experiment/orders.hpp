/** @file
    In which order contestants take their turns.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace udpbench::experiment {

/** Orders of n contestants: a random one, then its reverse, then another random one… so that whoever comes early or after whom is
    balanced within each pair. One seed gives one series of orders. */
class orders {
 public:
  /** @param contestants  how many there are.
      @param seed  recorded with the run. */
  orders(std::size_t contestants, std::uint64_t seed) : order_(contestants), random_(seed) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  /** Lifetime of the result: until the next call. */
  const std::vector<std::size_t>& next() {
    if (reverse_)
      std::reverse(order_.begin(), order_.end());
    else
      shuffle();
    reverse_ = !reverse_;
    return order_;
  }

 private:
  // std::shuffle may differ from one standard library to the next; a recorded seed should not.
  void shuffle() {
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_() % i]);
  }

  std::vector<std::size_t> order_;
  std::mt19937_64 random_;
  bool reverse_ = false;
};

} // namespace udpbench::experiment
