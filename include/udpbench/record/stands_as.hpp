/** @file
    Types that have no JSON form of their own.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>

namespace udpbench::record {

/** Specialised for a type that stands in JSON as another one: `type`, `to(value)` and `from(type)`. */
template <class T>
struct stands_as;

/** A duration stands as the number of its units: a whole one. */
template <class Period>
struct stands_as<std::chrono::duration<std::int64_t, Period>> {
  /** Of the number. */
  using type = std::int64_t;
  /** The number. */
  static type to(std::chrono::duration<std::int64_t, Period> d) noexcept { return d.count(); }
  /** The duration. */
  static std::chrono::duration<std::int64_t, Period> from(type count) noexcept {
    return std::chrono::duration<std::int64_t, Period>(count);
  }
};

/** A type with such a specialisation. */
template <class T>
concept stand_in = requires(const T& x, const typename stands_as<T>::type& y) {
  { stands_as<T>::to(x) } -> std::convertible_to<typename stands_as<T>::type>;
  { stands_as<T>::from(y) } -> std::convertible_to<T>;
};
static_assert(stand_in<std::chrono::nanoseconds>);
static_assert(!stand_in<double>);

} // namespace udpbench::record
