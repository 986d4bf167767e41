/** @file
    How datagrams leave a readable socket.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/datagram.hpp>

#include <boost/asio/buffer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace udpbench {

/** How datagrams leave a readable socket. */
namespace take {

/** Whether a call may block (for as long as the socket's receive timeout) until the first datagram is there. */
enum class wait : bool {
  no,    ///< Only what is there.
  first, ///< It may block, for the first datagram alone.
};

/** Largest datagram, in bytes, that buffers hold unless a server is told otherwise. */
inline constexpr std::size_t default_largest = 2048;

} // namespace take

/** Takes datagrams out of `fd`, gives each to the sink and returns how many there were: up to `n`, which is at least 1, more only
    within one GRO aggregate. Where there were none, `ec` is set to why: would_block, or an error of the call; beside datagrams to
    `error::cut_train` where such an aggregate was cut; else it stays as it is. `prepare` is called before, with the size in bytes of
    the largest datagram that need not be truncated, and may throw.
    Threads: one. */
template <class T>
concept take_policy =
    std::default_initializable<T> && requires(T& take, int fd, std::size_t n, take::wait wait,
                                              measure::null_sink& sink, error_code& ec) {
      take.prepare(n);
      { take(fd, n, wait, sink, ec) } noexcept -> std::same_as<std::size_t>;
    };

/** A take that leaves the receive call itself to Asio: `buffer` is where Asio puts one datagram, `deliver` gives it, with its
    true length, to the sink. */
template <class T>
concept asio_take = take_policy<T> && requires(T& take, measure::null_sink& sink, std::size_t n) {
  { take.buffer() } noexcept -> std::same_as<boost::asio::mutable_buffer>;
  { take.deliver(n, sink) } noexcept;
};

/** A take that sets options of its own: `configure` is called with each socket before it is received from, and may throw, which ends
    the server's `open`. */
template <class T>
concept configuring_take = take_policy<T> && requires(T& take, int fd) { take.configure(fd); };

/** A take that counts its receive calls: those that gave something, since construction. */
template <class T>
concept call_counting_take = take_policy<T> && requires(const T& take) {
  { take.calls() } noexcept -> std::same_as<std::uint64_t>;
};

/** One of those that tells how many datagrams each of these calls gave. */
template <class T>
concept batch_counting_take = call_counting_take<T> && requires(const T& take) {
  { take.batches() } noexcept -> std::same_as<const measure::batch_sizes&>;
};

namespace take {

/** Lets a take set its options of a socket, if it has any. Errors: what it throws. */
template <take_policy Take>
void configure(Take& take, int fd) {
  if constexpr (configuring_take<Take>) take.configure(fd);
}

} // namespace take

} // namespace udpbench
