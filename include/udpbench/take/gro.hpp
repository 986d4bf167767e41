/** @file
    Trains of datagrams that the kernel has joined.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/net/train.hpp>
#include <udpbench/net/try_receives.hpp>
#include <udpbench/take/page_buffer.hpp>
#include <udpbench/take/take_policy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <sys/socket.h>

namespace udpbench::take {

/** Generic receive offload: one `recvmsg` gives a whole train of datagrams that the kernel has joined (UDP_GRO; udp(7)), and each goes
    to the sink by itself. A call that doesn't wait goes on until the socket is empty or it has enough.
    A train that is longer than `Bytes` sets `error::cut_train`, and what of it is not whole is lost; with 64 KiB there is none, since
    all of a train fits into one IP packet. */
template <std::size_t Bytes = 64 * 1024>
class gro {
 public:
  /** @param largest  bytes. Errors: throws std::bad_alloc. */
  void prepare(std::size_t largest) {
    largest_ = largest;
    buffer_ = page_buffer(Bytes);
  }

  /** Has the socket's datagrams joined. Errors: throws `error::no_gro` where the kernel refuses. */
  void configure(int fd) {
    if (!net::accepts_gro(fd)) throw system_error(make_error_code(error::no_gro), "UDP_GRO");
  }

  /** See `take_policy`. */
  template <datagram_sink Sink>
  std::size_t operator()(int fd, std::size_t most, wait w, Sink& sink, error_code& ec) noexcept {
    if (w == wait::first) return one_train(fd, 0, sink, ec);
    std::size_t taken = 0;
    for (unsigned call = 0; call < most_calls && taken < most; ++call) {
      error_code reason;
      const std::size_t more = one_train(fd, MSG_DONTWAIT, sink, reason);
      taken += more;
      // Running empty is how it ends, not why there was nothing.
      if (reason && (taken == 0 || reason == error::cut_train)) ec = reason;
      if (more == 0) break;
    }
    return taken;
  }

  /** See `call_counting_take`. */
  std::uint64_t calls() const noexcept { return batches_.count(); }

  /** See `batch_counting_take`. */
  const measure::batch_sizes& batches() const noexcept { return batches_; }

 private:
  /** After which one busy socket lets others have their turn. */
  static constexpr unsigned most_calls = 32;

  template <datagram_sink Sink>
  std::size_t one_train(int fd, int flags, Sink& sink, error_code& ec) noexcept {
    error_code failed;
    const net::train t = net::receive_train(fd, buffer_.slice(0, Bytes), flags, failed);
    if (failed) {
      ec = failed;
      return 0;
    }
    const std::size_t given = deliver(t, sink, ec);
    batches_.record(given);
    return given;
  }

  template <datagram_sink Sink>
  std::size_t deliver(const net::train& t, Sink& sink, error_code& ec) noexcept {
    const std::size_t all = t.datagrams();
    if (all == 1) {
      sink(datagram{buffer_.slice(0, std::min({t.bytes, largest_, Bytes})), t.bytes});
      return 1;
    }
    std::size_t whole = all;
    if (t.bytes > Bytes) {
      whole = Bytes / t.segment;
      ec = error::cut_train;
    }
    const std::size_t last = all - 1;
    for (std::size_t i = 0; i < whole; ++i) {
      const std::size_t at = i * t.segment;
      const std::size_t length = i == last ? t.bytes - at : t.segment;
      sink(datagram{buffer_.slice(at, std::min(length, largest_)), length});
    }
    return whole;
  }

  std::size_t largest_ = 0;
  page_buffer buffer_;
  measure::batch_sizes batches_;
};
static_assert(batch_counting_take<gro<>> && configuring_take<gro<>> && !asio_take<gro<>>);

} // namespace udpbench::take
