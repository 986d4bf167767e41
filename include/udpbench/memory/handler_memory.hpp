/** @file
    The handler-allocation hook: where an asynchronous operation gets the memory for its handler.

    In 2005 this hook was a pair of functions, `asio_handler_allocate` and `asio_handler_deallocate`; today it is the
    handler's *associated allocator*. A server gives each outstanding operation a Memory of its own and binds it here.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/asio/associated_allocator.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace udpbench {

/** Memory for one chain of operations: at most one block is out at a time in the steady state, since Asio releases it before
    it calls the handler; a moment with two must work nevertheless.
    `allocate` may throw. Threads: one at a time. */
template <class M>
concept handler_memory =
    requires(M& memory, void* block, std::size_t bytes, std::size_t alignment) {
      { memory.allocate(bytes, alignment) } -> std::same_as<void*>;
      { memory.deallocate(block, bytes, alignment) } noexcept;
    };

/** Where asynchronous operations get the memory for their handlers. */
namespace memory {

/** What a handler memory was asked for. */
struct usage {
  std::uint64_t requests = 0; ///< Calls of `allocate`.
  std::optional<std::uint64_t>
      upstream; ///< How many of them went on to the heap; empty: it can't tell.

  /** Adds what another was asked for; `upstream` is empty then unless both can tell. */
  usage& operator+=(const usage& more) noexcept {
    requests += more.requests;
    upstream = upstream && more.upstream ? std::optional(*upstream + *more.upstream) : std::nullopt;
    return *this;
  }
};

/** A memory that knows how many of its allocations went on to the heap. */
template <class M>
concept reports_upstream = handler_memory<M> && requires(const M& memory) {
  { memory.upstream() } -> std::same_as<std::uint64_t>;
};

/** A memory that keeps its blocks in the running context and must take one along when a server leaves it.
    `carry_over` is called within the last handler that uses it before a server's `receive` returns. */
template <class M>
concept leaves_with_context = handler_memory<M> && requires(M& memory) { memory.carry_over(); };

/** A standard allocator that takes everything from one handler memory. Lifetime: the memory outlives it. */
template <class T, handler_memory Memory>
class bound_allocator {
 public:
  using value_type = T; ///< What is allocated.

  /** @param memory  is referred to, not copied. */
  explicit bound_allocator(Memory& memory) noexcept : memory_(&memory) {}
  /** The same memory for values of another type. */
  template <class U>
  bound_allocator(const bound_allocator<U, Memory>& other) noexcept : memory_(other.memory_) {}

  /** @param count  of values. Errors: what the memory throws. */
  T* allocate(std::size_t count) {
    return static_cast<T*>(memory_->allocate(count * sizeof(T), alignof(T)));
  }
  /** @param block  from `allocate` of an allocator that is equal.
      @param count  as it was asked for. */
  void deallocate(T* block, std::size_t count) noexcept {
    memory_->deallocate(block, count * sizeof(T), alignof(T));
  }

  /** Equal: the same memory. */
  template <class U>
  bool operator==(const bound_allocator<U, Memory>& other) const noexcept {
    return memory_ == other.memory_;
  }

 private:
  template <class U, handler_memory M>
  friend class bound_allocator;

  Memory* memory_;
};

/** True where Asio will ask `Memory` for the memory of `Handler`, and nobody else. Checked at compile time by every server. */
template <class Handler, class Memory>
inline constexpr bool is_hooked =
    std::is_same_v<boost::asio::associated_allocator_t<Handler>, bound_allocator<void, Memory>>;

} // namespace memory
} // namespace udpbench
