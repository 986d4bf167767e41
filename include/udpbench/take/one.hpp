/** @file
    One datagram per receive call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/take/page_buffer.hpp>
#include <udpbench/take/take_policy.hpp>

#include <algorithm>
#include <cerrno>

#include <sys/socket.h>

namespace udpbench::take {

/** One `recv` a datagram; Asio's own receive call where a server has one. */
class one {
 public:
  /** @param largest  bytes. Errors: throws std::bad_alloc. */
  void prepare(std::size_t largest) { buffer_ = page_buffer(largest); }

  /** Where one datagram goes. Lifetime: until the next `prepare`. */
  boost::asio::mutable_buffer buffer() noexcept { return {buffer_.data(), buffer_.size()}; }

  /** @param length  the datagram's true one, in bytes.
      @param sink  gets what of it is in the buffer. */
  template <datagram_sink Sink>
  void deliver(std::size_t length, Sink& sink) noexcept {
    sink(datagram{buffer_.slice(0, std::min(length, buffer_.size())), length});
  }

  /** See `take_policy`. */
  template <datagram_sink Sink>
  std::size_t operator()(int fd, std::size_t, wait w, Sink& sink, error_code& ec) noexcept {
    // MSG_TRUNC makes recv return the datagram's true length (recv(2)).
    const int flags = MSG_TRUNC | (w == wait::no ? MSG_DONTWAIT : 0);
    const auto length = ::recv(fd, buffer_.data(), buffer_.size(), flags);
    if (length < 0) {
      ec.assign(errno, boost::system::system_category());
      return 0;
    }
    deliver(static_cast<std::size_t>(length), sink);
    return 1;
  }

 private:
  page_buffer buffer_;
};
static_assert(asio_take<one>);

} // namespace udpbench::take
