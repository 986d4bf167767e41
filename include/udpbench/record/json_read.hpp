/** @file
    A record from JSON.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/format_error.hpp>
#include <udpbench/record/json_layout.hpp>
#include <udpbench/record/json_parse.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/record/stands_as.hpp>
#include <udpbench/record/utf8.hpp>
#include <udpbench/record/words.hpp>

#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::record {

namespace detail {

/** What a value is, for an error's text. */
inline std::string described(const boost::json::value& v) {
  if (v.is_object()) return "an object";
  if (v.is_array()) return "an array of " + std::to_string(v.get_array().size());
  layout shown;
  shown.value(v);
  std::string text = std::move(shown.text);
  constexpr std::size_t most = 60;
  if (text.size() > most) text = valid_utf8(text.substr(0, most)) + "…";
  return text;
}

inline std::string quoted(std::string_view text) { return '"' + std::string{text} + '"'; }

/** Fills the members of a record from a value and knows where it is, for its errors. */
class reader {
 public:
  void read(const boost::json::value& v, bool& out) {
    if (!v.is_bool()) fail(v, "true or false");
    out = v.get_bool();
  }

  void read(const boost::json::value& v, std::string& out) {
    if (!v.is_string()) fail(v, "a string");
    out.assign(v.get_string().data(), v.get_string().size());
  }

  // A number that wasn't finite was written as null.
  void read(const boost::json::value& v, double& out) {
    if (!v.is_number() && !v.is_null()) fail(v, "a number or null");
    out = v.is_null() ? std::numeric_limits<double>::quiet_NaN() : v.to_number<double>();
  }

  template <std::integral Integer>
  void read(const boost::json::value& v, Integer& out) {
    boost::system::error_code error;
    out = v.to_number<Integer>(error);
    using range = std::numeric_limits<Integer>;
    if (error) {
      fail(v, "an integer from " + std::to_string(range::min()) + " to " +
                  std::to_string(range::max()));
    }
  }

  template <worded Enum>
  void read(const boost::json::value& v, Enum& out) {
    const auto found = v.is_string() ? from_word<Enum>(v.get_string()) : std::optional<Enum>{};
    if (!found) {
      std::string allowed;
      for (const auto& each : words<Enum>)
        allowed += (allowed.empty() ? "" : ", ") + quoted(each.word);
      fail(v, allowed);
    }
    out = *found;
  }

  template <class T>
  void read(const boost::json::value& v, std::optional<T>& out) {
    out.reset();
    if (v.is_null()) return;
    nullable_ = true;
    read(v, out.emplace());
    nullable_ = false;
  }

  template <class T>
  void read(const boost::json::value& v, std::vector<T>& out) {
    if (!v.is_array()) fail(v, "an array");
    out.resize(v.get_array().size());
    elements(v.get_array(), out);
  }

  template <class T, std::size_t N>
  void read(const boost::json::value& v, std::array<T, N>& out) {
    if (!v.is_array() || v.get_array().size() != N) fail(v, "an array of " + std::to_string(N));
    elements(v.get_array(), out);
  }

  template <structure T>
  void read(const boost::json::value& v, T& out) {
    if (!v.is_object()) fail(v, "an object");
    nullable_ = false;
    const boost::json::object& members = v.get_object();
    fields([&](key k, auto& member) { read(members, k, member); }, out);
  }

  template <stand_in T>
  void read(const boost::json::value& v, T& out) {
    typename stands_as<T>::type stand_in;
    read(v, stand_in);
    out = stands_as<T>::from(stand_in);
  }

  /** Reads one member; one that isn't required may be missing. */
  template <class T>
  void read(const boost::json::object& members, key k, T& out) {
    const std::size_t outside = path_.size();
    if (outside != 0) path_ += '.';
    path_ += k.name;
    if (const boost::json::value* v = members.if_contains(k.name)) {
      read(*v, out);
    } else if (k.required) {
      throw format_error{path_, "nothing: the key is missing", "this key in every record"};
    }
    path_.resize(outside);
  }

 private:
  template <class Range>
  void elements(const boost::json::array& from, Range& to) {
    nullable_ = false;
    const std::size_t outside = path_.size();
    for (std::size_t i = 0; i < from.size(); ++i) {
      path_ += '[' + std::to_string(i) + ']';
      read(from[i], to[i]);
      path_.resize(outside);
    }
  }

  [[noreturn]] void fail(const boost::json::value& found, const std::string& allowed) const {
    throw format_error{path_, described(found), allowed + (nullable_ ? " or null" : "")};
  }

  std::string path_;
  bool nullable_ = false;
};

} // namespace detail

/** What a value holds, of anything that has a JSON form. Errors: throws `format_error`. */
template <class T>
T of_value(const boost::json::value& v) {
  T out{};
  detail::reader().read(v, out);
  return out;
}

/** The record that a JSON value holds. Keys that it doesn't know are passed over: later versions may write more.
    Errors: throws `format_error`. */
inline run from_json(const boost::json::value& v) {
  run out;
  detail::reader in;
  if (const boost::json::object* members = v.if_object()) {
    std::string found;
    in.read(*members, "schema", found);
    if (found != schema)
      throw format_error{"schema", detail::quoted(found), detail::quoted(schema)};
  }
  in.read(v, out);
  return out;
}

/** The record that a JSON text holds. Errors: throws `format_error`. */
inline run read(std::string_view document) { return from_json(parse(document)); }

} // namespace udpbench::record
