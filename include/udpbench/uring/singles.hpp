/** @file
    Several receives in flight, each for one datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/take/page_buffer.hpp>
#include <udpbench/uring/flight.hpp>
#include <udpbench/uring/ring.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/socket.h>

namespace udpbench::uring {

/** Up to `N` receives outstanding on each socket, each with a buffer of its own. They are handed over together, so that one system call
    takes as many datagrams as there are. */
template <std::size_t N = 64>
class singles {
  static_assert(N > 0 && N <= 4096, "a ring has room for some thousands");

 public:
  /** See `flight`. Errors: throws std::bad_alloc, `system_error`. */
  void open(ring& r, std::size_t sockets, std::size_t largest) {
    largest_ = largest;
    stride_ = (largest + 63) / 64 * 64;
    slots_.reserve(sockets * N);
    idle_.reserve(sockets * N);
    buffer_ = take::page_buffer(stride_ * sockets * N);
    r.open(N, 2 * sockets * N);
  }

  /** See `flight`. */
  void add(ring&, int fd) {
    const std::size_t socket = slots_.size() / N;
    for (std::size_t i = 0; i < N; ++i) slots_.push_back({fd, socket, false});
    // The last one is used first: it is to be the first buffer.
    idle_.clear();
    for (std::size_t i = slots_.size(); i > 0; --i) idle_.push_back(i - 1);
  }

  /** See `flight`. */
  void keep(ring& r, std::size_t n) noexcept {
    while (!idle_.empty() && slots_.size() - idle_.size() < n) {
      const std::size_t i = idle_.back();
      idle_.pop_back();
      slots_[i].busy = true;
      io_uring_sqe& entry = r.add();
      // MSG_TRUNC gives a datagram's true length here, too.
      io_uring_prep_recv(&entry, slots_[i].fd, buffer_.data() + i * stride_, largest_, MSG_TRUNC);
      entry.user_data = tag(i);
    }
  }

  /** See `flight`. */
  template <class Deliver>
  std::size_t complete(const completion& c, Deliver& deliver) noexcept {
    if (c.tag == ring::cancel_tag) return 0;
    const std::size_t i = slot(c.tag);
    slots_[i].busy = false;
    idle_.push_back(i);
    if (c.result < 0) {
      if (c.result != -ECANCELED && c.result != -EINTR && c.result != -EAGAIN) ++errors_;
      return 0;
    }
    const auto length = static_cast<std::size_t>(c.result);
    deliver(slots_[i].socket,
            datagram{buffer_.slice(i * stride_, std::min(length, largest_)), length});
    return 1;
  }

  /** See `flight`. */
  void cancel(ring& r) noexcept {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].busy) r.cancel(tag(i));
  }

  /** See `flight`. */
  void landed() noexcept {}

  /** See `flight`. */
  void close() noexcept {
    slots_.clear();
    idle_.clear();
  }

  /** See `flight`. */
  std::uint64_t errors() const noexcept { return errors_; }

 private:
  struct slot_state {
    int fd;
    std::size_t socket;
    bool busy;
  };

  static std::uint64_t tag(std::size_t slot) noexcept { return slot + 1; }
  static std::size_t slot(std::uint64_t tag) noexcept { return static_cast<std::size_t>(tag - 1); }

  std::size_t stride_ = 0;
  std::size_t largest_ = 0;
  take::page_buffer buffer_;
  std::vector<slot_state> slots_;
  std::vector<std::size_t> idle_; ///< Slots without a receive.
  std::uint64_t errors_ = 0;
};
static_assert(flight<singles<>>);

} // namespace udpbench::uring
