/** @file
    The header that every numbered datagram starts with.

    | offset | bytes | field |
    | --- | --- | --- |
    | 0 | 4 | magic "udp" and the version of this layout |
    | 4 | 2 | flow: which sender |
    | 6 | 2 | round |
    | 8 | 8 | run id |
    | 16 | 8 | sequence number, from 0 in each round and flow |
    | 24 | 8 | intended send time, in ns of the sender's monotonic clock |

    Every field is big-endian. Nothing here knows about sockets.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

/** The header that datagrams are numbered by. Knows no sockets. */
namespace udpbench::wire {

/** Bytes of an encoded header; a shorter datagram can't be numbered. */
inline constexpr std::size_t header_bytes = 32;

/** The first four bytes: "udp", then the layout's version. */
inline constexpr std::uint32_t magic = 0x75647001;

/** The header decoded, but for the magic. Its layout is in the file's description. */
struct header {
  std::uint16_t flow = 0;        ///< Which sender.
  std::uint16_t round = 0;       ///< Modulo 65,536.
  std::uint64_t run = 0;         ///< Run id.
  std::uint64_t sequence = 0;    ///< From 0 in each round and flow.
  std::uint64_t intended_ns = 0; ///< Of the sender's monotonic clock; 0: no such time.

  /** By all fields. */
  bool operator==(const header&) const = default;
};

/** Where each field begins, in bytes from the front. */
namespace offset {
inline constexpr std::size_t magic = 0;     ///< `wire::magic`
inline constexpr std::size_t flow = 4;      ///< `header::flow`
inline constexpr std::size_t round = 6;     ///< `header::round`
inline constexpr std::size_t run = 8;       ///< `header::run`
inline constexpr std::size_t sequence = 16; ///< `header::sequence`
inline constexpr std::size_t intended = 24; ///< `header::intended_ns`
} // namespace offset

/** Converts between the host's byte order and big-endian. */
template <std::unsigned_integral T>
constexpr T big_endian(T value) noexcept {
  if constexpr (std::endian::native == std::endian::big || sizeof(T) == 1)
    return value;
  else if constexpr (sizeof(T) == 2)
    return __builtin_bswap16(value);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bswap32(value);
  else
    return __builtin_bswap64(value);
}

/** Writes one field. `at` has room for it. */
template <std::unsigned_integral T>
void store(std::byte* at, T value) noexcept {
  value = big_endian(value);
  std::memcpy(at, &value, sizeof value);
}

/** Reads one field. */
template <std::unsigned_integral T>
T load(const std::byte* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  return big_endian(value);
}

/** Encodes `h`. */
inline std::array<std::byte, header_bytes> encode(const header& h) noexcept {
  std::array<std::byte, header_bytes> out;
  store(out.data() + offset::magic, magic);
  store(out.data() + offset::flow, h.flow);
  store(out.data() + offset::round, h.round);
  store(out.data() + offset::run, h.run);
  store(out.data() + offset::sequence, h.sequence);
  store(out.data() + offset::intended, h.intended_ns);
  return out;
}

/** Decodes the front of a datagram; empty if it is too short or of another magic or version. */
inline std::optional<header> decode(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < header_bytes || load<std::uint32_t>(bytes.data()) != magic) return {};
  const std::byte* p = bytes.data();
  return header{load<std::uint16_t>(p + offset::flow), load<std::uint16_t>(p + offset::round),
                load<std::uint64_t>(p + offset::run), load<std::uint64_t>(p + offset::sequence),
                load<std::uint64_t>(p + offset::intended)};
}

} // namespace udpbench::wire
