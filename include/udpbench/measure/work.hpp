/** @file
    What an application does with each datagram, in a few kinds that most of them are made of.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/spin.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace udpbench::measure {

/** Which work is done with each datagram. */
struct work_plan {
  /** Of an application's work. */
  enum class kind {
    none,  ///< The datagram is counted, no more.
    spin,  ///< Time on the cpu that touches no memory.
    touch, ///< Every byte is read.
    copy,  ///< The bytes are copied to a buffer, always the same.
    random, ///< Some places of a table are read, each where the last one says: it competes for the cache.
  };

  kind what = kind::none;  ///< Which of them.
  std::uint64_t turns = 0; ///< Of `spin`; see `spin_turns`.
  std::size_t bytes = 0; ///< Of the table of `random`, or the largest datagram that `copy` copies.

  /** By all members. */
  bool operator==(const work_plan&) const = default;
};

/** Does it. Threads: one at a time. */
class work {
 public:
  /** Places that `random` reads for each datagram. */
  static constexpr int reads = 16;

  /** Does nothing. */
  work() = default;
  /** Errors: throws std::bad_alloc for a table or buffer. */
  explicit work(const work_plan& plan) : plan_(plan), memory_(words(plan)) {
    // Another table each time would be another benchmark, so the seed is fixed.
    for (auto& word : memory_) word = value_ = spin(1, value_);
  }

  /** True if there is something to do. */
  explicit operator bool() const noexcept { return plan_.what != work_plan::kind::none; }

  /** Once. */
  void operator()(const datagram& d) noexcept {
    switch (plan_.what) {
    case work_plan::kind::none:
      return;
    case work_plan::kind::spin:
      value_ = spin(plan_.turns, value_);
      return;
    case work_plan::kind::touch:
      for (const std::byte b : d.bytes) value_ += std::to_integer<std::uint64_t>(b);
      break;
    case work_plan::kind::copy:
      if (!d.bytes.empty())
        std::memcpy(memory_.data(), d.bytes.data(), std::min(d.bytes.size(), plan_.bytes));
      asm volatile("" ::"r"(memory_.data()) : "memory");
      return;
    case work_plan::kind::random:
      for (int i = 0; i < reads; ++i) value_ = spin(1, value_) ^ memory_[place()];
      break;
    }
    asm volatile("" : "+r"(value_));
  }

  /** What came of it so far: it depends on every turn and on all that was read. */
  std::uint64_t value() const noexcept { return value_; }

 private:
  static std::size_t words(const work_plan& plan) noexcept {
    const bool some = plan.what == work_plan::kind::random || plan.what == work_plan::kind::copy;
    constexpr std::size_t word = sizeof(std::uint64_t);
    return some ? std::max<std::size_t>((plan.bytes + word - 1) / word, 1) : 0;
  }

  /** In the table; by the upper half of the value, as a fraction of it. */
  std::size_t place() const noexcept { return (value_ >> 32) * memory_.size() >> 32; }

  work_plan plan_;
  std::uint64_t value_ = 1;
  std::vector<std::uint64_t> memory_;
};
static_assert(datagram_sink<work>);

} // namespace udpbench::measure
