/** @file
    The asynchronous server: a chain of operations on a context of its own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/take/one.hpp>
#include <udpbench/take/take_policy.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <sys/socket.h>

namespace udpbench {

/** Receives by `async_receive`, whose handler starts the next; with a take policy of its own system call by `async_wait`,
    whose handler takes what is there. Each operation's memory is asked of `Memory`, one block in the steady state. See
    `basic_server` for its face.
    Lifetime: the sink outlives it. */
template <datagram_sink Sink, take_policy Take = take::one,
          handler_memory Memory = memory::recycling>
class async_server : public basic_server<async_server<Sink, Take, Memory>> {
  using base = basic_server<async_server>;
  friend base;

 public:
  explicit async_server(Sink& sink) : sink_(sink) {}
  ~async_server() { this->stop(); }

  /** The socket's descriptor; -1 while closed. */
  int native_handle() { return parts_ ? parts_->socket.native_handle() : -1; }

  /** Receive calls that failed. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_errors() const noexcept { return errors_; }

  /** What the handler memory was asked for since construction. Threads: the receiving one, or none inside `receive`. */
  memory::usage memory_use() const noexcept
    requires memory::counts_use<Memory>
  {
    return memory_.use();
  }

 private:
  struct parts {
    // Hint 1: nobody else touches the context, so a completion never has to wake another thread.
    boost::asio::io_context context{1};
    boost::asio::ip::udp::socket socket{context};
    boost::asio::steady_timer tick{context};
  };

  struct handler {
    using allocator_type = memory::bound_allocator<void, Memory>;

    allocator_type get_allocator() const noexcept { return allocator_type(server->memory_); }
    void operator()(const error_code& ec, std::size_t length) const {
      server->received(ec, length);
    }
    void operator()(const error_code& ec) const { server->readable(ec); }

    async_server* server;
  };
  static_assert(memory::is_hooked<handler, Memory>);

  void open_socket(net::descriptor fd, const boost::asio::ip::udp& protocol,
                   const server_options& options) {
    take_.prepare(options.largest_datagram);
    parts_.emplace();
    parts_->socket.assign(protocol, fd.get());
    fd.release();
    tick();
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    if (n == 0) return 0;
    left_ = n;
    excess_ = 0;
    deadline_ = deadline;
    over_ = this->stopping();
    parts_->context.restart();
    next();
    parts_->context.run();
    return n - left_ + excess_;
  }

  /** Starts the next operation, or ends `run` where none may be started: none is outstanding then. */
  void next() {
    if (left_ == 0 || over_) {
      if constexpr (memory::leaves_with_context<Memory>) memory_.carry_over();
      parts_->context.stop();
    } else if constexpr (asio_take<Take>) {
      parts_->socket.async_receive(take_.buffer(), MSG_TRUNC, handler{this});
    } else {
      parts_->socket.async_wait(boost::asio::ip::udp::socket::wait_read, handler{this});
    }
  }

  void received(const error_code& ec, std::size_t length) {
    if constexpr (asio_take<Take>) {
      if (!ec) {
        take_.deliver(length, sink_);
        --left_;
      } else {
        count(ec);
      }
      next();
    }
  }

  /** Takes also after a wait that the tick cut short: what had come is not left because the tick was first. */
  void readable(const error_code& ec) {
    count(ec);
    error_code reason;
    const std::size_t taken =
        take_(parts_->socket.native_handle(), left_, take::wait::no, sink_, reason);
    excess_ += taken - std::min(taken, left_);
    left_ -= std::min(taken, left_);
    count(reason);
    next();
  }

  void count(const error_code& ec) noexcept {
    if (ec && ec != boost::asio::error::operation_aborted && ec != boost::asio::error::would_block)
      ++errors_;
  }

  /** Looks at the deadline and the stop flag, once a tick for as long as the server is open: a timer per `receive` would cost
      each datagram some 8 ns. Nothing in its handler can fail, and so end it: Asio keeps the memory of the wait that has just
      ended for the next. */
  void tick() {
    parts_->tick.expires_after(server_tick);
    parts_->tick.async_wait([this](const error_code& ec) {
      if (ec) return;
      over_ = this->stopping() || measure::monotonic_clock::now() >= deadline_;
      if (over_) {
        error_code ignored;
        parts_->socket.cancel(ignored);
      }
      tick();
    });
  }

  void close_socket() noexcept { parts_.reset(); }

  Sink& sink_;
  Take take_;
  Memory memory_;
  std::optional<parts> parts_;
  std::size_t left_ = 0;
  std::size_t excess_ = 0;
  typename base::time_point deadline_;
  bool over_ = false;
  std::uint64_t errors_ = 0;
};

} // namespace udpbench
