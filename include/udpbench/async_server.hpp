/** @file
    The asynchronous server: a chain of operations on a context of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/loop_server.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/take/one.hpp>

#include <cstddef>
#include <span>
#include <variant>

#include <sys/socket.h>

namespace udpbench {

/** Receives by `async_receive`, whose handler starts the next; with a take policy of its own system call by `async_wait`,
    whose handler takes what is there. Each operation's memory is asked of the `Memory` of its socket, one block in the steady state.
    One thread serves all sockets. See `basic_server` for its face.
    Lifetime: the sinks outlive it. */
template <datagram_sink Sink, take_policy Take = take::one,
          handler_memory Memory = memory::recycling>
class async_server
    : public loop_server<async_server<Sink, Take, Memory>, Sink, Take, Memory, std::monostate> {
  using loop = loop_server<async_server, Sink, Take, Memory, std::monostate>;
  using lane = typename loop::lane;
  friend loop;

 public:
  /** A server of one socket. @param sink  takes each datagram; outlives the server. */
  explicit async_server(Sink& sink) : async_server(std::span<Sink>(&sink, 1)) {}
  /** A server of a socket for each of `sinks`, which outlive it. */
  explicit async_server(std::span<Sink> sinks) : loop(sinks) {}
  ~async_server() { this->stop(); }

 private:
  struct handler {
    using allocator_type = memory::bound_allocator<void, Memory>;

    allocator_type get_allocator() const noexcept { return allocator_type(on->memory); }
    void operator()(const error_code& ec, std::size_t length) const {
      if constexpr (asio_take<Take>) server->received(*on, ec, length);
      server->resume(*on);
    }
    void operator()(const error_code& ec) const {
      server->readable(*on, ec);
      server->resume(*on);
    }

    async_server* server;
    lane* on;
  };
  static_assert(memory::is_hooked<handler, Memory>);

  static void opened(lane&) noexcept {}
  static void closing(lane&) noexcept {}
  static void thrown() noexcept {}

  void resume(lane& l) {
    if (this->finished())
      this->leave();
    else if constexpr (asio_take<Take>)
      l.socket->async_receive(l.take.buffer(), MSG_TRUNC, handler{this, &l});
    else
      l.socket->async_wait(loop::socket_type::wait_read, handler{this, &l});
  }
};

} // namespace udpbench
