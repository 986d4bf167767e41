/** @file
    A record as JSON: the value, and its text.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/json_layout.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/record/stands_as.hpp>
#include <udpbench/record/utf8.hpp>
#include <udpbench/record/words.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::record {

namespace detail {

inline boost::json::value json_of(bool x) { return x; }
inline boost::json::value json_of(std::int64_t x) { return x; }
inline boost::json::value json_of(std::unsigned_integral auto x) { return std::uint64_t{x}; }
inline boost::json::value json_of(const std::string& x) {
  return boost::json::string(valid_utf8(x));
}

/** JSON knows no NaN and no Infinity; and -0 would come back as the integer 0. */
inline boost::json::value json_of(double x) {
  if (!std::isfinite(x)) return nullptr;
  return x == 0 ? 0.0 : x;
}

template <worded Enum>
boost::json::value json_of(Enum x) {
  return boost::json::string(word(x));
}

template <structure T>
boost::json::value json_of(const T& x);
template <stand_in T>
boost::json::value json_of(const T& x);
template <class T>
boost::json::value json_of(const std::optional<T>& x);
template <class T>
boost::json::value json_of(const std::vector<T>& x);
template <std::size_t N>
boost::json::value json_of(const std::array<std::uint64_t, N>& x);
template <class Range>
boost::json::value array_of(const Range& range) {
  boost::json::array out;
  out.reserve(range.size());
  for (const auto& each : range) out.push_back(json_of(each));
  return out;
}

/** An interval: whole, or null. */
template <std::size_t N>
boost::json::value json_of(const std::array<double, N>& x) {
  const bool finite = std::all_of(x.begin(), x.end(), [](double d) { return std::isfinite(d); });
  return finite ? array_of(x) : boost::json::value{};
}

/** A bucket of a histogram. */
template <std::size_t N>
boost::json::value json_of(const std::array<std::uint64_t, N>& x) {
  return array_of(x);
}

template <class T>
boost::json::value json_of(const std::optional<T>& x) {
  return x ? json_of(*x) : boost::json::value{};
}

template <class T>
boost::json::value json_of(const std::vector<T>& x) {
  return array_of(x);
}

template <structure T>
boost::json::value json_of(const T& x) {
  boost::json::object out;
  fields([&](key k, const auto& member) { out.emplace(k.name, json_of(member)); }, x);
  return out;
}

template <stand_in T>
boost::json::value json_of(const T& x) {
  return json_of(stands_as<T>::to(x));
}

} // namespace detail

/** Anything that has a JSON form, as a value: what has `fields`, or a `stands_as`, and vectors and optionals of it. */
template <class T>
boost::json::value value_of(const T& x) {
  return detail::json_of(x);
}

/** The record as a JSON value after the schema `udpbench/1`. Figures that aren't finite become null, bytes that aren't
    UTF-8 become U+FFFD. */
inline boost::json::value to_json(const run& r) {
  boost::json::object out;
  out.emplace("schema", schema);
  const boost::json::value members = detail::json_of(r);
  for (const auto& member : members.get_object()) out.emplace(member.key(), member.value());
  return out;
}

/** The record as JSON text: keys in a fixed order, a round on one line, numbers by their shortest digits whatever the
    locale, a newline at the end. */
inline std::string write(const run& r) { return laid_out(to_json(r)); }

} // namespace udpbench::record
