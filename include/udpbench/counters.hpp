/** @file
    What receivers and servers count while they receive.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/memory/handler_memory.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

namespace udpbench {

/** A receiver or server that tells what its handler memories were asked for. */
template <class R>
concept tells_memory_use = requires(const R& r) {
  { r.memory_use() } -> std::convertible_to<std::optional<memory::usage>>;
};

/** One that counts receive calls which failed. */
template <class R>
concept tells_receive_errors = requires(const R& r) {
  { r.receive_errors() } -> std::convertible_to<std::optional<std::uint64_t>>;
};

/** One that keeps the last error of those. */
template <class R>
concept tells_last_receive_error = tells_receive_errors<R> && requires(const R& r) {
  { r.last_receive_error() } -> std::same_as<error_code>;
};

/** One that counts receive calls which gave something. */
template <class R>
concept tells_receive_calls = requires(const R& r) {
  { r.receive_calls() } -> std::convertible_to<std::optional<std::uint64_t>>;
};

/** One that counts how many datagrams each of these gave. */
template <class R>
concept tells_datagrams_per_call = tells_receive_calls<R> && requires(const R& r) {
  { r.datagrams_per_call() } -> std::convertible_to<std::optional<measure::batch_sizes>>;
};

/** One that knows, at least in some executables, when it has waited for datagrams, and counts how many each wake-up gave. */
template <class R>
concept tells_datagrams_per_wakeup = requires(const R& r) {
  { r.datagrams_per_wakeup() } -> std::convertible_to<std::optional<measure::batch_sizes>>;
};

/** The counters of any receiver or server, since its construction, over all its sockets. What it doesn't count is empty.
    Threads: the receiving one, or none receives. */
class counters {
 public:
  /** What the handler memories were asked for. */
  virtual std::optional<memory::usage> memory_use() const = 0;
  /** Receive calls that failed, or cut a train of datagrams. */
  virtual std::optional<std::uint64_t> receive_errors() const = 0;
  /** The last error of one of those; unset where there was none, or where it isn't kept. */
  virtual error_code last_receive_error() const = 0;
  /** Receive calls that gave something. */
  virtual std::optional<std::uint64_t> receive_calls() const = 0;
  /** How many datagrams each of them gave. */
  virtual std::optional<measure::batch_sizes> datagrams_per_call() const = 0;
  /** How many each wake-up gave. */
  virtual std::optional<measure::batch_sizes> datagrams_per_wakeup() const = 0;

 protected:
  ~counters() = default;
};

namespace detail {

/** An `R` whose counters can be read through `Interface`, a kind of `counters` with a virtual destructor. */
template <class R, class Interface>
struct counted : Interface {
  template <class... Arguments>
  explicit counted(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}

  std::optional<memory::usage> memory_use() const override {
    if constexpr (tells_memory_use<R>)
      return value.memory_use();
    else
      return {};
  }
  std::optional<std::uint64_t> receive_errors() const override {
    if constexpr (tells_receive_errors<R>)
      return value.receive_errors();
    else
      return {};
  }
  error_code last_receive_error() const override {
    if constexpr (tells_last_receive_error<R>)
      return value.last_receive_error();
    else
      return {};
  }
  std::optional<std::uint64_t> receive_calls() const override {
    if constexpr (tells_receive_calls<R>)
      return value.receive_calls();
    else
      return {};
  }
  std::optional<measure::batch_sizes> datagrams_per_call() const override {
    if constexpr (tells_datagrams_per_call<R>)
      return value.datagrams_per_call();
    else
      return {};
  }
  std::optional<measure::batch_sizes> datagrams_per_wakeup() const override {
    if constexpr (tells_datagrams_per_wakeup<R>)
      return value.datagrams_per_wakeup();
    else
      return {};
  }

  R value;
};

} // namespace detail
} // namespace udpbench
