/** @file
    Several receives in flight, each for one datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/take/page_buffer.hpp>
#include <udpbench/uring/failures.hpp>
#include <udpbench/uring/flight.hpp>
#include <udpbench/uring/ring.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/socket.h>

namespace udpbench::uring {

/** Up to `N` receives outstanding on each socket, each with a buffer of its own; many sockets have fewer, 4,096 in all. They are handed
    over together, so that one system call takes as many datagrams as there are. On an idle socket all of them wait: a datagram that
    comes wakes each, and all but one wait again. */
template <std::size_t N = 64>
class singles {
  static_assert(N > 0 && N <= 4096, "as many as all sockets have together");

 public:
  /** See `flight`. Errors: throws std::bad_alloc. */
  void open(std::size_t sockets, std::size_t largest) {
    largest_ = largest;
    stride_ = (largest + 63) / 64 * 64;
    each_ = std::clamp<std::size_t>(4096 / sockets, 1, N);
    slots_.reserve(sockets * each_);
    idle_.reserve(sockets * each_);
    buffer_ = take::page_buffer(stride_ * sockets * each_);
  }

  /** See `flight`. */
  void add(int fd) { sockets_.push_back(fd); }

  /** See `flight`. Errors: throws `system_error`. */
  void attach(ring& r) {
    slots_.clear();
    for (std::size_t socket = 0; socket < sockets_.size(); ++socket)
      slots_.resize(slots_.size() + each_, {socket, false});
    // The last one is used first: it is to be the first buffer.
    idle_.clear();
    for (std::size_t i = slots_.size(); i > 0; --i) idle_.push_back(i - 1);
    r.open(each_, 2 * slots_.size(), users::any);
    r.fix_files(sockets_);
  }

  /** See `flight`. */
  void keep(ring& r, std::size_t n) noexcept {
    while (!idle_.empty() && slots_.size() - idle_.size() < n) {
      const std::size_t i = idle_.back();
      idle_.pop_back();
      slots_[i].busy = true;
      io_uring_sqe& entry = r.add();
      // MSG_TRUNC gives a datagram's true length here, too.
      io_uring_prep_recv(&entry, static_cast<int>(slots_[i].socket), buffer_.data() + i * stride_,
                         largest_, MSG_TRUNC);
      entry.flags |= IOSQE_FIXED_FILE;
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
      failed_.add(c.result);
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
  void close() noexcept { sockets_.clear(); }

  /** See `flight`. */
  const failures& failed() const noexcept { return failed_; }

 private:
  struct slot_state {
    std::size_t socket;
    bool busy; ///< It has a receive.
  };

  static std::uint64_t tag(std::size_t slot) noexcept { return slot + 1; }
  static std::size_t slot(std::uint64_t tag) noexcept { return static_cast<std::size_t>(tag - 1); }

  std::size_t stride_ = 0;
  std::size_t largest_ = 0;
  take::page_buffer buffer_;
  std::size_t each_ = N;          ///< Slots of a socket.
  std::vector<int> sockets_;      ///< Descriptors.
  std::vector<slot_state> slots_; ///< Of all sockets, those of the first one first.
  std::vector<std::size_t> idle_; ///< Slots without one.
  failures failed_;
};
static_assert(flight<singles<>>);

} // namespace udpbench::uring
