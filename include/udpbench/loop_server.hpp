/** @file
    What the servers on an event loop have in common: a context of their own, one operation outstanding, one timer.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/take/take_policy.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace udpbench {

/** Runs a context on the thread that calls `receive` for as long as that lasts. `Self` gives the treatment: `resume()` starts the first
    operation of a `receive`; whoever handles an operation calls `received` or `readable`, and then, as long as `finished` isn't
    true, starts the next; then it calls `leave`. `opened`, `closing` and `thrown` tell it of a new socket, of its end, and of an
    exception on its way out of `receive`.
    Lifetime: the sink outlives it. */
template <class Self, datagram_sink Sink, take_policy Take, handler_memory Memory>
class loop_server : public basic_server<Self> {
  using base = basic_server<Self>;
  friend base;

 public:
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

 protected:
  using socket_type = boost::asio::ip::udp::socket; ///< Asio's.

  /** @param sink  takes each datagram; outlives the server. */
  explicit loop_server(Sink& sink) : sink_(sink) {}
  ~loop_server() = default;

  /** Only while open, as `socket`. Threads: the receiving one. */
  boost::asio::io_context& context() noexcept { return parts_->context; }
  /** The bound socket. No operation on it but the receive. */
  socket_type& socket() noexcept { return parts_->socket; }
  /** Where Asio puts one datagram. */
  boost::asio::mutable_buffer buffer() noexcept { return take_.buffer(); }
  /** Of the one outstanding operation. */
  Memory& memory() noexcept { return memory_; }

  /** No operation may be started any more. */
  bool finished() const noexcept { return left_ == 0 || over_; }

  /** Ends `receive`; nothing is outstanding. Called within a handler. */
  void leave() {
    if constexpr (memory::leaves_with_context<Memory>) memory_.carry_over();
    parts_->context.stop();
  }

  /** Gives on the datagram that Asio has received. */
  void received(const error_code& ec, std::size_t length) noexcept {
    if (ec) {
      count(ec);
      return;
    }
    take_.deliver(length, sink_);
    --left_;
  }

  /** Takes what is there, also after a wait that the tick cut short: what had come is not left because the tick was first. */
  void readable(const error_code& ec) noexcept {
    count(ec);
    error_code reason;
    const std::size_t taken =
        take_(parts_->socket.native_handle(), left_, take::wait::no, sink_, reason);
    excess_ += taken - std::min(taken, left_);
    left_ -= std::min(taken, left_);
    count(reason);
  }

 private:
  struct parts {
    // Hint 1: nobody else touches the context, so a completion never has to wake another thread.
    boost::asio::io_context context{1};
    socket_type socket{context};
    boost::asio::steady_timer tick{context};
  };

  void open_socket(net::descriptor fd, const boost::asio::ip::udp& protocol,
                   const server_options& options) {
    take_.prepare(options.largest_datagram);
    parts_.emplace();
    parts_->socket.assign(protocol, fd.get());
    fd.release();
    tick();
    static_cast<Self*>(this)->opened();
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    if (n == 0) return 0;
    left_ = n;
    excess_ = 0;
    deadline_ = deadline;
    over_ = this->stopping();
    parts_->context.restart();
    try {
      static_cast<Self*>(this)->resume();
      parts_->context.run();
    } catch (...) {
      static_cast<Self*>(this)->thrown();
      throw;
    }
    return n - left_ + excess_;
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

  void close_socket() noexcept {
    static_cast<Self*>(this)->closing();
    parts_.reset();
  }

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
