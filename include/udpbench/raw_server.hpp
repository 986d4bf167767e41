/** @file
    The yardstick: system calls without Asio.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/blocking_loop.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/take/one.hpp>
#include <udpbench/take/take_policy.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace udpbench {

/** Receives by a take policy's system call on a blocking descriptor; with `take::one` a plain `recv` loop. What a server
    costs more than this is the price of Asio. See `basic_server` for its face.
    Lifetime: the sink outlives it. */
template <datagram_sink Sink, take_policy Take = take::one>
class raw_server : public basic_server<raw_server<Sink, Take>> {
  using base = basic_server<raw_server>;
  friend base;

 public:
  /** @param sink  takes each datagram; outlives the server. */
  explicit raw_server(Sink& sink) : sink_(sink) {}
  ~raw_server() { this->stop(); }

  /** The socket's descriptor; -1 while closed. */
  int native_handle() const noexcept { return socket_.get(); }

  /** Receive calls that failed. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_errors() const noexcept { return loop_.errors(); }

 private:
  void open_socket(net::descriptor fd, const boost::asio::ip::udp&, const server_options& options) {
    take_.prepare(options.largest_datagram);
    net::set_receive_timeout(fd.get(), server_tick);
    socket_ = std::move(fd);
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    return loop_.run(
        n, deadline,
        [this](std::size_t most, error_code& ec) {
          return take_(socket_.get(), most, take::wait::first, sink_, ec);
        },
        [this] { return this->stopping(); });
  }

  void close_socket() noexcept { socket_.reset(); }

  Sink& sink_;
  Take take_;
  blocking_loop loop_;
  net::descriptor socket_;
};

} // namespace udpbench
