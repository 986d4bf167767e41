/** @file
    The coroutine server: one coroutine that awaits datagram after datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/awaiting.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/loop_server.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/take/one.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <sys/socket.h>

namespace udpbench {

namespace detail {

/** What a coroutine that waits for the next call of `receive` needs. */
struct parking {
  memory::fixed_block<> memory; ///< Its wait is no operation under test.
  std::optional<boost::asio::steady_timer> gate;
  bool running = false;
};

} // namespace detail

/** Receives by awaiting `async_receive`, by the completion token that `Awaiting` says; with a take policy of its own system call by
    awaiting readability and taking what is there.
    The coroutine lives as long as the server is open: between two calls of `receive` it is parked on a timer, since starting
    one anew for each call would cost each datagram some 16 ns. Each operation's memory is asked of the `Memory` of its socket; the
    coroutine's own frame comes from Asio. One thread serves all sockets, each by a coroutine of its own. See `basic_server` for its
    face.
    Lifetime: the sinks outlive it. */
template <datagram_sink Sink, take_policy Take = take::one,
          handler_memory Memory = memory::recycling,
          awaiting_policy Awaiting = awaiting::use_awaitable,
          event_loop_policy Loop = event_loop::one_thread>
class coroutine_server : public loop_server<coroutine_server<Sink, Take, Memory, Awaiting, Loop>,
                                            Sink, Take, Memory, detail::parking, Loop> {
  using loop = loop_server<coroutine_server, Sink, Take, Memory, detail::parking, Loop>;
  using lane = typename loop::lane;
  friend loop;

 public:
  /** A server of one socket. @param sink  takes each datagram; outlives the server. */
  explicit coroutine_server(Sink& sink) : coroutine_server(std::span<Sink>(&sink, 1)) {}
  /** A server of a socket for each of `sinks`, which outlive it. */
  explicit coroutine_server(std::span<Sink> sinks) : loop(sinks) {}
  ~coroutine_server() { this->stop(); }

 private:
  void opened(lane& l) {
    l.state.gate.emplace(this->context());
    l.state.running = false;
  }

  static void closing(lane& l) noexcept { l.state.gate.reset(); }

  /** Asio has given up a coroutine whose operation couldn't be started, and will destroy it; the next `receive` starts another. */
  void thrown() noexcept {
    for (lane& l : this->lanes()) l.state.running = false;
  }

  void resume(lane& l) {
    if (l.state.running) {
      l.state.gate->cancel();
      return;
    }
    l.state.running = true;
    boost::asio::co_spawn(this->context(), run(l), [](std::exception_ptr what) {
      if (what) std::rethrow_exception(what);
    });
  }

  boost::asio::awaitable<void> run(lane& l) {
    const auto park = [&l](auto&& token) {
      return l.state.gate->async_wait(std::forward<decltype(token)>(token));
    };
    error_code ec;
    for (;;) {
      // The first operation is started in any case: a tick that was left over from the last `receive` may have been first.
      do {
        if constexpr (asio_take<Take>) {
          std::size_t length = 0;
          if constexpr (Awaiting::gives_tuple)
            std::tie(ec, length) = co_await datagram_of(l, ec);
          else
            length = co_await datagram_of(l, ec);
          this->received(l, ec, length);
        } else {
          if constexpr (Awaiting::gives_tuple)
            std::tie(ec) = co_await readability_of(l, ec);
          else
            co_await readability_of(l, ec);
          this->readable(l, ec);
        }
      } while (!this->finished());
      this->leave(l);
      l.state.gate->expires_at(boost::asio::steady_timer::time_point::max());
      co_await awaiting::use_awaitable::operation<void(error_code)>(
          park, memory::bound_allocator<void, memory::fixed_block<>>(l.state.memory), ec);
    }
  }

  static auto datagram_of(lane& l, error_code& ec) {
    return Awaiting::template operation<void(error_code, std::size_t)>(
        [&l](auto&& token) {
          return l.socket->async_receive(l.take.buffer(), MSG_TRUNC,
                                         std::forward<decltype(token)>(token));
        },
        from(l), ec);
  }

  static auto readability_of(lane& l, error_code& ec) {
    return Awaiting::template operation<void(error_code)>(
        [&l](auto&& token) {
          return l.socket->async_wait(loop::socket_type::wait_read,
                                      std::forward<decltype(token)>(token));
        },
        from(l), ec);
  }

  static memory::bound_allocator<void, Memory> from(lane& l) {
    return memory::bound_allocator<void, Memory>(l.memory);
  }
};

} // namespace udpbench
