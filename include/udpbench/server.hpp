/** @file
    What a receiver on threads of its own looks like, and one type that can be any of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/counters.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/spins.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace udpbench {

/** A server of several sockets, a sink for each, that receives on threads of its own. `basic_server` says what each member promises. */
template <class S>
concept server = requires(S& s, std::span<const net::endpoint> locals,
                          const server_options& options, std::size_t i) {
  { s.open_each(locals, options) } -> std::same_as<std::vector<net::endpoint>>;
  s.start();
  { s.stop() } noexcept;
  { s.own_threads() } -> std::same_as<std::size_t>;
  { s.native_handle(i) } -> std::same_as<int>;
  { s.failure() } -> std::same_as<std::exception_ptr>;
};

/** Any server, owned. No virtual call per datagram. Threads and errors: as the server's own. */
class any_server {
 public:
  /** Constructs an `S` from `arguments`, in place: servers don't move. */
  template <server S, class... Arguments>
  static any_server make(Arguments&&... arguments) {
    return any_server(std::make_unique<model<S>>(std::forward<Arguments>(arguments)...));
  }

  /** See `basic_server::open_each`. */
  std::vector<net::endpoint> open_each(std::span<const net::endpoint> locals,
                                       const server_options& options = {}) {
    return self_->open_each(locals, options);
  }
  /** See `basic_server::start`. */
  void start() { self_->start(); }
  /** See `basic_server::stop`. */
  void stop() noexcept { self_->stop(); }
  /** See `basic_server::own_threads`. */
  std::size_t own_threads() { return self_->own_threads(); }
  /** The i-th socket's descriptor, to read its counters from; -1 while closed. */
  int native_handle(std::size_t i) { return self_->native_handle(i); }
  /** See `basic_server::failure`. */
  std::exception_ptr failure() { return self_->failure(); }
  /** What it counts. Lifetime: its own. */
  const udpbench::counters& counters() const noexcept { return *self_; }
  /** Whether its threads never sleep while they receive; see `spins`. */
  bool never_sleeps() const noexcept { return self_->never_sleeps(); }

 private:
  struct concept_ : udpbench::counters {
    virtual ~concept_() = default;
    virtual std::vector<net::endpoint> open_each(std::span<const net::endpoint>,
                                                 const server_options&) = 0;
    virtual void start() = 0;
    virtual void stop() noexcept = 0;
    virtual std::size_t own_threads() = 0;
    virtual int native_handle(std::size_t) = 0;
    virtual std::exception_ptr failure() = 0;
    virtual bool never_sleeps() const noexcept = 0;
  };

  template <server S>
  struct model final : detail::counted<S, concept_> {
    using detail::counted<S, concept_>::counted;
    using detail::counted<S, concept_>::value;

    std::vector<net::endpoint> open_each(std::span<const net::endpoint> locals,
                                         const server_options& options) override {
      return value.open_each(locals, options);
    }
    void start() override { value.start(); }
    void stop() noexcept override { value.stop(); }
    std::size_t own_threads() override { return value.own_threads(); }
    int native_handle(std::size_t i) override { return value.native_handle(i); }
    std::exception_ptr failure() override { return value.failure(); }
    bool never_sleeps() const noexcept override {
      // Of some it is known only when they have been made.
      if constexpr (requires(const S& s) { s.never_sleeps(); })
        return value.never_sleeps();
      else
        return spins<S>;
    }
  };

  explicit any_server(std::unique_ptr<concept_> self) noexcept : self_(std::move(self)) {}

  std::unique_ptr<concept_> self_;
};
static_assert(server<any_server>);

} // namespace udpbench
