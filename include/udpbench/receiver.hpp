/** @file
    What every receiver under test looks like, and one type that can be any of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/counters.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/spins.hpp>

#include <concepts>
#include <cstddef>
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

  /** What it counts. Lifetime: its own. */
  const udpbench::counters& counters() const noexcept { return *self_; }

  /** Whether its thread never sleeps while it receives; see `spins`. */
  bool never_sleeps() const noexcept { return self_->never_sleeps(); }

  /** What came of the busy polling that it asked for, while open; empty for a receiver that didn't. */
  std::optional<net::busy_polling> busy_poll() { return self_->busy_poll(); }

 private:
  struct concept_ : udpbench::counters {
    virtual ~concept_() = default;
    virtual net::endpoint open(const net::endpoint&, const server_options&) = 0;
    virtual std::size_t receive(std::size_t, time_point) = 0;
    virtual void stop() noexcept = 0;
    virtual int native_handle() = 0;
    virtual bool never_sleeps() const noexcept = 0;
    virtual std::optional<net::busy_polling> busy_poll() = 0;
  };

  template <receiver R>
  struct model final : detail::counted<R, concept_> {
    using detail::counted<R, concept_>::counted;
    using detail::counted<R, concept_>::value;

    net::endpoint open(const net::endpoint& local, const server_options& options) override {
      return value.open(local, options);
    }
    std::size_t receive(std::size_t n, time_point deadline) override {
      return value.receive(n, deadline);
    }
    void stop() noexcept override { value.stop(); }
    int native_handle() override { return value.native_handle(); }
    bool never_sleeps() const noexcept override { return spins<R>; }
    std::optional<net::busy_polling> busy_poll() override {
      if constexpr (tells_busy_poll<R>)
        return value.busy_poll();
      else
        return {};
    }
  };

  explicit any_receiver(std::unique_ptr<concept_> self) noexcept : self_(std::move(self)) {}

  std::unique_ptr<concept_> self_;
};
static_assert(receiver<any_receiver>);
static_assert(!receiver<int>);

} // namespace udpbench
