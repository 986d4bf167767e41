/** @file
    The synchronous server: blocking receive calls.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/blocking_server.hpp>
#include <udpbench/idle/block.hpp>
#include <udpbench/take/one.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

#include <cstddef>
#include <optional>
#include <span>

#include <fcntl.h>
#include <sys/socket.h>

namespace udpbench {

/** Receives by Asio's blocking receive call, or by a take policy's own system call. `Idle` is what it does while nothing
    comes. Of several sockets each has a thread of its own. See `basic_server` for its face.
    Lifetime: the sinks outlive it. */
template <datagram_sink Sink, take_policy Take = take::one, idle_policy Idle = idle::block>
class sync_server : public blocking_server<sync_server<Sink, Take, Idle>, Sink, Take, Idle,
                                           std::optional<boost::asio::ip::udp::socket>> {
  using socket_type = std::optional<boost::asio::ip::udp::socket>;
  using loop = blocking_server<sync_server, Sink, Take, Idle, socket_type>;
  friend loop;

 public:
  /** A server of one socket. @param sink  takes each datagram; outlives the server. */
  explicit sync_server(Sink& sink) : sync_server(std::span<Sink>(&sink, 1)) {}
  /** A server of a socket for each of `sinks`, which outlive it. */
  explicit sync_server(std::span<Sink> sinks) : loop(sinks) {}
  ~sync_server() { this->stop(); }

 private:
  void adopt(socket_type& socket, net::descriptor fd, const boost::asio::ip::udp& protocol) {
    // Nobody runs this context, and no asynchronous operation is ever started on the socket: either would change how its
    // synchronous calls wait.
    if (!context_) context_.emplace(1);
    socket.emplace(*context_);
    socket->assign(protocol, fd.get());
    const int handle = fd.release();
    // Asio must take the socket for a non-blocking one, and the kernel for a blocking one: a receive call that timed out is
    // then would_block to the caller; otherwise Asio would poll without a limit.
    socket->non_blocking(true);
    ::fcntl(handle, F_SETFL, ::fcntl(handle, F_GETFL) & ~O_NONBLOCK);
  }
  static int handle(socket_type& socket) { return socket ? socket->native_handle() : -1; }
  static void clear(socket_type& socket) noexcept { socket.reset(); }
  void cleared() noexcept { context_.reset(); }

  static std::size_t step(typename loop::lane& l, std::size_t most, take::wait w, error_code& ec) {
    if constexpr (asio_take<Take>) {
      const int flags = MSG_TRUNC | (w == take::wait::no ? MSG_DONTWAIT : 0);
      const std::size_t length = l.socket->receive(l.take.buffer(), flags, ec);
      if (ec) return 0;
      l.take.deliver(length, l.sink);
      return 1;
    } else {
      return l.take(l.socket->native_handle(), most, w, l.sink, ec);
    }
  }

  std::optional<boost::asio::io_context> context_;
};

} // namespace udpbench
