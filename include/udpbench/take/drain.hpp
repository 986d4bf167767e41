/** @file
    Receive calls until the socket is empty.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/take/one.hpp>
#include <udpbench/take/take_policy.hpp>

#include <algorithm>
#include <cstddef>

namespace udpbench::take {

/** After a wake-up, one `recv` a datagram until the socket is empty or `N` are taken: an asynchronous server then passes through its
    scheduler once per wake-up instead of once per datagram. The cap keeps one busy socket from starving others. */
template <std::size_t N = 64>
class drain {
  static_assert(N > 0, "a take takes something");

 public:
  /** @param largest  bytes. Errors: throws std::bad_alloc. */
  void prepare(std::size_t largest) { one_.prepare(largest); }

  /** See `take_policy`. */
  template <datagram_sink Sink>
  std::size_t operator()(int fd, std::size_t most, wait w, Sink& sink, error_code& ec) noexcept {
    const std::size_t room = std::min(most, N);
    std::size_t taken = 0;
    while (taken < room && one_(fd, 1, taken == 0 ? w : wait::no, sink, ec) != 0) ++taken;
    // Running empty is how a drain ends, not why there was nothing.
    if (taken != 0) ec = {};
    return taken;
  }

 private:
  one one_;
};
static_assert(take_policy<drain<>> && !asio_take<drain<>>);

} // namespace udpbench::take
