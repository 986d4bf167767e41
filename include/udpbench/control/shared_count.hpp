/** @file
    A counter that two processes of one host have in common.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/net/descriptor.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>
#include <system_error>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace udpbench::control {

/** One page of memory with a counter in it, which a receiver in one process publishes and a sender in the other reads.
    Threads: any. */
class shared_count {
 public:
  /** Of its counter. */
  using counter = std::atomic<std::uint64_t>;
  // Else it would need a lock, which is in one of the processes.
  static_assert(counter::is_always_lock_free);

  /** A new one. Errors: throws std::system_error. */
  shared_count() : shared_count(net::descriptor(::memfd_create("udpbench", MFD_CLOEXEC)), true) {}

  /** The one behind a descriptor that another process has handed over. Errors: throws std::system_error. */
  explicit shared_count(net::descriptor memory) : shared_count(std::move(memory), false) {}

  shared_count(const shared_count&) = delete;
  shared_count& operator=(const shared_count&) = delete;
  ~shared_count() { ::munmap(page_, sizeof(counter)); }

  /** To be handed over. */
  int descriptor() const noexcept { return memory_.get(); }
  /** The counter. Lifetime: this object's. */
  counter& value() const noexcept { return *static_cast<counter*>(page_); }

 private:
  shared_count(net::descriptor memory, bool fresh) : memory_(std::move(memory)) {
    if (!memory_ || (fresh && ::ftruncate(memory_.get(), sizeof(counter)) != 0)) fail();
    page_ = ::mmap(nullptr, sizeof(counter), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
    if (page_ == MAP_FAILED) fail();
    if (fresh) new (page_) counter(0);
  }

  [[noreturn]] static void fail() {
    throw std::system_error(errno, std::generic_category(), "memory for two processes");
  }

  net::descriptor memory_;
  void* page_ = nullptr;
};

} // namespace udpbench::control
