/** @file
    Numbers as a reader wants them, in no locale.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::report {

/** What stands where there is no figure. */
inline constexpr std::string_view absent = "–";

/** A figure that may be missing, or not a number. */
using figure = std::optional<double>;

/** It is there, and a finite number. */
inline bool known(const figure& x) noexcept { return x && std::isfinite(*x); }

/** `digits` with a comma between thousands. */
inline std::string grouped(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  std::size_t at = std::min(digits.find('.'), digits.size());
  while (at > first + 3) digits.insert(at -= 3, 1, ',');
  return digits;
}

///@{
/** Digits with a comma between thousands. */
inline std::string count(std::uint64_t x) { return grouped(std::to_string(x)); }
inline std::string count(std::int64_t x) { return grouped(std::to_string(x)); }
///@}

/** `x` with that many decimals; what is no number is absent. */
inline std::string fixed(double x, int decimals) {
  if (!std::isfinite(x)) return std::string{absent};
  std::array<char, 400> digits{}; // the largest double has 309 before the point
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return grouped({digits.data(), end});
}

/** As `fixed`, without zeros at the end. */
inline std::string trimmed(double x, int decimals) {
  std::string out = fixed(x, decimals);
  if (out.find('.') == std::string::npos) return out;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out;
}

/** `x` with that many decimals; 0 only if it is 0, else `<0.01` where the decimals don't reach. */
inline std::string shown(const figure& x, int decimals) {
  if (!known(x)) return std::string{absent};
  if (*x == 0) return "0";
  const double least = std::pow(10.0, -decimals);
  if (std::abs(*x) < least / 2) return (*x < 0 ? ">-" : "<") + fixed(least, decimals);
  return fixed(*x, decimals);
}

/** A part of one: `33.1 %`. */
inline std::string percent(const figure& x) {
  if (!known(x)) return std::string{absent};
  return shown(*x * 100, std::abs(*x) < 0.1 ? 2 : 1) + " %";
}

/** A part of one that somebody chose: `2 %`, `0.5 %`. */
inline std::string chosen_percent(double x) { return trimmed(x * 100, 3) + " %"; }

/** Bytes: `1 KiB`, `1,472 B`. */
inline std::string bytes(std::uint64_t x) {
  constexpr std::array<std::string_view, 4> units{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; x != 0 && x % 1024 == 0 && unit + 1 < units.size(); ++unit) x /= 1024;
  return count(x) + ' ' + std::string{units[unit]};
}

/** A ratio for a table: three decimals around 1. */
inline std::string ratio(const figure& x) {
  if (!known(x)) return std::string{absent};
  return fixed(*x, *x < 0.1 ? 4 : *x < 10 ? 3 : *x < 100 ? 2 : 1);
}

/** An interval of ratios for a table. */
inline std::string interval(const std::optional<std::array<double, 2>>& ci) {
  if (!ci || !known((*ci)[0]) || !known((*ci)[1])) return std::string{absent};
  return ratio((*ci)[0]) + " to " + ratio((*ci)[1]);
}

/** A kind of quantity: its units, each with its size in the unit that records use. */
struct quantity {
  /** One of them. */
  struct unit {
    double size;           ///< In the unit that records use.
    std::string_view name; ///< As printed.
  };
  std::span<const unit> units; ///< Rising.
  int most_decimals;           ///< More are noise.
};

namespace detail {
inline constexpr std::array<quantity::unit, 4> time_units{
    {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
inline constexpr std::array<quantity::unit, 4> rate_units{
    {{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}}};
inline constexpr std::array<quantity::unit, 1> part_units{{{0.01, "%"}}};
inline constexpr std::array<quantity::unit, 1> number_units{{{1, ""}}};
} // namespace detail

inline constexpr quantity time_ns{detail::time_units, 2};     ///< Records have ns.
inline constexpr quantity per_second{detail::rate_units, 2};  ///< Records have 1/s.
inline constexpr quantity part_of_one{detail::part_units, 2}; ///< Shown in %.
inline constexpr quantity number_of{detail::number_units, 3}; ///< Without a unit.

/** One unit and one number of decimals for figures that stand together. */
struct scale {
  double size = 1;  ///< In the unit that records use.
  std::string unit; ///< As printed.
  int decimals = 0; ///< Of each figure.

  /** The figure alone; the sign for a missing one where it isn't known. */
  std::string operator()(const figure& x) const {
    return known(x) ? shown(*x / size, decimals) : std::string{absent};
  }

  /** With the unit, for a sentence. */
  std::string with_unit(const figure& x) const { return (*this)(x) + ' ' + unit; }
};

/** The scale that gives the largest figure three digits or more and the smallest two, below 10,000 of a unit. */
inline scale scale_for(const quantity& q, const std::vector<figure>& figures) {
  double largest = 0;
  double smallest = 0;
  for (const figure& x : figures) {
    if (!known(x) || *x == 0) continue;
    largest = std::max(largest, std::abs(*x));
    smallest = smallest == 0 ? std::abs(*x) : std::min(smallest, std::abs(*x));
  }
  std::size_t unit = 0;
  while (unit + 1 < q.units.size() && largest >= 10'000 * q.units[unit].size) ++unit;
  const double size = q.units[unit].size;

  const auto decimals = [&](double x, int digits) {
    return x > 0 ? digits - 1 - static_cast<int>(std::floor(std::log10(x / size))) : 0;
  };
  const int wanted = std::max(decimals(largest, 3), decimals(smallest, 2));
  return {size, std::string{q.units[unit].name}, std::clamp(wanted, 0, q.most_decimals)};
}

} // namespace udpbench::report
