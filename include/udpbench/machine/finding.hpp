/** @file
    What a look at the machine has to say of one thing.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace udpbench::machine {

/** `ok`: as a measurement wants it. `note`: worth knowing; differences between receivers stay what they are. `warning`: figures may
    mislead. `unknown`: the machine doesn't show it, which is no fault. */
enum class level { ok, note, warning, unknown };

/** The word for it. */
inline std::string_view name(level l) noexcept {
  constexpr std::array<std::string_view, 4> words{"ok", "note", "warning", "unknown"};
  return words[static_cast<std::size_t>(l)];
}

/** Whole sentences; `change` is empty where there is nothing to change. */
struct finding {
  machine::level level = level::unknown; ///< How much it matters.
  std::string subject{};                 ///< A word or two.
  std::string found{};                   ///< What is so.
  std::string why{};                     ///< What that does to figures; may be empty.
  std::string change{};                  ///< What to do about it.
};

} // namespace udpbench::machine
