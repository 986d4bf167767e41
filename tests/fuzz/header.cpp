// Whatever comes to a receiver's port: each datagram is booked in one column, and nothing grows.
#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

using namespace udpbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  measure::ledger ledger(2, 64);
  ledger.begin(1, 1);
  std::uint64_t given = 0;
  while (!bytes.empty()) {
    // The first byte says how long the datagram is, the second how much longer it would have been.
    const std::size_t length =
        std::min<std::size_t>(std::to_integer<std::size_t>(bytes[0]), bytes.size() - 1);
    const auto content = bytes.subspan(1, length);
    const std::size_t whole = length + (length > 0 ? std::to_integer<std::size_t>(content[0]) : 0);
    if (const auto header = wire::decode(content))
      if (wire::decode(wire::encode(*header)) != header) __builtin_trap();
    ledger(datagram{content, whole});
    ++given;
    bytes = bytes.subspan(1 + length);
  }
  const auto& c = ledger.counts();
  if (c.unique + c.duplicate + c.old + c.late + c.foreign != given) __builtin_trap();
  // Of two flows.
  if (c.unique > c.highest && c.unique - c.highest > c.highest) __builtin_trap();
  return 0;
}
