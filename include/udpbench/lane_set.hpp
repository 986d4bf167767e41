/** @file
    The sockets of a server on an event loop, and the chains of operations on them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/error.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/take/take_policy.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

namespace udpbench {

/** A socket for each sink, and a lane or several on each: a chain of operations, of which at most one is outstanding. `State` is what a
    server keeps for each lane. Threads: one at a time. */
template <datagram_sink Sink, take_policy Take, handler_memory Memory, class State>
class lane_set {
 public:
  using socket_type = boost::asio::ip::udp::socket; ///< Asio's.

  /** A chain of operations on one socket. */
  struct lane {
    /** With a memory and a state of its own. */
    lane(Sink& s, Take& t, std::optional<socket_type>& on) : sink(s), take(t), socket(on) {}

    Sink& sink;                         ///< Its socket's.
    Take& take;                         ///< Its own, or one for all that take within a handler.
    Memory memory;                      ///< For its operations.
    std::optional<socket_type>& socket; ///< Empty while closed.
    State state;                        ///< The server's.
  };

  /** A socket, closed, for each of `sinks`, which outlive it, with `lanes_each` lanes. */
  lane_set(std::span<Sink> sinks, std::size_t lanes_each) : lanes_each_(lanes_each) {
    for (Sink& sink : sinks) {
      sockets_.emplace_back();
      for (std::size_t i = 0; i < lanes_each; ++i) {
        // A buffer that an operation fills is its own; what is filled within a handler serves all of them, and stays in the cache.
        if (asio_take<Take> || takes_.empty()) takes_.emplace_back();
        lanes_.emplace_back(sink, takes_.back(), sockets_.back());
      }
    }
  }

  /** How many there are, open or not. */
  std::size_t sockets() const noexcept { return sockets_.size(); }
  /** Those of the first sink come first. */
  std::deque<lane>& lanes() noexcept { return lanes_; }

  /** The descriptor of the i-th socket; -1 while closed. */
  int native_handle(std::size_t i) {
    auto& socket = sockets_.at(i);
    return socket ? socket->native_handle() : -1;
  }

  /** Receive calls that gave something, since construction. */
  std::uint64_t receive_calls() const noexcept
    requires call_counting_take<Take>
  {
    std::uint64_t all = 0;
    for (const Take& t : takes_) all += t.calls();
    return all;
  }

  /** How many datagrams each of these gave. */
  measure::batch_sizes datagrams_per_call() const noexcept
    requires batch_counting_take<Take>
  {
    measure::batch_sizes all;
    for (const Take& t : takes_) all += t.batches();
    return all;
  }

  /** What the handler memories of all lanes were asked for since construction. */
  memory::usage memory_use() const noexcept
    requires memory::counts_use<Memory>
  {
    memory::usage all = lanes_.front().memory.use();
    for (std::size_t i = 1; i < lanes_.size(); ++i) all += lanes_[i].memory.use();
    return all;
  }

  /** Makes the i-th socket of a descriptor; `opened(lane)` is told of each of its lanes.
      Errors: throws `system_error`; bad_alloc. */
  template <class Opened>
  void open(std::size_t i, boost::asio::io_context& context, net::descriptor fd,
            const boost::asio::ip::udp& protocol, const server_options& options, Opened opened) {
    const auto first = lanes_.begin() + static_cast<std::ptrdiff_t>(i * lanes_each_);
    const auto last = first + static_cast<std::ptrdiff_t>(lanes_each_);
    std::for_each(first, last, [&](lane& l) {
      l.take.prepare(options.largest_datagram);
      take::configure(l.take, fd.get());
    });
    sockets_[i].emplace(context);
    sockets_[i]->assign(protocol, fd.get());
    fd.release();
    std::for_each(first, last, opened);
  }

  /** Ends what is outstanding on all sockets, which are open. */
  void cancel() noexcept {
    for (auto& socket : sockets_) {
      error_code ignored;
      socket->cancel(ignored);
    }
  }

  /** Closes all sockets. */
  void close() noexcept {
    for (auto& socket : sockets_) socket.reset();
  }

 private:
  std::size_t lanes_each_;
  std::deque<Take> takes_;
  std::deque<std::optional<socket_type>> sockets_;
  std::deque<lane> lanes_;
};

} // namespace udpbench
