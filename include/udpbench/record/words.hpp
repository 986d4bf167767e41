/** @file
    The words by which files and reports call the values of an enum.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/statistics/verdict.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace udpbench::record {

/** A value and its word. */
template <class Enum>
struct named {
  Enum value;            ///< Of the enum.
  std::string_view word; ///< Lifetime: static.
};

/** All values of an enum with their words; specialised for each. */
template <class Enum>
inline constexpr std::array<named<Enum>, 0> words{};

/** What held a rate. */
template <>
inline constexpr std::array<named<limit>, 4> words<limit>{{
    {limit::receiver, "receiver"},
    {limit::sender, "sender"},
    {limit::network, "network"},
    {limit::shared_cpu, "shared_cpu"},
}};

/** The verdicts. */
template <>
inline constexpr std::array<named<statistics::verdict>, 4> words<statistics::verdict>{{
    {statistics::verdict::equivalent, "equivalent"},
    {statistics::verdict::slower, "slower"},
    {statistics::verdict::faster, "faster"},
    {statistics::verdict::inconclusive, "inconclusive"},
}};

/** What stands behind them. */
template <>
inline constexpr std::array<named<statistics::qualifier>, 6> words<statistics::qualifier>{{
    {statistics::qualifier::none, "none"},
    {statistics::qualifier::below_margin, "below_margin"},
    {statistics::qualifier::beyond_margin, "beyond_margin"},
    {statistics::qualifier::direction_only, "direction_only"},
    {statistics::qualifier::below_level, "below_level"},
    {statistics::qualifier::noise_floor, "noise_floor"},
}};

/** Of losses. */
template <>
inline constexpr std::array<named<statistics::loss_verdict>, 4> words<statistics::loss_verdict>{{
    {statistics::loss_verdict::equivalent, "equivalent"},
    {statistics::loss_verdict::more, "more"},
    {statistics::loss_verdict::less, "less"},
    {statistics::loss_verdict::inconclusive, "inconclusive"},
}};

/** An enum that has words. */
template <class Enum>
concept worded = std::is_enum_v<Enum> && !words<Enum>.empty();

/** The word of `value`; empty for a value that has none. */
template <worded Enum>
constexpr std::string_view word(Enum value) noexcept {
  for (const auto& each : words<Enum>) {
    if (each.value == value) return each.word;
  }
  return {};
}

/** The value that `text` is the word of. */
template <worded Enum>
constexpr std::optional<Enum> from_word(std::string_view text) noexcept {
  for (const auto& each : words<Enum>) {
    if (each.word == text) return each.value;
  }
  return {};
}

} // namespace udpbench::record
