/** @file
    What the servers on plain receive calls have in common: a loop of its own for each socket.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/blocking_loop.hpp>
#include <udpbench/idle/idle_policy.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/spins.hpp>
#include <udpbench/take/take_policy.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>

namespace udpbench {

/** Runs a blocking loop on the thread that calls `receive`, or on a thread of its own for each socket. `Self` gives the treatment:
    `adopt(socket, descriptor, protocol)` makes its `Socket` of a descriptor, `step(lane, most, wait, ec)` is one receive call, with the
    promises of a take, `handle(socket)` is its descriptor again; `clear(socket) noexcept` closes one, and `cleared() noexcept` is told when all are closed.
    Lifetime: the sinks outlive it. */
template <class Self, datagram_sink Sink, take_policy Take, idle_policy Idle, class Socket>
class blocking_server : public basic_server<Self> {
  using base = basic_server<Self>;
  friend base;

 public:
  /** See `spins`. */
  static constexpr bool never_sleeps = spins<Idle>;

  /** The descriptor of the i-th socket; -1 while closed. */
  int native_handle(std::size_t i = 0) { return self().handle(lanes_.at(i).socket); }

  /** Receive calls that failed, or cut a train of datagrams, since construction. Threads: the receiving one, or none inside `receive`. */
  std::uint64_t receive_errors() const noexcept {
    std::uint64_t all = 0;
    for (const lane& l : lanes_) all += l.loop.errors();
    return all;
  }

  /** The last error of one of those, of the first socket that has any; unset if there was none. Threads: as `receive_errors`. */
  error_code last_receive_error() const noexcept {
    for (const lane& l : lanes_)
      if (l.loop.last_error()) return l.loop.last_error();
    return {};
  }

  /** Receive calls that gave something, since construction. Threads: as `receive_errors`. */
  std::uint64_t receive_calls() const noexcept
    requires call_counting_take<Take>
  {
    std::uint64_t all = 0;
    for (const lane& l : lanes_) all += l.take.calls();
    return all;
  }

  /** How many datagrams each of these gave. Threads: as `receive_errors`. */
  measure::batch_sizes datagrams_per_call() const noexcept
    requires batch_counting_take<Take>
  {
    measure::batch_sizes all;
    for (const lane& l : lanes_) all += l.take.batches();
    return all;
  }

  /** What came of the busy polling that the kernel was asked for. Threads: any, while open. */
  net::busy_polling busy_poll()
    requires requires { Idle::requested; }
  {
    return {Idle::requested, net::granted_busy_poll(native_handle())};
  }

 protected:
  /** One socket and what belongs to it. */
  struct lane {
    /** Closed. */
    explicit lane(Sink& s) : sink(s) {}

    Sink& sink;         ///< Of the same number.
    Take take;          ///< Its own: threads share no buffer.
    Idle idle;          ///< What it does while nothing comes.
    blocking_loop loop; ///< Counts the errors of its receive calls.
    Socket socket;      ///< What `adopt` made.
  };

  /** A socket for each of `sinks`, which outlive it. */
  explicit blocking_server(std::span<Sink> sinks) {
    for (Sink& sink : sinks) lanes_.emplace_back(sink);
  }
  ~blocking_server() = default;

 private:
  Self& self() noexcept { return static_cast<Self&>(*this); }

  std::size_t sockets() const noexcept { return lanes_.size(); }
  std::size_t threads() const noexcept { return lanes_.size(); }

  void open_socket(std::size_t i, net::descriptor fd, const boost::asio::ip::udp& protocol,
                   const server_options& options) {
    lane& l = lanes_[i];
    l.take.prepare(options.largest_datagram);
    take::configure(l.take, fd.get());
    l.idle.prepare(fd.get());
    net::set_receive_timeout(fd.get(), server_tick);
    self().adopt(l.socket, std::move(fd), protocol);
  }

  std::size_t receive_some(std::size_t n, typename base::time_point deadline) {
    return receive_from(lanes_.front(), n, deadline);
  }

  void serve(std::size_t i) { receive_from(lanes_[i], base::slice, base::time_point::max()); }

  /** One piece of code in whatever program: in a source file as large as all built-in receivers together g++ 12 no longer inlined Asio's receive
      call, and each datagram cost sync 2 to 4 % more than raw, against 0 to 1 % like this. */
  [[gnu::flatten]] std::size_t receive_from(lane& l, std::size_t n,
                                            typename base::time_point deadline) {
    const auto step = [this, &l](std::size_t most, take::wait w, error_code& ec) {
      return self().step(l, most, w, ec);
    };
    return l.loop.run(
        n, deadline, [&](std::size_t most, error_code& ec) { return l.idle(most, ec, step); },
        [this] { return this->stopping(); });
  }

  void close_sockets() noexcept {
    for (lane& l : lanes_) self().clear(l.socket);
    self().cleared();
  }

  std::deque<lane> lanes_;
};

} // namespace udpbench
