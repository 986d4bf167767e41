/** @file
    How receives are kept in flight on a ring.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/uring/failures.hpp>
#include <udpbench/uring/ring.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace udpbench::uring {

/** Which socket a datagram came by, to whom it goes: the archetype. */
struct null_delivery {
  /** Takes and forgets it. */
  void operator()(std::size_t, const datagram&) noexcept {}
};

/** Keeps receives of several sockets in flight. `open` makes buffers for `sockets` sockets and datagrams of `largest` bytes; `add` takes
    in the next socket's descriptor; `attach`, of a closed ring, sets it up for all of them, on the thread that will use it. These may
    throw. `keep(ring, n)` starts what is missing, so that the operations outstanding can't take more than n datagrams in all;
    `complete` gives the datagram of a completion, if it is one, to `deliver(socket, datagram)` and returns how many there were;
    `cancel` asks for the end of all. `failed` are receives that failed, ever since; `close`
    forgets the sockets.
    Threads: one at a time. */
template <class F>
concept flight =
    std::default_initializable<F> && requires(F& f, const F& seen, ring& r, std::size_t n, int fd,
                                              const completion& c, null_delivery& deliver) {
      f.open(n, n);
      f.add(fd);
      f.attach(r);
      { f.keep(r, n) } noexcept;
      { f.complete(c, deliver) } noexcept -> std::same_as<std::size_t>;
      { f.cancel(r) } noexcept;
      { f.close() } noexcept;
      { seen.failed() } noexcept -> std::same_as<const failures&>;
    };

} // namespace udpbench::uring
