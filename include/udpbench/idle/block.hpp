/** @file
    Sleeping in the receive call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/idle/idle_policy.hpp>

namespace udpbench::idle {

/** Each receive call blocks until something comes. */
struct block {
  /** Nothing is needed. */
  static void prepare(int) noexcept {}

  /** See `idle_policy`. */
  template <class Step>
  std::size_t operator()(std::size_t most, error_code& ec, Step&& step) const {
    return step(most, take::wait::first, ec);
  }
};
static_assert(idle_policy<block> && !idle_policy<int>);

} // namespace udpbench::idle
