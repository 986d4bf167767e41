/** @file
    What a receiver on plain receive calls does while nothing has come.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/take/take_policy.hpp>

#include <concepts>
#include <cstddef>

namespace udpbench {

/** What a receiver on plain receive calls does while nothing has come. */
namespace idle {

/** One receive call: `step(most, wait, ec)` is a take on some socket, with its promises. */
using sample_step = std::size_t (*)(std::size_t most, take::wait wait, error_code& ec);

/** Whether a receive call found the socket empty: not that it failed. */
inline bool nothing_came(const error_code& ec) noexcept {
  return ec == boost::system::errc::resource_unavailable_try_again;
}

} // namespace idle

/** Makes one patient receive call of one or more calls of `step`: `idle(most, ec, step)` returns what the last of them did. It gives up
    within the socket's receive timeout where nothing comes, so that its caller looks at the clock and the stop flag, and at once where
    a call fails. `prepare(fd)` is called before, with the open socket.
    Threads: one. */
template <class I>
concept idle_policy =
    std::default_initializable<I> &&
    requires(I& idle, int fd, std::size_t most, error_code& ec, idle::sample_step step) {
      { idle.prepare(fd) } noexcept;
      { idle(most, ec, step) } -> std::same_as<std::size_t>;
    };

} // namespace udpbench
