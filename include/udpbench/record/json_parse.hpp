/** @file
    JSON text to a JSON value, with the last place of every number right.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/format_error.hpp>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_stack.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace udpbench::record {

namespace detail {

/** Builds the value. Boost.JSON's own parser is off by one last place for every seventh double, so that a file would
    change by being read and written; hence std::from_chars. */
struct exact_handler {
  using error_code = boost::system::error_code;
  using text = boost::json::string_view;

  static constexpr std::size_t max_object_size = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size = boost::json::string::max_size();

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return true; }
  bool on_object_end(std::size_t n, error_code&) { return stack.push_object(n), true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t n, error_code&) { return stack.push_array(n), true; }
  bool on_key_part(text s, std::size_t, error_code&) { return stack.push_chars(s), true; }
  bool on_key(text s, std::size_t, error_code&) { return stack.push_key(s), true; }
  bool on_string_part(text s, std::size_t, error_code&) { return stack.push_chars(s), true; }
  bool on_string(text s, std::size_t, error_code&) { return stack.push_string(s), true; }
  bool on_bool(bool x, error_code&) { return stack.push_bool(x), true; }
  bool on_null(error_code&) { return stack.push_null(), true; }
  bool on_comment_part(text, error_code&) { return true; }
  bool on_comment(text, error_code&) { return true; }

  bool on_number_part(text s, error_code&) { return digits.append(s.data(), s.size()), true; }
  bool on_int64(std::int64_t x, text, error_code&) {
    return digits.clear(), stack.push_int64(x), true;
  }
  bool on_uint64(std::uint64_t x, text, error_code&) {
    return digits.clear(), stack.push_uint64(x), true;
  }

  bool on_double(double approximate, text s, error_code& error) {
    digits.append(s.data(), s.size());
    double exact = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
    digits.clear();
    if (parsed.ec != std::errc{}) exact = approximate; // out of range: 0 or Infinity
    if (!std::isfinite(exact)) return error = boost::json::error::exponent_overflow, false;
    stack.push_double(exact);
    return true;
  }

  boost::json::value_stack stack;
  std::string digits;
};

} // namespace detail

/** Parses one JSON document of bounded depth (no comments, no NaN, UTF-8 only).
    Errors: throws `format_error` that names line and column. */
inline boost::json::value parse(std::string_view document) {
  boost::json::parse_options options;
  options.max_depth = 16;
  boost::json::basic_parser<detail::exact_handler> parser{options};
  parser.handler().stack.reset();

  boost::system::error_code error;
  const std::size_t used = parser.write_some(false, document.data(), document.size(), error);
  if (!error && used < document.size()) error = boost::json::error::extra_data;
  if (error) {
    const std::string_view before = document.substr(0, used);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = used - (before.rfind('\n') + 1) + 1;
    throw format_error{"line " + std::to_string(line) + ", column " + std::to_string(column),
                       error.message(), "one JSON document"};
  }
  return parser.handler().stack.release();
}

} // namespace udpbench::record
