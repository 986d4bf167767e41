/** @file
    A while of spinning, then sleep.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/idle/block.hpp>
#include <udpbench/idle/spin.hpp>

namespace udpbench::idle {

/** `Tries` receive calls that don't wait, and if nothing has come by then, one that blocks. What comes soon spares the thread a
    wake-up; what doesn't costs it `Tries` calls in vain. */
template <unsigned Tries = 200>
struct hybrid {
  /** Nothing is needed. */
  static void prepare(int) noexcept {}

  /** See `idle_policy`. */
  template <class Step>
  std::size_t operator()(std::size_t most, error_code& ec, Step&& step) const {
    const std::size_t taken = spin<Tries>()(most, ec, step);
    if (taken != 0 || !nothing_came(ec)) return taken;
    ec = {};
    return block()(most, ec, step);
  }
};
static_assert(idle_policy<hybrid<>>);

} // namespace udpbench::idle
