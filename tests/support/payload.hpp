/** @file
    Bytes for datagrams, and a sink that remembers what it was given.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/measure/datagram.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

using bytes = std::vector<std::byte>;

/** `size` bytes that differ from their neighbours and from those of another `seed`. */
inline bytes pattern(std::size_t size, unsigned seed = 0) {
  bytes out(size);
  for (std::size_t i = 0; i < size; ++i)
    out[i] = static_cast<std::byte>((i * 167 + i / 251 + seed * 59 + 1) & 0xff);
  return out;
}

/** A datagram of `size` bytes that starts with that header, or with as much of it as fits. */
inline bytes numbered(const udpbench::wire::header& header, std::size_t size = 64) {
  bytes out = pattern(size);
  const auto encoded = udpbench::wire::encode(header);
  std::copy_n(encoded.begin(), std::min(size, encoded.size()), out.begin());
  return out;
}

/** What a sink was given. */
struct received {
  bytes content;
  std::size_t length = 0;             ///< The true one.
  const std::byte* address = nullptr; ///< Where the bytes lay.
};

/** A sink that keeps a copy of every datagram. */
struct recorder {
  std::vector<received> all;

  void operator()(const udpbench::datagram& d) noexcept {
    all.push_back({bytes(d.bytes.begin(), d.bytes.end()), d.length, d.bytes.data()});
  }
};
static_assert(udpbench::datagram_sink<recorder>);

} // namespace support
