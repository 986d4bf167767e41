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
    takes as many datagrams as there are. On an idle socket all of them wait: a datagram that comes wakes each, and all but one
    wait again. */
template <std::size_t N = 64>
class singles {
  static_assert(N > 0 && N <= 4096, "a ring has room for some thousands");

 public:
  /** See `flight`. Errors: throws std::bad_alloc. */
  void open(std::size_t sockets, std::size_t largest) {
    largest_ = largest;
    stride_ = (largest + 63) / 64 * 64;
    busy_.reserve(sockets * N);
    idle_.reserve(sockets * N);
    buffer_ = take::page_buffer(stride_ * sockets * N);
  }

  /** See `flight`. */
  void add(int fd) { sockets_.push_back(fd); }

  /** See `flight`. Errors: throws `system_error`. */
  void attach(ring& r) {
    const std::size_t slots = sockets_.size() * N;
    r.open(N, 2 * slots, users::any);
    r.fix_files(sockets_);
    busy_.assign(slots, false);
    // The last one is used first: it is to be the first buffer.
    idle_.clear();
    for (std::size_t i = slots; i > 0; --i) idle_.push_back(i - 1);
  }

  /** See `flight`. */
  void keep(ring& r, std::size_t n) noexcept {
    while (!idle_.empty() && busy_.size() - idle_.size() < n) {
      const std::size_t i = idle_.back();
      idle_.pop_back();
      busy_[i] = true;
      io_uring_sqe& entry = r.add();
      // MSG_TRUNC gives a datagram's true length here, too.
      io_uring_prep_recv(&entry, static_cast<int>(i / N), buffer_.data() + i * stride_, largest_,
                         MSG_TRUNC);
      entry.flags |= IOSQE_FIXED_FILE;
      entry.user_data = tag(i);
    }
  }

  /** See `flight`. */
  template <class Deliver>
  std::size_t complete(const completion& c, Deliver& deliver) noexcept {
    if (c.tag == ring::cancel_tag) return 0;
    const std::size_t i = slot(c.tag);
    busy_[i] = false;
    idle_.push_back(i);
    if (c.result < 0) {
      if (c.result != -ECANCELED && c.result != -EINTR && c.result != -EAGAIN) ++errors_;
      return 0;
    }
    const auto length = static_cast<std::size_t>(c.result);
    deliver(i / N, datagram{buffer_.slice(i * stride_, std::min(length, largest_)), length});
    return 1;
  }

  /** See `flight`. */
  void cancel(ring& r) noexcept {
    for (std::size_t i = 0; i < busy_.size(); ++i)
      if (busy_[i]) r.cancel(tag(i));
  }

  /** See `flight`. */
  void close() noexcept { sockets_.clear(); }

  /** See `flight`. */
  std::uint64_t errors() const noexcept { return errors_; }

 private:
  static std::uint64_t tag(std::size_t slot) noexcept { return slot + 1; }
  static std::size_t slot(std::uint64_t tag) noexcept { return static_cast<std::size_t>(tag - 1); }

  std::size_t stride_ = 0;
  std::size_t largest_ = 0;
  take::page_buffer buffer_;
  std::vector<int> sockets_;      ///< Descriptors. The i-th has N slots, from i * N.
  std::vector<bool> busy_;        ///< Slots with a receive.
  std::vector<std::size_t> idle_; ///< Slots without one.
  std::uint64_t errors_ = 0;
};
static_assert(flight<singles<>>);

} // namespace udpbench::uring
