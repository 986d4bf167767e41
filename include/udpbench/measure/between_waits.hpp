/** @file
    How many datagrams come between two waits.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/waits.hpp>

#include <cstddef>
#include <cstdint>

namespace udpbench::measure {

/** Counts how many datagrams a thread gets from one wait for events to its next, of those that were not in vain. Who receives them need not
    know when it waits: the C library is listened to (`thread_waits`). Under a nanosecond a datagram. Threads: one at a time. */
class between_waits {
 public:
  /** A stretch of receiving, by the thread that makes and ends it: its beginning and its end count as a wait, too. Only one at a time.
      Lifetime: `of` outlives it. */
  class stretch {
   public:
    /** Begins. */
    explicit stretch(between_waits& of) noexcept : of_(of) {
      of_.waits_ = thread_waits();
      if (of_.waits_ != nullptr) of_.at_ = *of_.waits_;
    }
    stretch(const stretch&) = delete;
    stretch& operator=(const stretch&) = delete;
    ~stretch() {
      of_.close();
      of_.waits_ = nullptr;
    }

   private:
    between_waits& of_;
  };

  /** Another datagram; it counts within a stretch. */
  void one() noexcept {
    if (waits_ == nullptr) return;
    if (*waits_ != at_) {
      close();
      at_ = *waits_;
    }
    ++together_;
  }

  /** How many came together, since construction: up to the last wait, or the end of the last stretch. */
  const batch_sizes& sizes() const noexcept { return sizes_; }

 private:
  void close() noexcept {
    if (together_ != 0) sizes_.record(together_);
    together_ = 0;
  }

  const std::uint64_t* waits_ = nullptr; ///< Within a stretch, its thread's.
  std::uint64_t at_ = 0;                 ///< That, when the last one came.
  std::size_t together_ = 0;
  batch_sizes sizes_;
};

} // namespace udpbench::measure
