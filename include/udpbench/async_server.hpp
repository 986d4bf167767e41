/** @file
    The asynchronous server: a chain of operations on a context of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/loop_server.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/take/one.hpp>

#include <cstddef>

#include <sys/socket.h>

namespace udpbench {

/** Receives by `async_receive`, whose handler starts the next; with a take policy of its own system call by `async_wait`,
    whose handler takes what is there. Each operation's memory is asked of `Memory`, one block in the steady state. See
    `basic_server` for its face.
    Lifetime: the sink outlives it. */
template <datagram_sink Sink, take_policy Take = take::one,
          handler_memory Memory = memory::recycling>
class async_server : public loop_server<async_server<Sink, Take, Memory>, Sink, Take, Memory> {
  using loop = loop_server<async_server, Sink, Take, Memory>;
  friend loop;

 public:
  /** @param sink  takes each datagram; outlives the server. */
  explicit async_server(Sink& sink) : loop(sink) {}
  ~async_server() { this->stop(); }

 private:
  struct handler {
    using allocator_type = memory::bound_allocator<void, Memory>;

    allocator_type get_allocator() const noexcept { return allocator_type(server->memory()); }
    void operator()(const error_code& ec, std::size_t length) const {
      if constexpr (asio_take<Take>) server->received(ec, length);
      server->resume();
    }
    void operator()(const error_code& ec) const {
      server->readable(ec);
      server->resume();
    }

    async_server* server;
  };
  static_assert(memory::is_hooked<handler, Memory>);

  void opened() noexcept {}
  void closing() noexcept {}
  void thrown() noexcept {}

  void resume() {
    if (this->finished())
      this->leave();
    else if constexpr (asio_take<Take>)
      this->socket().async_receive(this->buffer(), MSG_TRUNC, handler{this});
    else
      this->socket().async_wait(loop::socket_type::wait_read, handler{this});
  }
};

} // namespace udpbench
