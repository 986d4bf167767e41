/** @file
    The asynchronous server: a chain of operations on a context of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/chain.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/loop_server.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/take/one.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <variant>

#include <sys/socket.h>

namespace udpbench {

/** Receives by `async_receive`, whose handler starts the next; with a take policy of its own system call by `async_wait`,
    whose handler takes what is there. `Chain` says how many such operations are outstanding and which way a handler is called, `Loop`
    how the context is run. Each operation's memory is asked of a `Memory`, of which each that can be outstanding has one of its own;
    one block in the steady state. One thread serves all sockets; with `event_loop::shared` several may serve one. See `basic_server` for
    its face.
    Lifetime: the sinks outlive it. */
template <datagram_sink Sink, take_policy Take = take::one,
          handler_memory Memory = memory::recycling, chain_policy Chain = chain::single,
          event_loop_policy Loop = event_loop::one_thread>
class async_server : public loop_server<async_server<Sink, Take, Memory, Chain, Loop>, Sink, Take,
                                        Memory, std::monostate, Loop> {
  using loop = loop_server<async_server, Sink, Take, Memory, std::monostate, Loop>;
  using lane = typename loop::lane;
  friend loop;
  static_assert(asio_take<Take> || (Chain::in_flight == 1 && Chain::depth == 0),
                "a take within a handler empties the socket itself, after one wait for it");
  static_assert(!Loop::several_threads || (Chain::in_flight == 1 && Chain::depth == 0),
                "several threads call the handlers of one chain, one at a time");
  static_assert(Chain::depth == 0 || net::features::immediate_completion,
                "handlers are called at once from Boost 1.82 on");

 public:
  /** A server of one socket. @param sink  takes each datagram; outlives the server. */
  explicit async_server(Sink& sink) : async_server(std::span<Sink>(&sink, 1)) {}
  /** A server of a socket for each of `sinks`, which outlive it. */
  explicit async_server(std::span<Sink> sinks) : loop(sinks, Chain::in_flight) {}
  /** A server of one socket, on whose context so many threads of its own work together.
      @param sink  takes each datagram, on any of them, one at a time; outlives the server.
      @param threads  at least one. */
  async_server(Sink& sink, std::size_t threads)
    requires(Loop::several_threads)
      : loop(std::span<Sink>(&sink, 1), Chain::in_flight, threads) {}
  ~async_server() { this->stop(); }

 private:
  /** Called by the scheduler. */
  struct handler {
    using allocator_type = memory::bound_allocator<void, Memory>;

    allocator_type get_allocator() const noexcept { return allocator_type(on->memory); }
    void operator()(const error_code& ec, std::size_t length) const {
      if constexpr (asio_take<Take>) server->received(*on, ec, length);
      go_on();
    }
    void operator()(const error_code& ec) const {
      server->readable(*on, ec);
      go_on();
    }
    void go_on() const {
      server->go_on(*on);
      if constexpr (Chain::depth != 0) server->let_out();
    }

    async_server* server;
    lane* on;
  };
  static_assert(memory::is_hooked<handler, Memory>);

  /** Called at once where that can be. */
  struct immediate_handler : handler {
    explicit immediate_handler(handler h) noexcept : handler(h) {}

    template <class... Results>
    void operator()(const error_code& ec, Results... results) const noexcept {
      this->server->keep([&] { handler::operator()(ec, results...); });
    }

    using immediate_executor_type = chain::inline_executor;

    immediate_executor_type get_immediate_executor() const noexcept {
      return immediate_executor_type(this->server->context());
    }
  };
  static_assert(memory::is_hooked<immediate_handler, Memory>);

  static void opened(lane&) noexcept {}
  static void closing(lane&) noexcept {}
  static void thrown() noexcept {}

  /** Outside the context nothing is called at once: it would be no chain of the running context yet. */
  void resume(lane& l) { next<handler>(l); }

  void go_on(lane& l) {
    if constexpr (Chain::depth != 0) {
      if (depth_ < Chain::depth) {
        const deeper inside(depth_);
        next<immediate_handler>(l);
        return;
      }
    }
    next<handler>(l);
  }

  template <class Handler>
  void next(lane& l) {
    if (this->finished())
      this->leave(l);
    else if constexpr (asio_take<Take>)
      l.socket->async_receive(l.take.buffer(), MSG_TRUNC, Handler(handler{this, &l}));
    else
      l.socket->async_wait(loop::socket_type::wait_read, Handler(handler{this, &l}));
  }

  /** Keeps what `f` throws until no start of an operation is being carried out any more: see `chain::inline_executor`. */
  template <class F>
  void keep(F f) noexcept {
    try {
      f();
    } catch (...) {
      kept_ = std::current_exception();
    }
  }

  /** Throws what was kept: out of each handler to the one around it, and out of the outermost to the scheduler. */
  void let_out() {
    if (kept_) std::rethrow_exception(std::exchange(kept_, nullptr));
  }

  /** One call within another. */
  struct deeper {
    explicit deeper(unsigned& d) noexcept : depth(d) { ++depth; }
    deeper(const deeper&) = delete;
    deeper& operator=(const deeper&) = delete;
    ~deeper() { --depth; }

    unsigned& depth;
  };

  std::exception_ptr kept_; ///< Thrown by an immediate handler.
  unsigned depth_ = 0;      ///< Immediate handlers that are being called, one within the other.
};

} // namespace udpbench
