/** @file
    How one asynchronous operation follows another.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/io_context.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace udpbench {

/** How one asynchronous operation on a socket follows another. */
namespace chain {

/** One is outstanding, and its handler, which the scheduler calls, starts the next. */
struct single {
  /** Operations outstanding on a socket. */
  static constexpr std::size_t in_flight = 1;
  /** Handlers called within the call that started their operation, one within the other. */
  static constexpr unsigned depth = 0;
};

/** `N` are outstanding, each a chain of its own: those that find a datagram share a turn of the scheduler, and its `epoll_wait`. */
template <std::size_t N>
struct several : single {
  static_assert(N > 0, "an asynchronous server has something outstanding");
  /** Operations outstanding on a socket. */
  static constexpr std::size_t in_flight = N;
};

/** The handler of an operation that finds a datagram at once is called at once, and starts the next within it; every `Depth` of them
    one goes by way of the scheduler, so that the stack ends somewhere and other work has its turn. Needs
    `net::features::immediate_completion`. */
template <unsigned Depth = 64>
struct immediate : single {
  static_assert(Depth > 0, "a chain of immediate completions has some");
  /** Handlers called within the call that started their operation, one within the other. */
  static constexpr unsigned depth = Depth;
};

/** As an immediate executor: the handler of an operation that could be carried out at once is called within the call that starts it,
    not by way of the scheduler. It has to keep to itself what it throws: Asio would free the operation whose start that comes out of a
    second time, and its own `system_executor` would end the program.
    Lifetime: the context outlives it. */
class inline_executor {
 public:
  /** @param context  of the operation. */
  explicit inline_executor(boost::asio::io_context& context) noexcept : context_(&context) {}

  /** Calls `f` before it returns. */
  template <class F>
  void execute(F&& f) const {
    std::forward<F>(f)();
  }

  /** The operation's. */
  boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept {
    return *context_;
  }
  /** It does. */
  static constexpr boost::asio::execution::blocking_t
  query(boost::asio::execution::blocking_t) noexcept {
    return boost::asio::execution::blocking.always;
  }

  /** Equal: the same context. */
  bool operator==(const inline_executor&) const noexcept = default;

 private:
  boost::asio::io_context* context_;
};

} // namespace chain

/** How one asynchronous operation on a socket follows another. */
template <class C>
concept chain_policy = requires {
  { C::in_flight } -> std::convertible_to<std::size_t>;
  { C::depth } -> std::convertible_to<unsigned>;
};
static_assert(chain_policy<chain::single> && chain_policy<chain::several<8>> &&
              chain_policy<chain::immediate<>> && !chain_policy<int>);

} // namespace udpbench
