/** @file
    The forms in which the kernel writes numbers and sets of cpus.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace udpbench::machine {

/** `text` without blanks and newlines at its ends. */
inline std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

/** A whole number and nothing else. */
inline std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
  text = trimmed(text);
  std::uint64_t n = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return n;
}

/** A number, perhaps with a fraction, and nothing else. */
inline std::optional<double> parse_decimal(std::string_view text) noexcept {
  text = trimmed(text);
  double x = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return x;
}

/** A list such as `0-3,8`; no text is no cpu. Source: cpuset(7), "List Format". */
inline std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text) {
  constexpr std::uint64_t no_cpu = 65'536; // Linux is built for 8,192 at most
  std::vector<unsigned> cpus;
  text = trimmed(text);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(part.size());
    if (!text.empty() && (text.remove_prefix(1), text.empty())) return {};
    const auto dash = part.find('-');
    const auto first = parse_number(part.substr(0, dash));
    const auto last = dash == part.npos ? first : parse_number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= no_cpu) return {};
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<unsigned>(cpu));
  }
  return cpus;
}

/** Whether a mask such as `00000000,00000003` has any cpu in it. Source: cpuset(7), "Mask Format". */
inline bool any_in_mask(std::string_view mask) noexcept {
  return trimmed(mask).find_first_not_of("0,") != std::string_view::npos;
}

} // namespace udpbench::machine
