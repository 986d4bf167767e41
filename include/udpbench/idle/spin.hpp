/** @file
    Receive calls that never sleep.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/idle/idle_policy.hpp>
#include <udpbench/spins.hpp>

namespace udpbench::idle {

/** Receive calls that don't wait, again and again until something comes. After `Tries` in vain it returns, for its caller to read the
    clock, once in tens of microseconds. It never sleeps: the thread takes its cpu whole. */
template <unsigned Tries = 256>
struct spin {
  static_assert(Tries > 0, "a receive call makes at least one");

  /** What `spins` asks. */
  static constexpr bool never_sleeps = true;

  /** Nothing is needed. */
  static void prepare(int) noexcept {}

  /** See `idle_policy`. */
  template <class Step>
  std::size_t operator()(std::size_t most, error_code& ec, Step&& step) const {
    std::size_t taken = 0;
    for (unsigned i = 0; i < Tries; ++i) {
      taken = step(most, take::wait::no, ec);
      if (taken != 0 || !nothing_came(ec)) break;
    }
    return taken;
  }
};
static_assert(idle_policy<spin<>> && spins<spin<>>);

} // namespace udpbench::idle
