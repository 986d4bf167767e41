/** @file
    What the servers on an event loop have in common: a context of their own, chains of operations on each socket, one timer.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/spins.hpp>
#include <udpbench/take/take_policy.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>

namespace udpbench {

/** Runs a context, for all its sockets, on the thread that calls `receive`, or on one of its own. A socket has one lane, a chain of
    operations, or several. `Self` gives the treatment: `resume(lane)` starts a lane's first operation; whoever handles an operation
    calls `received` or `readable`, and then, as long as `finished` isn't true, starts the next; then it calls `leave`. `opened`,
    `closing` and `thrown` tell it of a lane's new socket, of its end, and of an exception on its way out of `receive`; `State` is what
    it keeps for each.
    Lifetime: the sinks outlive it. */
template <class Self, datagram_sink Sink, take_policy Take, handler_memory Memory, class State,
          event_loop_policy Loop>
class loop_server : public basic_server<Self> {
  using base = basic_server<Self>;
  friend base;

 public:
  /** See `spins`. */
  static constexpr bool never_sleeps = spins<Loop>;

  /** The descriptor of the i-th socket; -1 while closed. */
  int native_handle(std::size_t i = 0) {
    auto& socket = sockets_.at(i);
    return socket ? socket->native_handle() : -1;
  }

  /** Receive calls that failed, or cut a train of datagrams. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_errors() const noexcept { return errors_; }

  /** The last error of one of those; unset if there was none. Threads: as `receive_errors`. */
  error_code last_receive_error() const noexcept { return last_error_; }

  /** Receive calls that gave something, since construction. Threads: as `receive_errors`. */
  std::uint64_t receive_calls() const noexcept
    requires call_counting_take<Take>
  {
    std::uint64_t all = 0;
    for (const Take& t : takes_) all += t.calls();
    return all;
  }

  /** How many datagrams each of these gave. Threads: as `receive_errors`. */
  measure::batch_sizes datagrams_per_call() const noexcept
    requires batch_counting_take<Take>
  {
    measure::batch_sizes all;
    for (const Take& t : takes_) all += t.batches();
    return all;
  }

  /** How many datagrams were taken after each wait for a socket to become readable, of those that were not in vain. Where Asio makes the
      receive call it isn't seen whether it waited. Threads: as `receive_errors`. */
  const measure::batch_sizes& datagrams_per_wakeup() const noexcept
    requires(!asio_take<Take>)
  {
    return wakeups_;
  }

  /** What the handler memories of all lanes were asked for since construction. Threads: the receiving one, or none inside
      `receive`. */
  memory::usage memory_use() const noexcept
    requires memory::counts_use<Memory>
  {
    memory::usage all = lanes_.front().memory.use();
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
      const memory::usage one = lanes_[i].memory.use();
      all.requests += one.requests;
      if (all.upstream && one.upstream) *all.upstream += *one.upstream;
    }
    return all;
  }

 protected:
  using socket_type = boost::asio::ip::udp::socket; ///< Asio's.

  /** A chain of operations on one socket: at most one of them is outstanding. */
  struct lane {
    /** With a memory and a state of its own. */
    lane(Sink& s, Take& t, std::optional<socket_type>& on) : sink(s), take(t), socket(on) {}

    Sink& sink;                         ///< Its socket's.
    Take& take;                         ///< Its own, or one for all that take within a handler.
    Memory memory;                      ///< For its operations.
    std::optional<socket_type>& socket; ///< Empty while closed.
    State state;                        ///< `Self`'s.
  };

  /** A socket for each of `sinks`, which outlive it, with `lanes_each` lanes. */
  explicit loop_server(std::span<Sink> sinks, std::size_t lanes_each = 1)
      : lanes_each_(lanes_each) {
    for (Sink& sink : sinks) {
      sockets_.emplace_back();
      for (std::size_t i = 0; i < lanes_each; ++i) {
        // A buffer that an operation fills is its own; what is filled within a handler serves all of them, and stays in the cache.
        if (asio_take<Take> || takes_.empty()) takes_.emplace_back();
        lanes_.emplace_back(sink, takes_.back(), sockets_.back());
      }
    }
  }
  ~loop_server() = default;

  /** Only while open, as `socket`. Threads: the receiving one. */
  boost::asio::io_context& context() noexcept { return parts_->context; }
  /** Those of the first sink come first. */
  std::deque<lane>& lanes() noexcept { return lanes_; }

  /** The lane that asks may start no operation any more: there is one outstanding for each datagram that is left, or it is over. */
  bool finished() const noexcept { return left_ < active_ || over_; }

  /** Says that nothing is outstanding on one lane; the last one to say so ends `receive`. Called within a handler. */
  void leave() {
    if (--active_ != 0) return;
    if constexpr (memory::leaves_with_context<Memory>)
      for (lane& l : lanes_) l.memory.carry_over();
    parts_->context.stop();
  }

  /** Gives on the datagram that Asio has received. */
  void received(lane& l, const error_code& ec, std::size_t length) noexcept {
    if (ec) {
      count(ec);
      return;
    }
    l.take.deliver(length, l.sink);
    --left_;
  }

  /** Takes what is there, also after a wait that the tick cut short: what had come is not left because the tick was first. */
  void readable(lane& l, const error_code& ec) noexcept {
    count(ec);
    error_code reason;
    const std::size_t taken =
        l.take(l.socket->native_handle(), left_, take::wait::no, l.sink, reason);
    if (taken != 0) wakeups_.record(taken);
    excess_ += taken - std::min(taken, left_);
    left_ -= std::min(taken, left_);
    count(reason);
  }

 private:
  struct parts {
    boost::asio::io_context context{Loop::hint};
    boost::asio::steady_timer tick{context};
  };

  Self& self() noexcept { return static_cast<Self&>(*this); }

  std::size_t sockets() const noexcept { return sockets_.size(); }
  static std::size_t threads() noexcept { return 1; }

  void open_socket(std::size_t i, net::descriptor fd, const boost::asio::ip::udp& protocol,
                   const server_options& options) {
    const auto first = lanes_.begin() + static_cast<std::ptrdiff_t>(i * lanes_each_);
    const auto last = first + static_cast<std::ptrdiff_t>(lanes_each_);
    std::for_each(first, last, [&](lane& l) {
      l.take.prepare(options.largest_datagram);
      take::configure(l.take, fd.get());
    });
    if (!parts_) {
      parts_.emplace();
      tick();
    }
    sockets_[i].emplace(parts_->context);
    sockets_[i]->assign(protocol, fd.get());
    fd.release();
    std::for_each(first, last, [&](lane& l) { self().opened(l); });
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    if (n == 0) return 0;
    left_ = n;
    excess_ = 0;
    deadline_ = deadline;
    over_ = this->stopping();
    active_ = std::min(n, lanes_.size());
    parts_->context.restart();
    std::size_t idle = active_;
    try {
      for (const std::size_t all = active_; idle != 0; --idle) self().resume(lanes_[all - idle]);
      // Whoever throws from here on has no operation outstanding, nor will have.
      idle = 1;
      Loop::run(parts_->context);
    } catch (...) {
      abandon(idle);
      self().thrown();
      throw;
    }
    return n - left_ + excess_;
  }

  /** Ends what is outstanding when an exception is on its way out, of which `idle` lanes can't say so themselves. */
  void abandon(std::size_t idle) {
    active_ -= std::min(idle, active_);
    if (active_ == 0) return;
    over_ = true;
    cancel();
    Loop::run(parts_->context);
  }

  void cancel() noexcept {
    for (auto& socket : sockets_) {
      error_code ignored;
      socket->cancel(ignored);
    }
  }

  /** Several sockets have an operation outstanding each, so they can't be left after a number of datagrams. */
  void serve(std::size_t) {
    receive_some(sockets_.size() == 1 ? base::slice : std::numeric_limits<std::size_t>::max(),
                 base::time_point::max());
  }

  void count(const error_code& ec) noexcept {
    if (!ec || ec == boost::asio::error::operation_aborted || ec == boost::asio::error::would_block)
      return;
    ++errors_;
    last_error_ = ec;
  }

  /** Looks at the deadline and the stop flag, once a tick for as long as the server is open: a timer per `receive` would cost
      each datagram some 8 ns. Nothing in its handler can fail, and so end it: Asio keeps the memory of the wait that has just
      ended for the next. */
  void tick() {
    parts_->tick.expires_after(server_tick);
    parts_->tick.async_wait([this](const error_code& ec) {
      if (ec) return;
      // What is over stays over: a coroutine that is started later than its `abandon` is ended by the next tick.
      over_ = over_ || this->stopping() || measure::monotonic_clock::now() >= deadline_;
      if (over_) cancel();
      tick();
    });
  }

  void close_sockets() noexcept {
    for (lane& l : lanes_) self().closing(l);
    for (auto& socket : sockets_) socket.reset();
    parts_.reset();
  }

  std::size_t lanes_each_;
  std::deque<Take> takes_;
  std::deque<std::optional<socket_type>> sockets_;
  std::deque<lane> lanes_;
  std::optional<parts> parts_;
  std::size_t active_ = 0; ///< Lanes that have not left.
  std::size_t left_ = 0;
  std::size_t excess_ = 0;
  typename base::time_point deadline_;
  bool over_ = false;
  std::uint64_t errors_ = 0;
  error_code last_error_;
  measure::batch_sizes wakeups_;
};

} // namespace udpbench
