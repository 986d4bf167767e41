/** @file
    A ledger's columns as Catch2 shows them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "catch.hpp"

#include <udpbench/measure/ledger.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace Catch {
template <>
struct StringMaker<udpbench::measure::arrivals> {
  static std::string convert(const udpbench::measure::arrivals& a) {
    std::string out;
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, std::uint64_t>>{{"unique", a.unique},
                                                                      {"duplicate", a.duplicate},
                                                                      {"old", a.old},
                                                                      {"late", a.late},
                                                                      {"foreign", a.foreign},
                                                                      {"reordered", a.reordered},
                                                                      {"truncated", a.truncated},
                                                                      {"bytes", a.bytes},
                                                                      {"highest", a.highest}})
      out += name + (" " + std::to_string(value)) + ", ";
    return out;
  }
};
} // namespace Catch
