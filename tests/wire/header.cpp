/** @file
    The header, byte for byte.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/wire/header.hpp>

#include "catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace wire = udpbench::wire;

namespace {

constexpr wire::header example{.flow = 0x0102,
                               .round = 0x0304,
                               .run = 0x05060708090a0b0c,
                               .sequence = 0x0d0e0f1011121314,
                               .intended_ns = 0x15161718191a1b1c};

} // namespace

TEST_CASE("every field of the header has its place and is big-endian", "[wire]") {
  constexpr std::array<int, 32> expected{'u',  'd',  'p',  1,    0x01, 0x02, 0x03, 0x04,
                                         0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c,
                                         0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14,
                                         0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c};
  std::array<int, 32> encoded{};
  std::ranges::transform(wire::encode(example), encoded.begin(),
                         [](std::byte b) { return std::to_integer<int>(b); });
  CHECK(encoded == expected);
  static_assert(wire::header_bytes == 32);
}

TEST_CASE("what was encoded is decoded", "[wire]") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::vector<wire::header> headers{example, {}, {0xffff, 0xffff, most, most, most}};
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i)
    headers.push_back({static_cast<std::uint16_t>(random()), static_cast<std::uint16_t>(random()),
                       random(), random(), random()});
  for (const auto& header : headers) REQUIRE(wire::decode(wire::encode(header)) == header);
}

TEST_CASE("the payload behind a header doesn't matter to it", "[wire]") {
  const auto encoded = wire::encode(example);
  std::vector<std::byte> datagram(encoded.begin(), encoded.end());
  datagram.resize(1472, std::byte{0xff});
  CHECK(wire::decode(datagram) == example);
}

TEST_CASE("a datagram shorter than a header has none", "[wire]") {
  const auto encoded = wire::encode(example);
  for (std::size_t size = 0; size < encoded.size(); ++size) {
    // A copy of its own, so that reading beyond it is seen.
    const std::vector<std::byte> cut(encoded.begin(),
                                     encoded.begin() + static_cast<std::ptrdiff_t>(size));
    REQUIRE_FALSE(wire::decode(cut).has_value());
  }
}

TEST_CASE("a datagram of another magic or version has no header", "[wire]") {
  for (std::size_t bit = 0; bit < 32; ++bit) {
    auto encoded = wire::encode(example);
    encoded[bit / 8] ^= std::byte{1} << (bit % 8);
    REQUIRE_FALSE(wire::decode(encoded).has_value());
  }
}

TEST_CASE("a field is stored and loaded at any address and touches no other byte", "[wire]") {
  for (std::size_t at = 1; at < 9; ++at) {
    std::array<std::byte, 18> bytes{};
    wire::store(bytes.data() + at, std::uint64_t{0xffffffffffffffff});
    REQUIRE(std::ranges::count(bytes, std::byte{0xff}) == 8);
    REQUIRE(bytes[at - 1] == std::byte{});
    REQUIRE(bytes[at + 8] == std::byte{});
    wire::store(bytes.data() + at, std::uint32_t{0x01020304});
    REQUIRE(wire::load<std::uint64_t>(bytes.data() + at) == 0x01020304ffffffff);
    REQUIRE(wire::load<std::uint16_t>(bytes.data() + at + 1) == 0x0203);
  }
}

TEST_CASE("big-endian order is its own inverse", "[wire]") {
  static_assert(wire::big_endian(wire::big_endian(std::uint16_t{0x0102})) == 0x0102);
  static_assert(wire::big_endian(wire::big_endian(std::uint32_t{0x01020304})) == 0x01020304);
  static_assert(wire::big_endian(std::uint8_t{7}) == 7);
  SUCCEED("checked when it was compiled");
}
