/** @file
    What all servers have in common: opening, the deadline, their own thread, stopping.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/lifecycle.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/open.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace udpbench {

/** What a server is opened with. */
struct server_options {
  net::receive_options socket;         ///< The receive buffer that is asked for.
  std::size_t largest_datagram = 2048; ///< Bytes, at most 65,535; what is longer arrives truncated.
};

/** How late, at the most, an idle server sees a deadline or a stop. */
inline constexpr std::chrono::milliseconds server_tick{20};

/** The public face of a server, which has one socket for each of its sinks: all that arrives at a socket goes to the sink of the same
    number. `Self` gives the treatment:
    `sockets()`, how many there are; `open_socket(i, descriptor, protocol, options)`; `receive_some(n, deadline)`, of a server of one
    socket; `threads()`, how many of its own it needs, and `serve(i)`, what the i-th does until `stopping`, again and again; and
    `close_sockets() noexcept`, which also clears up after an `open_socket` that threw.

    Life: `open`, then `receive` on threads of the caller, one at a time, or `start` for threads of the server's own; `stop`; then
    `open` again. The destructor stops. */
template <class Self>
class basic_server {
 public:
  using time_point = measure::monotonic_clock::time_point; ///< Of deadlines.

  basic_server() = default;
  basic_server(const basic_server&) = delete;
  basic_server& operator=(const basic_server&) = delete;

  /** Binds a socket to `local`, where port 0 lets the system choose, and returns where it is bound.
      Errors: throws `system_error` whose text names the endpoint, `error::already_open`, `error::too_large`, or
      `error::socket_count` unless the server has one sink; bad_alloc. A closed server then stays closed, and nothing is left behind.
      Threads: any. */
  net::endpoint open(const net::endpoint& local, const server_options& options = {}) {
    return open_each(std::span(&local, 1), options).front();
  }

  /** Binds a socket for each sink to the endpoint of the same number in `locals`, and returns where they are bound.
      Errors: as those of `open`; `error::socket_count` unless there is an endpoint for each sink.   Threads: any. */
  std::vector<net::endpoint> open_each(std::span<const net::endpoint> locals,
                                       const server_options& options = {}) {
    if (life_.stopping()) stop();
    std::vector<net::endpoint> bound;
    life_.open([&] {
      check(locals.size(), options);
      open_or_clear(locals, options, bound);
    });
    return bound;
  }

  /** Receives `n` datagrams on the calling thread, gives them to the sink and returns how many there were. It starts no
      operation beyond n, leaves none outstanding, and returns early, with what there is, within `server_tick` of `stop` or of the
      deadline (100 ms of the deadline while datagrams trickle in; however late it is, one receive call is made); at once,
      with 0, where the server isn't open. It may exceed n only within one GRO aggregate.
      Errors: `error::busy` if another `receive` or the server's own thread runs; `error::socket_count` where there is more than one
      socket: `start` serves those; what a handler memory throws. Errors of the receive call are counted by `receive_errors` and gone
      on with.
      Threads: any, one at a time. */
  std::size_t receive(std::size_t n, time_point deadline) {
    const lifecycle::stay inside(life_);
    if (!inside) return 0;
    if (self().sockets() != 1) throw system_error(make_error_code(error::socket_count), "receive");
    return self().receive_some(n, deadline);
  }

  /** Starts the server's own threads, which receive until `stop`: one for each socket where receive calls block, one for all on an
      event loop.
      Errors: `error::not_open`, `error::busy`; boost::thread_resource_error where the system gives no thread. Threads: any. */
  void start() {
    life_.start(self().threads(), [this](std::size_t i) {
      for (;;) {
        const lifecycle::stay inside(life_, true);
        if (!inside) return;
        self().serve(i);
      }
    });
  }

  /** How many threads `start` starts. Threads: any. */
  std::size_t own_threads() noexcept { return self().threads(); }

  /** Stops receiving and closes the sockets. Called inside a sink it only asks for that; otherwise it returns when every
      `receive` has returned, in 100 ms at the most as long as the sinks return, in every state and with or without traffic.
      Stopping what is stopped or was never opened does nothing.
      Threads: any, also several at once. */
  void stop() noexcept {
    life_.stop([this]() noexcept { self().close_sockets(); });
  }

  /** What first ended a thread of the server's own before `stop`, which is called all the same; null if nothing did. It is forgotten
      by the next `open`. Threads: any. */
  std::exception_ptr failure() const { return life_.failure(); }

 protected:
  ~basic_server() = default;

  /** True once `stop` was called. Threads: any. */
  bool stopping() const noexcept { return life_.stopping(); }

  /** Datagrams that the server's own thread asks for at a time. */
  static constexpr std::size_t slice = 64;

 private:
  Self& self() noexcept { return static_cast<Self&>(*this); }

  void check(std::size_t locals, const server_options& options) {
    if (locals != self().sockets())
      throw system_error(make_error_code(error::socket_count),
                         "open " + std::to_string(locals) + ", not " +
                             std::to_string(self().sockets()));
    // A datagram's length is a field of 16 bits (RFC 768).
    if (options.largest_datagram <= 65'535) return;
    throw system_error(make_error_code(error::too_large),
                       "buffer for " + std::to_string(options.largest_datagram) + " bytes");
  }

  void open_or_clear(std::span<const net::endpoint> locals, const server_options& options,
                     std::vector<net::endpoint>& bound) {
    try {
      bound.reserve(locals.size());
      for (const net::endpoint& local : locals) {
        net::descriptor fd = net::open_receiver(local, options.socket);
        bound.push_back(net::local_endpoint(fd.get()));
        open_one(bound.size() - 1, std::move(fd), bound.back(), options);
      }
    } catch (...) {
      self().close_sockets();
      throw;
    }
  }

  void open_one(std::size_t i, net::descriptor fd, const net::endpoint& bound,
                const server_options& options) {
    try {
      self().open_socket(i, std::move(fd), bound.protocol(), options);
    } catch (const system_error& e) {
      std::ostringstream what;
      what << "receive on " << bound;
      throw system_error(e.code(), what.str());
    }
  }

  lifecycle life_;
};

} // namespace udpbench
