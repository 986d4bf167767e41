/** @file
    Sizes that are drawn: another for each datagram, the same each time that it is asked for.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/send/send_policy.hpp>
#include <udpbench/wire/header.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace udpbench::send {

namespace detail {

/** Source: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace detail

/** Payload of one datagram, in bytes: any size from `wire::header_bytes` to `largest`, all alike in probability. It follows from its
    arguments alone, so that each receiver is sent the same.
    @param seed  of all of them.
    @param flow  as it stands in the header.
    @param sequence  likewise.
    @param largest  at least `wire::header_bytes`, below 2^32. */
constexpr std::size_t drawn_size(std::uint64_t seed, std::uint16_t flow, std::uint64_t sequence,
                                 std::size_t largest) noexcept {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15; // So that neighbours are far apart.
  const std::uint64_t start = detail::mixed(seed + odd * (std::uint64_t{flow} + 1));
  const std::uint64_t drawn = detail::mixed(start + odd * (sequence + 1)) >> 32;
  return wire::header_bytes + (drawn * (largest - wire::header_bytes + 1) >> 32);
}

/** Draws the sizes of those datagrams that go by the next send call of `Send`.
    @param out  gets them, at least one.
    @param most  that may go.
    @param length  gives that of the i-th from now.
    Errors: std::bad_alloc. */
template <send_policy Send, class Length>
void draw_call(std::vector<std::size_t>& out, std::size_t most, Length length) {
  out.assign(1, length(std::size_t{0}));
  if constexpr (joins_unlike<Send>)
    while (out.size() < most) {
      const std::size_t next = length(out.size());
      if (!Send::joins(out.front(), out.back(), next)) return;
      out.push_back(next);
    }
}

} // namespace udpbench::send
