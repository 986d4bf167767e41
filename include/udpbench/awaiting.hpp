/** @file
    By which completion token a coroutine awaits an operation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace udpbench {

/** By which completion token a coroutine awaits an operation. */
namespace awaiting {

/** `use_awaitable`: each operation is a coroutine of its own. Its error is redirected. */
struct use_awaitable {
  /** Whether the error comes in a tuple with the rest. */
  static constexpr bool gives_tuple = false;

  /** See `awaiting_policy`. */
  template <class Signature, class Start, class Allocator>
  static auto operation(Start start, const Allocator& from, error_code& ec) {
    return start(boost::asio::bind_allocator(
        from, boost::asio::redirect_error(boost::asio::use_awaitable, ec)));
  }
};

/** `as_tuple` of `use_awaitable`: the same, but a tuple of the error and the rest comes out. */
struct as_tuple {
  /** Whether the error comes in a tuple with the rest. */
  static constexpr bool gives_tuple = true;

  /** See `awaiting_policy`. */
  template <class Signature, class Start, class Allocator>
  static auto operation(Start start, const Allocator& from, error_code&) {
    return start(
        boost::asio::bind_allocator(from, boost::asio::as_tuple(boost::asio::use_awaitable)));
  }
};

/** `as_tuple` of `deferred`: the awaiting coroutine starts the operation itself, without a frame for it. */
struct deferred {
  /** Whether the error comes in a tuple with the rest. */
  static constexpr bool gives_tuple = true;

  /** See `awaiting_policy`. */
  template <class Signature, class Start, class Allocator>
  static auto operation(Start start, const Allocator& from, error_code&) {
    // Boost 1.81 binds no allocator to this token, so it is bound to the handler.
    auto token = boost::asio::as_tuple(boost::asio::deferred);
    return boost::asio::async_initiate<decltype(token), Signature>(
        [start, from](auto handler) {
          start(boost::asio::bind_allocator(from, std::move(handler)));
        },
        token);
  }
};

/** A completion handler's signature, for the concept. */
using sample_signature = void(error_code);
/** Starts nothing, for the concept. */
struct sample_start {
  /** As an operation. */
  template <class Token>
  auto operator()(Token&& token) const {
    return boost::asio::async_initiate<std::remove_reference_t<Token>, sample_signature>(
        [](auto&&) {}, token);
  }
};

} // namespace awaiting

/** By which completion token a coroutine awaits an operation: `operation<Signature>(start, from, ec)` gives what is to be awaited, where
    `start(token)` starts the operation, of that completion signature, with its memory from the allocator `from`. Its error comes in
    `ec`, which outlives it, or in a tuple with the rest. */
template <class A>
concept awaiting_policy = requires(const std::allocator<void>& from, error_code& ec) {
  { A::gives_tuple } -> std::convertible_to<bool>;
  A::template operation<awaiting::sample_signature>(awaiting::sample_start(), from, ec);
};
static_assert(awaiting_policy<awaiting::use_awaitable> && awaiting_policy<awaiting::deferred> &&
              awaiting_policy<awaiting::as_tuple> && !awaiting_policy<int>);

} // namespace udpbench
