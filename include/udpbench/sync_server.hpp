/** @file
    The synchronous server: blocking receive calls.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/blocking_loop.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/take/one.hpp>
#include <udpbench/take/take_policy.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

#include <fcntl.h>
#include <sys/socket.h>

namespace udpbench {

/** Receives by Asio's blocking receive call, or by a take policy's own system call. See `basic_server` for its face.
    Lifetime: the sink outlives it. */
template <datagram_sink Sink, take_policy Take = take::one>
class sync_server : public basic_server<sync_server<Sink, Take>> {
  using base = basic_server<sync_server>;
  friend base;

 public:
  /** @param sink  takes each datagram; outlives the server. */
  explicit sync_server(Sink& sink) : sink_(sink) {}
  ~sync_server() { this->stop(); }

  /** The socket's descriptor; -1 while closed. */
  int native_handle() { return parts_ ? parts_->socket.native_handle() : -1; }

  /** Receive calls that failed. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_errors() const noexcept { return loop_.errors(); }

 private:
  // Nobody runs this context, and no asynchronous operation is ever started on the socket: either would change how its
  // synchronous calls wait.
  struct parts {
    boost::asio::io_context context{1};
    boost::asio::ip::udp::socket socket{context};
  };

  void open_socket(net::descriptor fd, const boost::asio::ip::udp& protocol,
                   const server_options& options) {
    take_.prepare(options.largest_datagram);
    net::set_receive_timeout(fd.get(), server_tick);
    parts_.emplace();
    parts_->socket.assign(protocol, fd.get());
    const int handle = fd.release();
    // Asio must take the socket for a non-blocking one, and the kernel for a blocking one: a receive call that timed out is
    // then would_block to the caller; otherwise Asio would poll without a limit.
    parts_->socket.non_blocking(true);
    ::fcntl(handle, F_SETFL, ::fcntl(handle, F_GETFL) & ~O_NONBLOCK);
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    return loop_.run(
        n, deadline, [this](std::size_t most, error_code& ec) { return step(most, ec); },
        [this] { return this->stopping(); });
  }

  std::size_t step(std::size_t most, error_code& ec) {
    auto& socket = parts_->socket;
    if constexpr (asio_take<Take>) {
      const std::size_t length = socket.receive(take_.buffer(), MSG_TRUNC, ec);
      if (ec) return 0;
      take_.deliver(length, sink_);
      return 1;
    } else {
      return take_(socket.native_handle(), most, take::wait::first, sink_, ec);
    }
  }

  void close_socket() noexcept { parts_.reset(); }

  Sink& sink_;
  Take take_;
  blocking_loop loop_;
  std::optional<parts> parts_;
};

} // namespace udpbench
