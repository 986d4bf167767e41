/** @file
    Counts what another handler memory is asked for.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/memory/handler_memory.hpp>

namespace udpbench::memory {

/** Passes everything on to a `Memory` of its own and counts the requests: the proof that the hook is really called.
    Threads: reading `use` wants the receiving thread, or none inside `receive`. */
template <handler_memory Memory>
class counting {
 public:
  /** Errors: what `Memory` throws; the request is counted all the same. */
  void* allocate(std::size_t bytes, std::size_t alignment) {
    ++requests_;
    return memory_.allocate(bytes, alignment);
  }

  /** Passed on, not counted. */
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    memory_.deallocate(block, bytes, alignment);
  }

  /** Passed on, not counted. */
  void carry_over()
    requires leaves_with_context<Memory>
  {
    memory_.carry_over();
  }

  /** Since construction. */
  usage use() const noexcept {
    usage u{.requests = requests_, .upstream = {}};
    if constexpr (reports_upstream<Memory>) u.upstream = memory_.upstream();
    return u;
  }

  /** The memory that is asked. */
  Memory& memory() noexcept { return memory_; }

 private:
  Memory memory_;
  std::uint64_t requests_ = 0;
};

/** A memory that tells what it was asked for, as `counting` does. */
template <class M>
concept counts_use = handler_memory<M> && requires(const M& memory) {
  { memory.use() } -> std::same_as<usage>;
};

} // namespace udpbench::memory
