/** @file
    A JSON value as text.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace udpbench::record {

namespace detail {

/** Writes values as text that files well: one member a line, but a round, or a histogram, on one line. */
class layout {
 public:
  void value(const boost::json::value& v) {
    switch (v.kind()) {
    case boost::json::kind::object:
      return object(v.get_object());
    case boost::json::kind::array:
      return array(v.get_array(), false);
    case boost::json::kind::string:
      return string(v.get_string());
    case boost::json::kind::int64:
      return number(v.get_int64());
    case boost::json::kind::uint64:
      return number(v.get_uint64());
    case boost::json::kind::double_:
      if (std::isfinite(v.get_double())) return number(v.get_double());
      break;
    case boost::json::kind::bool_:
      text += v.get_bool() ? "true" : "false";
      return;
    case boost::json::kind::null:
      break;
    }
    text += "null";
  }

  std::string text;

 private:
  void object(const boost::json::object& members) {
    list('{', '}', members, one_line_, [this](const boost::json::key_value_pair& member) {
      string(member.key());
      text += ": ";
      if (member.key() == "rounds" && member.value().is_array()) {
        array(member.value().get_array(), true);
      } else {
        value(member.value());
      }
    });
  }

  void array(const boost::json::array& elements, bool element_per_line) {
    const bool numbers = std::all_of(elements.begin(), elements.end(), [](const auto& v) {
      return v.is_number() ||
             (v.is_array() && !v.get_array().empty() && v.get_array().front().is_number());
    });
    list('[', ']', elements, one_line_ || (numbers && !element_per_line),
         [&](const boost::json::value& element) {
           const bool outside = one_line_;
           one_line_ = one_line_ || element_per_line;
           value(element);
           one_line_ = outside;
         });
  }

  template <class List, class Each>
  void list(char open, char close, const List& elements, bool one_line, Each each) {
    text += open;
    indent_ += 2;
    bool first = true;
    for (const auto& element : elements) {
      if (!first) text += ',';
      if (one_line) {
        if (!first) text += ' ';
      } else {
        line();
      }
      each(element);
      first = false;
    }
    indent_ -= 2;
    if (!one_line && !first) line();
    text += close;
  }

  void line() {
    text += '\n';
    text.append(indent_, ' ');
  }

  void string(boost::json::string_view s) { text += boost::json::serialize(s); }

  // The shortest digits that give the same number back, in no locale.
  void number(auto x) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
    text.append(digits.data(), end);
  }

  std::size_t indent_ = 0;
  bool one_line_ = false;
};

} // namespace detail

/** The text of a value, one member a line, and a newline at its end. */
inline std::string laid_out(const boost::json::value& v) {
  detail::layout out;
  out.value(v);
  out.text += '\n';
  return std::move(out.text);
}

} // namespace udpbench::record
