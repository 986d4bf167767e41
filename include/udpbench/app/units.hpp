/** @file
    Numbers with units, as people write them on a command line.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/usage_error.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace udpbench::app {

namespace detail {

/** The factor of a unit prefix: k M G are decimal, Ki Mi Gi binary. */
inline std::optional<std::uint64_t> prefix(std::string_view p) noexcept {
  if (p.empty()) return 1;
  if (p == "k") return 1'000;
  if (p == "M") return 1'000'000;
  if (p == "G") return 1'000'000'000;
  if (p == "Ki") return std::uint64_t{1} << 10;
  if (p == "Mi") return std::uint64_t{1} << 20;
  if (p == "Gi") return std::uint64_t{1} << 30;
  return {};
}

/** A whole number and its unit; empty if it isn't one, or too large for 64 bits. */
inline std::optional<std::uint64_t> scaled(std::string_view text, std::string_view unit) noexcept {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end == text.data()) return {};
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!unit.empty() && rest.ends_with(unit)) rest.remove_suffix(unit.size());
  const auto factor = prefix(rest);
  if (!factor || number > std::numeric_limits<std::uint64_t>::max() / *factor) return {};
  return number * *factor;
}

} // namespace detail

/** What a number may be. */
struct range {
  std::uint64_t least = 0; ///< Included.
  std::uint64_t most = 0;  ///< Included.
};

/** Parses a whole number, such as `50k`. Errors: throws `usage_error`. */
inline std::uint64_t parse_count(const std::string& thing, const std::string& text, range allowed) {
  const auto n = detail::scaled(text, "");
  if (!n || *n < allowed.least || *n > allowed.most)
    throw usage_error(thing, text,
                      "allowed is a whole number from " + std::to_string(allowed.least) + " to " +
                          std::to_string(allowed.most) + ", also with k, M, G, Ki, Mi or Gi");
  return *n;
}

/** Parses a number of bytes, such as `64`, `1KiB` or `4MiB`. Errors: throws `usage_error`. */
inline std::uint64_t parse_bytes(const std::string& thing, const std::string& text, range allowed) {
  const auto n = detail::scaled(text, "B");
  if (!n || *n < allowed.least || *n > allowed.most)
    throw usage_error(thing, text,
                      "allowed are " + std::to_string(allowed.least) + " to " +
                          std::to_string(allowed.most) + " bytes, such as 64, 1KiB or 4MiB");
  return *n;
}

/** Parses a time with its suffix, such as `1ms`. Errors: throws `usage_error`. */
inline std::chrono::nanoseconds parse_time(const std::string& thing, const std::string& text,
                                           std::chrono::nanoseconds least,
                                           std::chrono::nanoseconds most) {
  std::int64_t number = 0;
  const char* last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, number);
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  std::int64_t factor = 0;
  if (unit == "ns") factor = 1;
  if (unit == "us" || unit == "µs") factor = 1'000;
  if (unit == "ms") factor = 1'000'000;
  if (unit == "s") factor = 1'000'000'000;
  const bool fits =
      problem == std::errc() && factor != 0 && number >= 0 && number <= most.count() / factor;
  if (!fits || std::chrono::nanoseconds(number * factor) < least)
    throw usage_error(thing, text,
                      "allowed is a time from " + std::to_string(least.count()) + "ns to " +
                          std::to_string(most.count() / 1'000'000'000) +
                          "s, such as 500us, 1ms or 2s");
  return std::chrono::nanoseconds(number * factor);
}

/** Parses a percentage above 0, such as `2%` or `0.5%`, into a fraction. Errors: throws `usage_error`. */
inline double parse_percent(const std::string& thing, const std::string& text, double most) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  const bool whole =
      problem == std::errc() && std::string_view(end, static_cast<std::size_t>(last - end)) == "%";
  if (!whole || !std::isfinite(value) || value <= 0 || value > most * 100)
    throw usage_error(thing, text,
                      "allowed is a percentage above 0 % and up to " +
                          std::to_string(static_cast<int>(most * 100)) + " %, such as 2% or 0.5%");
  return value / 100;
}

/** The parts of a list that commas divide. Errors: throws `usage_error` for an empty part. */
template <class Each>
void for_each_part(const std::string& thing, const std::string& text, Each each) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(',', begin);
    const std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (part.empty()) throw usage_error(thing, text, "a part of the list is empty");
    each(part);
    if (end == std::string::npos) return;
    begin = end + 1;
  }
}

/** Two results with the same key could not be told apart. Errors: throws `usage_error`. */
template <class T>
void refuse_repeated(const std::string& thing, const std::string& text, const std::vector<T>& all) {
  for (auto one = all.begin(); one != all.end(); ++one)
    if (std::find(all.begin(), one, *one) != one)
      throw usage_error(thing, text, "one of them is named twice");
}

} // namespace udpbench::app
