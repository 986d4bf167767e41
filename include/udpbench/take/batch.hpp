/** @file
    Several datagrams per receive call.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/take/page_buffer.hpp>
#include <udpbench/take/take_policy.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include <sys/socket.h>

namespace udpbench::take {

/** Up to `N` datagrams per `recvmmsg` (recvmmsg(2)). It waits for the first datagram only; the call's own timeout, which
    is looked at after datagrams alone, isn't used. */
template <std::size_t N = 64>
class batch {
  static_assert(N > 0 && N <= 1024, "recvmmsg takes at most UIO_MAXIOV = 1024 messages");

 public:
  batch() = default;
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;

  /** @param largest  bytes. Errors: throws std::bad_alloc. */
  void prepare(std::size_t largest) {
    // Buffers lie close together: the more cache they touch, the less a batch gains.
    stride_ = (largest + 63) / 64 * 64;
    largest_ = largest;
    buffer_ = page_buffer(stride_ * N);
    for (std::size_t i = 0; i < N; ++i) {
      parts_[i] = {buffer_.data() + i * stride_, largest_};
      messages_[i] = {};
      messages_[i].msg_hdr.msg_iov = &parts_[i];
      messages_[i].msg_hdr.msg_iovlen = 1;
    }
  }

  /** See `take_policy`. */
  template <datagram_sink Sink>
  std::size_t operator()(int fd, std::size_t most, wait w, Sink& sink, error_code& ec) noexcept {
    const auto room = static_cast<unsigned>(std::min(most, N));
    // With MSG_TRUNC msg_len is the datagram's true length.
    const int flags = MSG_TRUNC | (w == wait::no ? MSG_DONTWAIT : MSG_WAITFORONE);
    const int count = ::recvmmsg(fd, messages_.data(), room, flags, nullptr);
    if (count < 0) {
      ec.assign(errno, boost::system::system_category());
      return 0;
    }
    batches_.record(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const std::size_t length = messages_[i].msg_len;
      sink(datagram{buffer_.slice(i * stride_, std::min(length, largest_)), length});
    }
    return static_cast<std::size_t>(count);
  }

  /** See `call_counting_take`. */
  std::uint64_t calls() const noexcept { return batches_.count(); }

  /** See `batch_counting_take`. */
  const measure::batch_sizes& batches() const noexcept { return batches_; }

 private:
  std::size_t stride_ = 0;
  std::size_t largest_ = 0;
  page_buffer buffer_;
  std::array<iovec, N> parts_{};
  std::array<mmsghdr, N> messages_{};
  measure::batch_sizes batches_;
};
static_assert(batch_counting_take<batch<>> && !asio_take<batch<>>);

} // namespace udpbench::take
