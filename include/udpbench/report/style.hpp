/** @file
    How a text report looks.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/** Records as text and as CSV. */
namespace udpbench::report {

/** What the reader's terminal can do. */
struct text_style {
  bool colour = false;    ///< ANSI escapes; never the only bearer of a meaning.
  std::size_t width = 80; ///< Columns. Names that are too long for it make a table wider.
};

/** What a piece of text is, for its colour. */
enum class ink {
  plain,  ///< No colour.
  strong, ///< A head.
  good,   ///< A verdict in favour.
  bad,    ///< A verdict against.
  alert,  ///< What makes figures untrustworthy.
};

/** `text` in its colour, if colours are wanted. The colours can be read on black and on white. */
inline std::string painted(std::string_view text, ink colour, const text_style& style) {
  if (!style.colour || colour == ink::plain || text.empty()) return std::string{text};
  const std::string_view code = colour == ink::strong ? "1"
                                : colour == ink::good ? "32"
                                : colour == ink::bad  ? "31"
                                                      : "1;35";
  return "\x1b[" + std::string{code} + 'm' + std::string{text} + "\x1b[0m";
}

} // namespace udpbench::report
