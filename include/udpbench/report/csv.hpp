/** @file
    A record's rounds as comma-separated values: a header, then a row for each round.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/fields.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/record/words.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace udpbench::report {

namespace detail {

/** One line of values, or of their names: a visitor of `record::fields`. */
class csv_line {
 public:
  explicit csv_line(bool names) : names_(names) {}

  template <class T>
  void operator()(record::key key, const T& value) {
    if constexpr (requires { record::fields(*this, value); })
      record::fields(*this, value);
    else if (names_)
      cell(key.name);
    else
      put(value);
  }

  // A member that may be missing as a whole has its columns all the same.
  template <class T>
    requires requires(csv_line& v, const T& t) { record::fields(v, t); }
  void operator()(record::key, const std::optional<T>& value) {
    const bool absent = !value && !names_;
    if (absent) ++absent_;
    const T present = value.value_or(T{});
    record::fields(*this, present);
    if (absent) --absent_;
  }

  const std::string& text() const noexcept { return text_; }

 private:
  void put(bool value) { cell(value ? "true" : "false"); }
  void put(const std::string& value) { cell(value); }

  template <class T>
    requires std::integral<T> || std::floating_point<T>
  void put(T value) {
    if constexpr (std::floating_point<T>)
      if (!std::isfinite(value)) return cell("");
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    cell(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  template <record::worded Enum>
  void put(Enum value) {
    cell(record::word(value));
  }

  template <class T>
  void put(const std::optional<T>& value) {
    if (value)
      put(*value);
    else
      cell("");
  }

  /** In one cell, with spaces between. */
  template <class T>
  void put(const std::vector<T>& values) {
    std::string all;
    for (const T& value : values) all += (all.empty() ? "" : " ") + std::to_string(value);
    cell(all);
  }

  /** Quotes as RFC 4180 has it. */
  void cell(std::string_view value) {
    if (begun_) text_ += ',';
    begun_ = true;
    if (absent_ != 0) return;
    if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_ += value;
      return;
    }
    text_ += '"';
    for (const char c : value) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
  }

  bool names_;
  bool begun_ = false;
  int absent_ = 0;
  std::string text_;
};

inline std::string csv_of(const record::result& result, const record::round& round, bool names) {
  csv_line line(names);
  line("receiver", result.receiver);
  line("control", result.control);
  line("load", result.load);
  line("size", result.size);
  line("sockets", result.sockets);
  line("threads", result.threads);
  line("work", result.work);
  line("work_ns", result.work_ns);
  line("send", result.send);
  line("round", round);
  return line.text();
}

} // namespace detail

/** Writes one row a round, in the order of the record; the columns are the keys of the JSON form. An absent figure is an empty
    cell. Independent of the locale. */
inline void csv(std::ostream& out, const record::run& run) {
  out << detail::csv_of({}, {}, true) << '\n';
  for (const record::result& result : run.results)
    for (const record::round& round : result.rounds)
      out << detail::csv_of(result, round, false) << '\n';
}

} // namespace udpbench::report
