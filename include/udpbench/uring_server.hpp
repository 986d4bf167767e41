/** @file
    A server on io_uring without Asio: the kernel completes its receives by itself.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/blocking_loop.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/uring/flight.hpp>
#include <udpbench/uring/multishot.hpp>
#include <udpbench/uring/ring.hpp>
#include <udpbench/uring/singles.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace udpbench {

/** Receives through a ring of its own, for all its sockets, on the thread that calls `receive`, or on one of its own. `Flight` says how
    receives are kept outstanding: `uring::singles` or `uring::multishot`. Within `receive` they can never take more datagrams than
    are still wanted; at its end those left over are cancelled, and what one of them has received before that is delivered and counted.
    So nothing is outstanding between two calls, and what is queued then stays in the socket. See `basic_server` for its face.
    Errors: `open` throws ENOSYS or EPERM where io_uring is missing or forbidden; a `receive` on another thread than the last one may need a
    ring of its own, and throws `system_error` where it can't have one.
    Lifetime: the sinks outlive it. */
template <datagram_sink Sink, uring::flight Flight = uring::singles<>>
class uring_server : public basic_server<uring_server<Sink, Flight>> {
  using base = basic_server<uring_server>;
  friend base;

 public:
  /** A server of one socket. @param sink  takes each datagram; outlives the server. */
  explicit uring_server(Sink& sink) : uring_server(std::span<Sink>(&sink, 1)) {}
  /** A server of a socket for each of `sinks`, which outlive it. */
  explicit uring_server(std::span<Sink> sinks) : sinks_(sinks), sockets_(sinks.size()) {}
  ~uring_server() { this->stop(); }

  /** The descriptor of the i-th socket; -1 while closed. */
  int native_handle(std::size_t i = 0) { return sockets_.at(i).get(); }

  /** Receives and system calls that failed since construction. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_errors() const noexcept {
    return flight_.failed().count() + loop_.errors();
  }

  /** The last error of one of those; unset if there was none. Threads: as `receive_errors`. */
  error_code last_receive_error() const noexcept {
    return flight_.failed().last() ? flight_.failed().last() : loop_.last_error();
  }

  /** How many datagrams were there when a wait for completions was over, of those waits that were not in vain. Threads: as
      `receive_errors`. */
  const measure::batch_sizes& datagrams_per_wakeup() const noexcept { return wakeups_; }

 private:
  std::size_t sockets() const noexcept { return sockets_.size(); }
  static std::size_t threads() noexcept { return 1; }

  void open_socket(std::size_t i, net::descriptor fd, const boost::asio::ip::udp&,
                   const server_options& options) {
    if (i == 0) flight_.open(sockets_.size(), options.largest_datagram);
    flight_.add(fd.get());
    sockets_[i] = std::move(fd);
    if (i + 1 == sockets_.size()) attach();
  }

  void attach() {
    ring_.close();
    try {
      flight_.attach(ring_);
    } catch (...) {
      ring_.close();
      throw;
    }
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    if (n == 0) return 0;
    // It may belong to the thread that received before this one.
    if (!ring_.usable_here()) attach();
    const auto step = [this](std::size_t most, error_code& ec) noexcept {
      flight_.keep(ring_, most);
      ec = ring_.wait(server_tick);
      return deliver();
    };
    const std::size_t got = loop_.run(n, deadline, step, [this] { return this->stopping(); });
    return got + land();
  }

  /** Several sockets share their buffers, so they can't be left after a number of datagrams. */
  void serve(std::size_t) {
    receive_some(sockets_.size() == 1 ? base::slice : std::numeric_limits<std::size_t>::max(),
                 base::time_point::max());
  }

  std::size_t deliver() noexcept {
    std::size_t got = 0;
    const auto to_sink = [this](std::size_t i, const datagram& d) noexcept { sinks_[i](d); };
    ring_.take([&](const uring::completion& c) noexcept { got += flight_.complete(c, to_sink); });
    if (got != 0) wakeups_.record(got);
    return got;
  }

  /** Ends what is outstanding, and waits until it has ended. */
  std::size_t land() noexcept {
    namespace errc = boost::system::errc;
    std::size_t got = 0;
    error_code ec;
    while (ring_.outstanding() != 0 &&
           (!ec || ec == errc::resource_unavailable_try_again || ec == errc::interrupted)) {
      // Again after a wait in vain: a receive that is just being completed isn't found, and may go on.
      flight_.cancel(ring_);
      ec = ring_.wait(server_tick, ring_.outstanding());
      got += deliver();
    }
    // One that refuses to wait is of no more use: the next receive makes another.
    if (ring_.outstanding() != 0) ring_.close();
    return got;
  }

  void close_sockets() noexcept {
    ring_.close();
    flight_.close();
    for (net::descriptor& each : sockets_) each.reset();
  }

  std::span<Sink> sinks_;
  std::vector<net::descriptor> sockets_;
  uring::ring ring_;
  Flight flight_;
  blocking_loop loop_;
  measure::batch_sizes wakeups_;
};

} // namespace udpbench
