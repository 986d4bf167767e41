/** @file
    What every receiver under test looks like, and one type that can be any of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/spins.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace udpbench {

/** A receiver: it opens one socket, receives n datagrams on the calling thread, and can be stopped from any other. The kernel's drops
    and what is left unread are read off its descriptor. `basic_server` says what each member promises. */
template <class R>
concept receiver = requires(R& r, const net::endpoint& local, const server_options& options,
                            std::size_t n, measure::monotonic_clock::time_point deadline) {
  { r.open(local, options) } -> std::same_as<net::endpoint>;
  { r.receive(n, deadline) } -> std::same_as<std::size_t>;
  { r.stop() } noexcept;
  { r.native_handle() } -> std::same_as<int>;
};

/** A receiver that tells what its handler memory was asked for. */
template <class R>
concept tells_memory_use = receiver<R> && requires(const R& r) {
  { r.memory_use() } -> std::same_as<memory::usage>;
};

/** A receiver that counts receive calls which failed. */
template <class R>
concept tells_receive_errors = receiver<R> && requires(const R& r) {
  { r.receive_errors() } -> std::same_as<std::uint64_t>;
};

/** A receiver that keeps the last error of those. */
template <class R>
concept tells_last_receive_error = tells_receive_errors<R> && requires(const R& r) {
  { r.last_receive_error() } -> std::same_as<error_code>;
};

/** A receiver that counts receive calls which gave something. */
template <class R>
concept tells_receive_calls = receiver<R> && requires(const R& r) {
  { r.receive_calls() } -> std::same_as<std::uint64_t>;
};

/** A receiver that counts how many datagrams each of these gave. */
template <class R>
concept tells_datagrams_per_call = tells_receive_calls<R> && requires(const R& r) {
  { r.datagrams_per_call() } -> std::convertible_to<measure::batch_sizes>;
};

/** A receiver that knows when it has waited for datagrams, and counts how many each wake-up gave. */
template <class R>
concept tells_datagrams_per_wakeup = receiver<R> && requires(const R& r) {
  { r.datagrams_per_wakeup() } -> std::convertible_to<measure::batch_sizes>;
};

/** A receiver that has asked the kernel for busy polling. */
template <class R>
concept tells_busy_poll = receiver<R> && requires(R& r) {
  { r.busy_poll() } -> std::same_as<net::busy_polling>;
};

/** Any receiver, owned. One virtual call per `receive(n)`, none per datagram. Threads and errors: as the receiver's own. */
class any_receiver {
 public:
  /** Of deadlines. */
  using time_point = measure::monotonic_clock::time_point;

  /** Constructs an `R` from `arguments`, in place: servers don't move. */
  template <receiver R, class... Arguments>
  static any_receiver make(Arguments&&... arguments) {
    return any_receiver(std::make_unique<model<R>>(std::forward<Arguments>(arguments)...));
  }

  /** See `basic_server::open`. */
  net::endpoint open(const net::endpoint& local, const server_options& options = {}) {
    return self_->open(local, options);
  }
  /** See `basic_server::receive`. */
  std::size_t receive(std::size_t n, time_point deadline) { return self_->receive(n, deadline); }
  /** See `basic_server::stop`. */
  void stop() noexcept { self_->stop(); }
  /** The socket's descriptor, to read its counters from; -1 while closed. */
  int native_handle() { return self_->native_handle(); }

  /** What the handler memory was asked for; empty for a receiver that has none. */
  std::optional<memory::usage> memory_use() const { return self_->memory_use(); }

  /** Receive calls that failed; empty for a receiver that doesn't count them. */
  std::optional<std::uint64_t> receive_errors() const { return self_->receive_errors(); }

  /** The last error of one of those; unset where there was none, or where the receiver doesn't keep it. */
  error_code last_receive_error() const { return self_->last_receive_error(); }

  /** Receive calls that gave something; empty for a receiver that doesn't count them. */
  std::optional<std::uint64_t> receive_calls() const { return self_->receive_calls(); }

  /** How many datagrams each of them gave; empty for a receiver that doesn't count that. */
  std::optional<measure::batch_sizes> datagrams_per_call() const {
    return self_->datagrams_per_call();
  }

  /** How many each wake-up gave; empty for a receiver that can't tell. */
  std::optional<measure::batch_sizes> datagrams_per_wakeup() const {
    return self_->datagrams_per_wakeup();
  }

  /** Whether its thread never sleeps while it receives; see `spins`. */
  bool never_sleeps() const noexcept { return self_->never_sleeps(); }

  /** What came of the busy polling that it asked for, while open; empty for a receiver that didn't. */
  std::optional<net::busy_polling> busy_poll() { return self_->busy_poll(); }

 private:
  struct concept_ {
    virtual ~concept_() = default;
    virtual net::endpoint open(const net::endpoint&, const server_options&) = 0;
    virtual std::size_t receive(std::size_t, time_point) = 0;
    virtual void stop() noexcept = 0;
    virtual int native_handle() = 0;
    virtual std::optional<memory::usage> memory_use() const = 0;
    virtual std::optional<std::uint64_t> receive_errors() const = 0;
    virtual error_code last_receive_error() const = 0;
    virtual std::optional<std::uint64_t> receive_calls() const = 0;
    virtual std::optional<measure::batch_sizes> datagrams_per_call() const = 0;
    virtual std::optional<measure::batch_sizes> datagrams_per_wakeup() const = 0;
    virtual bool never_sleeps() const noexcept = 0;
    virtual std::optional<net::busy_polling> busy_poll() = 0;
  };

  template <receiver R>
  struct model final : concept_ {
    template <class... Arguments>
    explicit model(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}

    net::endpoint open(const net::endpoint& local, const server_options& options) override {
      return value.open(local, options);
    }
    std::size_t receive(std::size_t n, time_point deadline) override {
      return value.receive(n, deadline);
    }
    void stop() noexcept override { value.stop(); }
    int native_handle() override { return value.native_handle(); }
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
    bool never_sleeps() const noexcept override { return spins<R>; }
    std::optional<net::busy_polling> busy_poll() override {
      if constexpr (tells_busy_poll<R>)
        return value.busy_poll();
      else
        return {};
    }

    R value;
  };

  explicit any_receiver(std::unique_ptr<concept_> self) noexcept : self_(std::move(self)) {}

  std::unique_ptr<concept_> self_;
};
static_assert(receiver<any_receiver>);
static_assert(!receiver<int>);

} // namespace udpbench
