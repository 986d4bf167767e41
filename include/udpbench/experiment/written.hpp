/** @file
    Numbers with units, as they are written on a command line.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace udpbench::experiment {

/** A count by its largest decimal prefix: `200k`. */
inline std::string written(std::uint64_t n) {
  for (const auto& [factor, unit] : {std::pair{1'000'000u, "M"}, std::pair{1'000u, "k"}})
    if (n != 0 && n % factor == 0) return std::to_string(n / factor) + unit;
  return std::to_string(n);
}

/** A time by its largest unit: `1ms`. */
inline std::string written(std::chrono::nanoseconds t) {
  const std::pair<std::int64_t, const char*> units[] = {
      {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
  for (const auto& [factor, unit] : units)
    if (t.count() != 0 && t.count() % factor == 0) return std::to_string(t.count() / factor) + unit;
  return std::to_string(t.count()) + "ns";
}

/** Bytes by their largest binary prefix: `64KiB`. */
inline std::string written_bytes(std::uint64_t n) {
  for (const auto& [factor, unit] : {std::pair{1u << 20, "MiB"}, std::pair{1u << 10, "KiB"}})
    if (n != 0 && n % factor == 0) return std::to_string(n / factor) + unit;
  return std::to_string(n);
}

} // namespace udpbench::experiment
