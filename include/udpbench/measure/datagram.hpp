/** @file
    What a server hands to its caller, and who may take it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <span>

namespace udpbench {

/** One received datagram. `bytes` is what fitted into the buffer and is valid during the sink's call only; `length` is
    the datagram's true length in bytes, which is larger where it was truncated. A length of 0 is data, too. */
struct datagram {
  std::span<const std::byte> bytes; ///< Payload, as far as it fitted.
  std::size_t length = 0;           ///< Bytes, as sent.

  /** It was longer than the buffer. */
  constexpr bool truncated() const noexcept { return length > bytes.size(); }
};

/** Takes each datagram, on the receiving thread, and must not throw. It belongs to the caller of the server and outlives
    it; a server never calls it from two threads at a time. */
template <class S>
concept datagram_sink = requires(S& sink, const datagram& d) {
  { sink(d) } noexcept;
};

namespace measure {

/** A sink that does nothing: the archetype for concepts, and the floor for self-measurement. */
struct null_sink {
  /** Takes the datagram and forgets it. */
  constexpr void operator()(const datagram&) noexcept {}
};
static_assert(datagram_sink<null_sink>);
static_assert(!datagram_sink<int>);

} // namespace measure
} // namespace udpbench
