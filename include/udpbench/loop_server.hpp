/** @file
    What the servers on an event loop have in common: a context of their own, chains of operations on each socket, one timer.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/crew.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/lane_set.hpp>
#include <udpbench/loop_counts.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/clock.hpp>
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
#include <utility>

namespace udpbench {

/** Runs a context, for all its sockets, on the thread that calls `receive`, or on one of its own. A socket has one lane, a chain of
    operations, or several. `Self` gives the treatment: `resume(lane)` starts a lane's first operation; whoever handles an operation
    calls `received` or `readable`, and then, as long as `finished` isn't true, starts the next; then it calls `leave`. `opened`,
    `closing` and `thrown` tell it of a lane's new socket, of its end, and of an exception on its way out of `receive`; `State` is what
    it keeps for each.

    With a `Loop` for several threads, a server of one lane may have as many of its own. They run the context together: whichever is free
    calls the lane's handler, of which there is one at a time, since it starts the next operation itself. So sink, take and memory are used
    by one thread at a time, and what it did is seen by the next, which the context hands the operation to. The tick may run beside it: it
    touches nothing of the lane then, but stops the context.
    Lifetime: the sinks outlive it. */
template <class Self, datagram_sink Sink, take_policy Take, handler_memory Memory, class State,
          event_loop_policy Loop>
class loop_server : public basic_server<Self>, public loop_counts<Take, Loop> {
  using base = basic_server<Self>;
  friend base;

 public:
  /** See `spins`. */
  static constexpr bool never_sleeps = spins<Loop>;

  /** The descriptor of the i-th socket; -1 while closed. */
  int native_handle(std::size_t i = 0) { return lanes_.native_handle(i); }

  /** Receive calls that gave something, since construction. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_calls() const noexcept
    requires call_counting_take<Take>
  {
    return lanes_.receive_calls();
  }

  /** How many datagrams each of these gave. Threads: as `receive_calls`. */
  measure::batch_sizes datagrams_per_call() const noexcept
    requires batch_counting_take<Take>
  {
    return lanes_.datagrams_per_call();
  }

  /** What the handler memories of all lanes were asked for since construction. Threads: the receiving one, or none inside
      `receive`. */
  memory::usage memory_use() const noexcept
    requires memory::counts_use<Memory>
  {
    return lanes_.memory_use();
  }

 protected:
  using set = lane_set<Sink, Take, Memory, State>; ///< What it has.
  using socket_type = typename set::socket_type;   ///< Asio's.
  using lane = typename set::lane;                 ///< A chain of operations.

  /** A socket for each of `sinks`, which outlive it, with `lanes_each` lanes. More than one of `threads` are for one lane alone. */
  explicit loop_server(std::span<Sink> sinks, std::size_t lanes_each = 1, std::size_t threads = 1)
      : lanes_(sinks, lanes_each), threads_(threads) {}
  ~loop_server() = default;

  /** Only while open, as `socket`. Threads: the receiving one. */
  boost::asio::io_context& context() noexcept { return parts_->context; }
  /** Those of the first sink come first. */
  std::deque<lane>& lanes() noexcept { return lanes_.lanes(); }

  /** The lane that asks may start no operation any more: there is one outstanding for each datagram that is left, or it is over. */
  bool finished() const noexcept { return left_ < active_ || over_; }

  /** Says that nothing is outstanding on `l`; the last lane to say so ends `receive`. Called within a handler: each takes its memory along
      where that is needed, since the context may keep no more than a few blocks for all of them. */
  void leave(lane& l) {
    if constexpr (memory::leaves_with_context<Memory>) l.memory.carry_over();
    if (--active_ == 0) parts_->context.stop();
  }

  /** Gives on the datagram that Asio has received. */
  void received(lane& l, const error_code& ec, std::size_t length) noexcept {
    if (ec) {
      this->count(ec);
      return;
    }
    l.take.deliver(length, l.sink);
    --left_;
    this->count_received();
  }

  /** Takes what is there, also after a wait that the tick cut short: what had come is not left because the tick was first. */
  void readable(lane& l, const error_code& ec) noexcept {
    this->count(ec);
    error_code reason;
    const std::size_t taken =
        l.take(l.socket->native_handle(), left_, take::wait::no, l.sink, reason);
    this->count_taken(taken);
    excess_ += taken - std::min(taken, left_);
    left_ -= std::min(taken, left_);
    this->count(reason);
  }

 private:
  struct parts {
    boost::asio::io_context context{Loop::hint};
    boost::asio::steady_timer tick{context};
  };

  Self& self() noexcept { return static_cast<Self&>(*this); }

  std::size_t sockets() const noexcept { return lanes_.sockets(); }
  std::size_t threads() const noexcept { return threads_; }

  void open_socket(std::size_t i, net::descriptor fd, const boost::asio::ip::udp& protocol,
                   const server_options& options) {
    if (!parts_) {
      parts_.emplace();
      tick();
    }
    lanes_.open(i, parts_->context, std::move(fd), protocol, options,
                [this](lane& l) { self().opened(l); });
  }

  void begin(std::size_t n, typename base::time_point deadline) {
    left_ = n;
    excess_ = 0;
    deadline_ = deadline;
    over_ = this->stopping();
    active_ = std::min(n, lanes().size());
    parts_->context.restart();
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    if (n == 0) return 0;
    begin(n, deadline);
    [[maybe_unused]] const auto counted = this->counted_stretch();
    std::size_t idle = active_;
    try {
      for (const std::size_t all = active_; idle != 0; --idle) self().resume(lanes()[all - idle]);
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
    lanes_.cancel();
    Loop::run(parts_->context);
  }

  /** What each of several threads does, until the tick sees that a stop was asked for. The last of them ends what is outstanding, so that
      nothing that was received is lost. */
  void serve_together() {
    crew_.work(
        [this] {
          begin(std::numeric_limits<std::size_t>::max(), base::time_point::max());
          self().resume(lanes().front());
          together_ = true;
        },
        [this] {
          try {
            Loop::run(parts_->context);
          } catch (...) {
            // It was the lane's handler, so nothing is outstanding any more. The others wait for the stop.
            active_ = 0;
            throw;
          }
        },
        [this] {
          together_ = false;
          parts_->context.restart();
          abandon(0);
        });
  }

  /** Several sockets have an operation outstanding each, so they can't be left after a number of datagrams. */
  void serve(std::size_t) {
    if (threads_ > 1) return serve_together();
    receive_some(sockets() == 1 ? base::slice : std::numeric_limits<std::size_t>::max(),
                 base::time_point::max());
  }

  /** Looks at the deadline and the stop flag, once a tick for as long as the server is open: a timer per `receive` would cost
      each datagram some 8 ns. Nothing in its handler can fail, and so end it: Asio keeps the memory of the wait that has just
      ended for the next. */
  void tick() {
    parts_->tick.expires_after(server_tick);
    parts_->tick.async_wait([this](const error_code& ec) {
      if (ec) return;
      if (together_) {
        if (this->stopping()) parts_->context.stop();
      } else {
        // What is over stays over: a coroutine that is started later than its `abandon` is ended by the next tick.
        over_ = over_ || this->stopping() || measure::monotonic_clock::now() >= deadline_;
        if (over_) lanes_.cancel();
      }
      tick();
    });
  }

  void close_sockets() noexcept {
    for (lane& l : lanes()) self().closing(l);
    lanes_.close();
    parts_.reset();
  }

  set lanes_;
  std::size_t threads_;
  std::optional<parts> parts_;
  std::size_t active_ = 0; ///< Lanes that have not left.
  std::size_t left_ = 0;
  std::size_t excess_ = 0;
  typename base::time_point deadline_;
  bool over_ = false;
  bool together_ = false; ///< Several threads are at work.
  crew crew_;             ///< They.
};

} // namespace udpbench
