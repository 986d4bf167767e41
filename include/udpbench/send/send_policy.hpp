/** @file
    How datagrams enter a socket.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>

#include <concepts>
#include <cstddef>
#include <span>

namespace udpbench {

/** How datagrams enter a socket. */
namespace send {

/** Datagrams, one behind the other in memory. */
struct datagrams {
  std::byte* data = nullptr; ///< Lifetime: during the call.
  std::size_t size = 0;      ///< Payload of each, bytes; of unlike ones none has more.
  std::size_t count = 0;     ///< At least 1.
  /** Of each, where they are unlike; else empty. Only a policy that `joins_unlike` gets any. */
  std::span<const std::size_t> lengths = {};

  /** Payload of the i-th, bytes. */
  std::size_t length(std::size_t i) const noexcept { return lengths.empty() ? size : lengths[i]; }
};

/** What one send call did. */
struct outcome {
  std::size_t accepted = 0; ///< Datagrams that the kernel took: the first of those given.
  std::size_t failed =
      0; ///< The next ones, which it did not take because of `error`. The rest was not tried.
  error_code error; ///< Why; unset where nothing failed.
};

} // namespace send

/** Gives datagrams to the kernel, up to `most(size)` at a time, with one send call. Threads: one. */
template <class S>
concept send_policy =
    std::default_initializable<S> && requires(S& send, int fd, const send::datagrams& d) {
      { S::most(std::size_t{}) } noexcept -> std::same_as<std::size_t>;
      { send(fd, d) } noexcept -> std::same_as<send::outcome>;
    };

namespace send {

/** A policy that sends datagrams of unlike sizes by one call: it tells whether one of `next` bytes may follow, in the same call, one of
    `last`, where the first of the call has `first`. Of any other, each datagram has a call of its own then. */
template <class S>
concept joins_unlike = send_policy<S> && requires(std::size_t bytes) {
  { S::joins(bytes, bytes, bytes) } noexcept -> std::same_as<bool>;
};

/** A policy whose datagrams of one call may be handed out as one train, and are then lost together. */
template <class S>
concept sends_trains = send_policy<S> && S::in_trains;

} // namespace send

} // namespace udpbench
