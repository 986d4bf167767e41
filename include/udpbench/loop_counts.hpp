/** @file
    What a server on an event loop counts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/between_waits.hpp>
#include <udpbench/measure/waits.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/spins.hpp>
#include <udpbench/take/take_policy.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace udpbench {

/** What a server on an event loop counts of its receiving, since construction. Threads: the receiving one, or none inside `receive`. */
template <take_policy Take, event_loop_policy Loop>
class loop_counts {
 public:
  /** Receive calls that failed, or cut a train of datagrams. */
  std::uint64_t receive_errors() const noexcept { return errors_; }

  /** The last error of one of those; unset if there was none. */
  error_code last_receive_error() const noexcept { return last_error_; }

  /** How many datagrams were taken after each wait for a socket to become readable, of those that were not in vain. */
  const measure::batch_sizes& datagrams_per_wakeup() const noexcept
    requires(!asio_take<Take>)
  {
    return wakeups_;
  }

  /** Where Asio makes the receive call it is how many came from one wait of its reactor to the next; `receive` begins and ends with one.
      Empty where the executable doesn't count those (`measure::thread_waits`). There is none of a loop that never sleeps, of several
      threads, of which one may wait while another receives, nor on io_uring, whose waits nobody counts. */
  std::optional<measure::batch_sizes> datagrams_per_wakeup() const noexcept
    requires(asio_take<Take> && !spins<Loop> && !Loop::several_threads &&
             net::features::backend == "epoll")
  {
    if (measure::thread_waits() == nullptr) return {};
    return between_waits_.sizes();
  }

 protected:
  loop_counts() = default;
  ~loop_counts() = default;

  /** Counts one more, unless it only says that nothing came. */
  void count(const error_code& ec) noexcept {
    if (!ec || ec == boost::asio::error::operation_aborted || ec == boost::asio::error::would_block)
      return;
    ++errors_;
    last_error_ = ec;
  }

  /** A take has given so many after a wait. */
  void count_taken(std::size_t n) noexcept {
    if (n != 0) wakeups_.record(n);
  }

  /** A call of `receive`, on the thread that makes and ends it. */
  measure::between_waits::stretch counted_stretch() noexcept {
    return measure::between_waits::stretch(between_waits_);
  }

  /** Asio has given one, in such a stretch if it can be told what it came with. */
  void count_received() noexcept { between_waits_.one(); }

 private:
  std::uint64_t errors_ = 0;
  error_code last_error_;
  measure::batch_sizes wakeups_;         ///< Where a take makes the receive calls,
  measure::between_waits between_waits_; ///< and where Asio does.
};

} // namespace udpbench
