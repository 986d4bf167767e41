/** @file
    The blocks of one load and size, as they come in.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/contest.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** Runs blocks until there are as many as are wanted. A block in which the thread was starved of its cpu is kept, as invalid, and
    repeated; at most as many as are wanted. */
class gathering {
 public:
  /** Runs the block of that number; empty: interrupted. */
  using run_block = std::function<std::optional<block>(std::uint64_t number)>;

  /** @param load  its name, for the watcher.
      @param run  one block.
      @param watch  outlives this. */
  gathering(std::string load, run_block run, const watcher& watch)
      : load_(std::move(load)), run_(std::move(run)), watch_(watch) {}

  /** Runs on until there are `wanted` blocks, the repeated ones apart, or it is interrupted. */
  void run_to(std::uint64_t wanted) {
    while (counted() < wanted && !watch_.stop()) {
      if (watch_.progress) watch_.progress(load_, counted(), wanted);
      auto b = run_(blocks_.size());
      if (!b) return;
      if (b->starved && repeated_ < wanted) ++repeated_;
      blocks_.push_back(std::move(*b));
    }
  }

  /** Blocks so far without those that were repeated. */
  std::uint64_t counted() const noexcept { return blocks_.size() - repeated_; }

  /** All, in the order in which they ran. */
  const std::vector<block>& blocks() const noexcept { return blocks_; }

 private:
  std::string load_;
  run_block run_;
  const watcher& watch_;
  std::vector<block> blocks_;
  std::uint64_t repeated_ = 0;
};

} // namespace udpbench::experiment
