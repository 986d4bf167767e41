/** @file
    How wide text is on a terminal, and text made fit for one.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace udpbench::report {

/** Columns that a code point takes: 0 for combining marks, 2 for East Asian wide ones (Unicode TR 11, by block). */
constexpr std::size_t columns_of(char32_t c) noexcept {
  const auto within = [c](char32_t first, char32_t last) { return first <= c && c <= last; };
  if (within(0x300, 0x36F) || within(0x200B, 0x200F) || within(0xFE00, 0xFE0F)) return 0;
  const bool wide = within(0x1100, 0x115F) || within(0x2E80, 0xA4CF) || within(0xAC00, 0xD7A3) ||
                    within(0xF900, 0xFAFF) || within(0xFE30, 0xFE6F) || within(0xFF00, 0xFF60) ||
                    within(0xFFE0, 0xFFE6) || within(0x1F300, 0x1FAFF) || within(0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

/** Columns that UTF-8 text takes; a byte that isn't UTF-8 counts as one. */
constexpr std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  while (!text.empty()) {
    const record::code_point next = record::decode(text);
    width += next.valid ? columns_of(next.value) : 1;
    text.remove_prefix(next.bytes);
  }
  return width;
}

/** `text` with control characters and bytes that aren't UTF-8 replaced: names come from files, and a terminal obeys
    what it is sent. */
inline std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const record::code_point next = record::decode(text);
    const bool control = next.value < 0x20 || (next.value >= 0x7F && next.value < 0xA0);
    out += next.valid && !control ? text.substr(0, next.bytes) : record::replacement;
    text.remove_prefix(next.bytes);
  }
  return out;
}

} // namespace udpbench::report
