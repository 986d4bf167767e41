/** @file
    Text that is valid UTF-8, whatever it was made from.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace udpbench::record {

/** What stands in for bytes that are no text: U+FFFD in UTF-8. */
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/** The first code point of a text. */
struct code_point {
  char32_t value = 0;    ///< Meaningless where it isn't valid.
  std::size_t bytes = 1; ///< To go on by; never 0, never beyond the text.
  bool valid = false;    ///< False: not UTF-8 (cut short, overlong, a surrogate, above U+10FFFF).
};

/** Decodes the first code point of `text`, which isn't empty. Source: RFC 3629, section 4. */
constexpr code_point decode(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) -> char32_t { return static_cast<unsigned char>(text[i]); };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1, true};
  if (first < 0xC2 || first > 0xF4) return {first, 1, false};

  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t value = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    // The second byte's range excludes overlong forms, surrogates and what lies above U+10FFFF.
    const char32_t least = i > 1 ? 0x80 : first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const char32_t most = i > 1 ? 0xBF : first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (i >= text.size() || byte(i) < least || byte(i) > most) return {first, i, false};
    value = value << 6 | (byte(i) & 0x3F);
  }
  return {value, length, true};
}

/** `text` with every run of bytes that isn't UTF-8 replaced by U+FFFD. */
inline std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const code_point next = decode(text);
    out += next.valid ? text.substr(0, next.bytes) : replacement;
    text.remove_prefix(next.bytes);
  }
  return out;
}

} // namespace udpbench::record
