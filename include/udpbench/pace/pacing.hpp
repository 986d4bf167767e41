/** @file
    When datagrams are sent.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace udpbench {

/** When datagrams are sent. */
namespace pace {

/** What a pacing lets through. */
struct admission {
  std::size_t count = 0; ///< Datagrams that may be sent now; 0: none any more, ever.
  std::uint64_t intended_ns =
      0; ///< When they should have been sent, on the monotonic clock; 0: no such time.
};

} // namespace pace

/** Decides when the next datagrams of a round may be sent: `begin` starts a round, `admit` waits as long as it must and lets up
    to `most` through, after `offered` before them. Threads: the sender's. */
template <class P>
concept pacing = requires(P& pace, std::uint64_t offered, std::size_t most) {
  pace.begin();
  { pace.admit(offered, most) } -> std::same_as<pace::admission>;
};

namespace pace {

/** A pacing by a schedule: each datagram has a time of its own, in ns of the monotonic clock, whenever it is sent. */
template <class P>
concept scheduled = pacing<P> && requires(const P& pace, std::uint64_t index) {
  { pace.intended_ns(index) } noexcept -> std::same_as<std::uint64_t>;
};

/** A pacing that has the sender rest. */
template <class P>
concept resting = pacing<P> && requires(const P& pace) { pace.rest(); };

/** A pacing that waits for the receiver, which publishes how many datagrams it has. Its `offered` are those that were accepted:
    no others can arrive. */
template <class P>
concept closed_loop = pacing<P> && requires(P& pace, const std::atomic<std::uint64_t>* received) {
  pace.follow(received);
};

} // namespace pace

} // namespace udpbench
