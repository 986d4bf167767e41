/** @file
    The yardstick: system calls without Asio.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/blocking_server.hpp>
#include <udpbench/idle/block.hpp>
#include <udpbench/take/one.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace udpbench {

/** Receives by a take policy's system call on a blocking descriptor; with `take::one` a plain `recv` loop. What a server
    costs more than this is the price of Asio. `Idle` is what it does while nothing comes. See `basic_server` for its face.
    Lifetime: the sinks outlive it. */
template <datagram_sink Sink, take_policy Take = take::one, idle_policy Idle = idle::block>
class raw_server
    : public blocking_server<raw_server<Sink, Take, Idle>, Sink, Take, Idle, net::descriptor> {
  using loop = blocking_server<raw_server, Sink, Take, Idle, net::descriptor>;
  friend loop;

 public:
  /** A server of one socket. @param sink  takes each datagram; outlives the server. */
  explicit raw_server(Sink& sink) : raw_server(std::span<Sink>(&sink, 1)) {}
  /** A server of a socket for each of `sinks`, which outlive it. */
  explicit raw_server(std::span<Sink> sinks) : loop(sinks) {}
  ~raw_server() { this->stop(); }

 private:
  static void adopt(net::descriptor& socket, net::descriptor fd,
                    const boost::asio::ip::udp&) noexcept {
    socket = std::move(fd);
  }
  static int handle(const net::descriptor& socket) noexcept { return socket.get(); }
  static void clear(net::descriptor& socket) noexcept { socket.reset(); }
  static void cleared() noexcept {}

  static std::size_t step(typename loop::lane& l, std::size_t most, take::wait w, error_code& ec) {
    return l.take(l.socket.get(), most, w, l.sink, ec);
  }
};

} // namespace udpbench
