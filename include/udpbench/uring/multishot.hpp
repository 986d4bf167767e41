/** @file
    One receive per socket that goes on from datagram to datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/take/page_buffer.hpp>
#include <udpbench/uring/failures.hpp>
#include <udpbench/uring/flight.hpp>
#include <udpbench/uring/ring.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/socket.h>

namespace udpbench::uring {

/** A multishot receive on each socket, which takes a buffer for each datagram out of a ring that all of them share. The kernel takes no
    datagram without a buffer, so it is given as many as there are datagrams wanted, and the receive ends by itself, with ENOBUFS and
    nothing lost, when they are used up: that is a receive's end, not an error. It is then started again as long as more is wanted; so
    is one that found the completion queue full.
    @tparam Buffers  in the ring, a power of two.
    @tparam Completions  room in the completion queue, beside some for each socket.
    Needs Linux 6.0. Source: io_uring_prep_recv_multishot(3), io_uring_register_buf_ring(3). */
template <std::size_t Buffers = 64, std::size_t Completions = 2 * Buffers>
class multishot {
  static_assert(std::has_single_bit(Buffers) && Buffers <= 32'768, "as the kernel wants it");

 public:
  /** See `flight`. Errors: throws std::bad_alloc. */
  void open(std::size_t sockets, std::size_t largest) {
    largest_ = largest;
    // A buffer of 0 bytes might count as none.
    stride_ = std::max<std::size_t>((largest + 63) / 64, 1) * 64;
    buffer_ = take::page_buffer(stride_ * Buffers);
    queue_ = take::page_buffer(sizeof(io_uring_buf) * Buffers);
    sockets_.reserve(sockets);
    idle_.reserve(sockets);
  }

  /** See `flight`. */
  void add(int fd) { sockets_.push_back({fd, false}); }

  /** See `flight`. Errors: throws `system_error`: operation_not_supported where the kernel has no multishot receive. */
  void attach(ring& r) {
    for (std::size_t i = 0; i < Buffers; ++i) {
      entries()[i] = {};
      entries()[i].addr = reinterpret_cast<std::uintptr_t>(buffer_.data() + i * stride_);
      entries()[i].len = static_cast<std::uint32_t>(std::max<std::size_t>(largest_, 1));
      entries()[i].bid = static_cast<std::uint16_t>(i);
    }
    used_ = 0;
    given_ = 0;
    r.open(std::min<std::size_t>(sockets_.size(), 64), Completions + 2 * sockets_.size(),
           users::one);
    r.offer_buffers(entries(), Buffers, group);
    idle_.clear();
    for (std::size_t i = 0; i < sockets_.size(); ++i) idle_.push_back(i);
    try_out(r);
  }

  /** See `flight`. */
  void keep(ring& r, std::size_t n) noexcept {
    give(std::min(n, Buffers));
    for (const std::size_t i : idle_) {
      sockets_[i].armed = true;
      io_uring_sqe& entry = r.add();
      // MSG_TRUNC gives a datagram's true length here, too.
      io_uring_prep_recv_multishot(&entry, sockets_[i].fd, nullptr, 0, MSG_TRUNC);
      entry.flags |= IOSQE_BUFFER_SELECT;
      entry.buf_group = group;
      entry.user_data = i + 1;
    }
    idle_.clear();
  }

  /** See `flight`. */
  template <class Deliver>
  std::size_t complete(const completion& c, Deliver& deliver) noexcept {
    if (c.tag == ring::cancel_tag) return 0;
    const auto i = static_cast<std::size_t>(c.tag - 1);
    if (c.last()) {
      sockets_[i].armed = false;
      idle_.push_back(i);
    }
    if (c.has_buffer()) ++used_;
    if (c.result < 0) {
      if (c.result != -ENOBUFS) failed_.add(c.result);
      return 0;
    }
    const auto length = static_cast<std::size_t>(c.result);
    // A datagram of length 0 has no buffer, and ends the receive.
    const std::size_t at = c.has_buffer() ? c.buffer() * stride_ : 0;
    deliver(i, datagram{buffer_.slice(at, std::min(length, largest_)), length});
    return 1;
  }

  /** See `flight`. */
  void cancel(ring& r) noexcept {
    for (std::size_t i = 0; i < sockets_.size(); ++i)
      if (sockets_[i].armed) r.cancel(i + 1);
  }

  /** See `flight`. */
  void close() noexcept { sockets_.clear(); }

  /** See `flight`. */
  const failures& failed() const noexcept { return failed_; }

 private:
  struct socket_state {
    int fd;
    bool armed;
  };

  static constexpr std::uint16_t group = 1;

  io_uring_buf* entries() noexcept { return reinterpret_cast<io_uring_buf*>(queue_.data()); }

  /** Lets the kernel have `count` buffers that hold nothing. They are used, delivered and given again in one order, so entries never
      change, and giving is to move the ring's end. Back it is moved only while no receive is outstanding, of a single socket: at the
      beginning of `receive`, and after a datagram of length 0, which is one of those wanted and takes no buffer. */
  void give(std::size_t count) noexcept {
    const auto end = static_cast<std::uint16_t>(used_ + count);
    if (end == given_) return;
    given_ = end;
    // Where struct io_uring_buf_ring has its `tail`.
    io_uring_smp_store_release(&entries()[0].resv, end);
  }

  /** Starts receives that have no buffer: they end with ENOBUFS at once, and take nothing. */
  void try_out(ring& r) {
    namespace errc = boost::system::errc;
    int result = 0;
    null_delivery nobody;
    keep(r, 0);
    while (r.outstanding() != 0) {
      const error_code ec = r.wait(std::chrono::seconds(1));
      if (ec && ec != errc::resource_unavailable_try_again && ec != errc::interrupted)
        throw system_error(ec);
      r.take([&](const completion& c) noexcept {
        result = c.result;
        complete(c, nobody);
      });
    }
    if (result == -ENOBUFS) return;
    throw system_error(make_error_code(errc::operation_not_supported));
  }

  std::size_t stride_ = 0;
  std::size_t largest_ = 0;
  take::page_buffer buffer_;
  take::page_buffer queue_; ///< Of `io_uring_buf`, which the kernel reads.
  std::uint16_t used_ = 0;  ///< Buffers that the kernel has used, modulo 2^16.
  std::uint16_t given_ = 0; ///< Buffers that it was given, likewise.
  std::vector<socket_state> sockets_;
  std::vector<std::size_t> idle_; ///< Sockets without a receive.
  failures failed_;
};
static_assert(flight<multishot<>>);

} // namespace udpbench::uring
