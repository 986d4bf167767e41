/** @file
    A key of a record's JSON form.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

namespace udpbench::record {

/** The name of a member in a file. */
struct key {
  std::string_view name; ///< Lifetime: that of the literal.
  bool required = true;  ///< False: a file may lack it.

  /** Of a member that every file has. */
  constexpr key(const char* text) noexcept : name(text) {}
};

/** A key that came after the contract: a file may lack it, and then the member keeps its default. */
constexpr key further(const char* text) noexcept {
  key result{text};
  result.required = false;
  return result;
}

/** `T`, or `const T` for a visitor that only looks. */
template <class T, class Record>
concept maybe_const = std::same_as<std::remove_const_t<T>, Record>;

} // namespace udpbench::record
