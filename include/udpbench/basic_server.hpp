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
#include <sstream>
#include <string>
#include <utility>

namespace udpbench {

/** What a server is opened with. */
struct server_options {
  net::receive_options socket;         ///< The receive buffer that is asked for.
  std::size_t largest_datagram = 2048; ///< Bytes, at most 65,535; what is longer arrives truncated.
};

/** How late, at the most, an idle server sees a deadline or a stop. */
inline constexpr std::chrono::milliseconds server_tick{20};

/** The public face of a server. `Self` gives the treatment:
    `open_socket(descriptor, protocol, options)`, `receive_some(n, deadline)`, and `close_socket() noexcept`, which also clears up
    after an `open_socket` that threw.

    Life: `open`, then `receive` on threads of the caller, one at a time, or `start` for a thread of the server's own; `stop`; then
    `open` again. The destructor stops. */
template <class Self>
class basic_server {
 public:
  using time_point = measure::monotonic_clock::time_point; ///< Of deadlines.

  basic_server() = default;
  basic_server(const basic_server&) = delete;
  basic_server& operator=(const basic_server&) = delete;

  /** Binds a socket to `local`, where port 0 lets the system choose, and returns where it is bound.
      Errors: throws `system_error` whose text names the endpoint, `error::already_open` or `error::too_large`; bad_alloc. A
      closed server then stays closed, and nothing is left behind.
      Threads: any. */
  net::endpoint open(const net::endpoint& local, const server_options& options = {}) {
    if (life_.stopping()) stop();
    net::endpoint bound;
    life_.open([&] {
      check(options);
      net::descriptor fd = net::open_receiver(local, options.socket);
      bound = net::local_endpoint(fd.get());
      open_or_clear(std::move(fd), bound, options);
    });
    return bound;
  }

  /** Receives `n` datagrams on the calling thread, gives them to the sink and returns how many there were. It starts no
      operation beyond n, leaves none outstanding, and returns early, with what there is, within `server_tick` of `stop` or of the
      deadline (100 ms of the deadline while datagrams trickle in; however late it is, one receive call is made); at once,
      with 0, where the server isn't open. It may exceed n only within one GRO aggregate.
      Errors: `error::busy` if another `receive` or the server's own thread runs; what a handler memory throws. Errors of the
      receive call are counted by `receive_errors` and gone on with.
      Threads: any, one at a time. */
  std::size_t receive(std::size_t n, time_point deadline) {
    const lifecycle::stay inside(life_);
    return inside ? self().receive_some(n, deadline) : 0;
  }

  /** Starts a thread that receives until `stop`. Errors: `error::not_open`, `error::busy`. */
  void start() {
    life_.start([this] {
      for (;;) {
        const lifecycle::stay inside(life_, true);
        if (!inside) return;
        self().receive_some(slice, time_point::max());
      }
    });
  }

  /** Stops receiving and closes the socket. Called inside the sink it only asks for that; otherwise it returns when every
      `receive` has returned, in 100 ms at the most as long as the sink returns, in every state and with or without traffic.
      Stopping what is stopped or was never opened does nothing.
      Threads: any, also several at once. */
  void stop() noexcept {
    life_.stop([this]() noexcept { self().close_socket(); });
  }

  /** What ended the server's own thread before `stop`, which is called all the same; null if nothing did. It is forgotten by
      the next `open`. Threads: any. */
  std::exception_ptr failure() const { return life_.failure(); }

 protected:
  ~basic_server() = default;

  /** True once `stop` was called. Threads: any. */
  bool stopping() const noexcept { return life_.stopping(); }

  /** Datagrams that the server's own thread asks for at a time. */
  static constexpr std::size_t slice = 64;

 private:
  Self& self() noexcept { return static_cast<Self&>(*this); }

  static void check(const server_options& options) {
    // A datagram's length is a field of 16 bits (RFC 768).
    if (options.largest_datagram <= 65'535) return;
    throw system_error(make_error_code(error::too_large),
                       "buffer for " + std::to_string(options.largest_datagram) + " bytes");
  }

  void open_or_clear(net::descriptor fd, const net::endpoint& bound,
                     const server_options& options) {
    try {
      self().open_socket(std::move(fd), bound.protocol(), options);
    } catch (const system_error& e) {
      self().close_socket();
      std::ostringstream what;
      what << "receive on " << bound;
      throw system_error(e.code(), what.str());
    } catch (...) {
      self().close_socket();
      throw;
    }
  }

  lifecycle life_;
};

} // namespace udpbench
