// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"
#include "printed_table.hpp"

#include <udpbench/report/table.hpp>
#include <udpbench/report/width.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

using namespace udpbench::report;

namespace {

std::string print(const table& t, const text_style& style = {}) {
  std::ostringstream out;
  udpbench::report::print(out, t, style);
  return out.str();
}

} // namespace

TEST_CASE("width is counted in columns and not in bytes", "[report]") {
  CHECK(display_width("") == 0);
  CHECK(display_width("async") == 5);
  CHECK(display_width("–×µ") == 3);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("受信") == 4);
  CHECK(display_width("\xFF\xFE") == 2);
}

TEST_CASE("columns stay aligned under a dash, a sign and a Greek letter", "[report]") {
  const table t{{"name", "", side::left, {{"a–b"}, {"abc"}, {"受"}}},
                {"figure", "µs", side::right, {{"–"}, {"1.5"}, {"12.5"}}},
                {"last", "", side::left, {{"x"}, {"y"}, {"z"}}}};
  CHECK(print(t) == "name  figure  last\n"
                    "          µs\n"
                    "a–b        –  x\n"
                    "abc      1.5  y\n"
                    "受      12.5  z\n");
}

TEST_CASE("no line ends in a blank", "[report]") {
  const table t{{"name", "", side::left, {{"a"}, {"long name"}}},
                {"empty", "", side::left, {{""}, {""}}}};
  for (const std::string& line : printed::lines(print(t))) CHECK_FALSE(line.ends_with(' '));
}

TEST_CASE("a last column that is too wide is broken at words and the other columns are not",
          "[report]") {
  const table t{{"name", "", side::left, {{"first"}, {"second"}}},
                {"words", "", side::left, {{"slower by more than 2 %"}, {"short"}}}};
  CHECK(print(t, {false, 26}) == "name    words\n"
                                 "first   slower by more\n"
                                 "        than 2 %\n"
                                 "second  short\n");
}

TEST_CASE("a number and its unit are never parted", "[report]") {
  for (std::size_t width = 10; width < 60; ++width) {
    for (const std::string& line :
         wrapped("costs 1.41 × sync, 12 % more, at 640 ns (or 5 %).", width)) {
      INFO(line);
      for (const char* unit : {"×", "%", "ns"}) CHECK_FALSE(line.starts_with(unit));
    }
  }
}

TEST_CASE("a word that is longer than the line has a line of its own", "[report]") {
  CHECK(wrapped("a verylongword b", 6) == std::vector<std::string>{"a", "verylongword", "b"});
  CHECK(wrapped("", 6) == std::vector<std::string>{""});
}

TEST_CASE("colours add nothing but escapes and fall on no blanks", "[report]") {
  table t{{"name", "", side::left, {{"a"}, {"b"}}},
          {"verdict", "", side::right, {{"slower", ink::bad}, {"x", ink::good}}}};
  const std::string plain = print(t);
  std::string coloured = print(t, {true, 80});
  CHECK(plain.find('\x1b') == plain.npos);
  CHECK(coloured.find("\x1b[31mslower\x1b[0m") != coloured.npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != coloured.npos;) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  CHECK(coloured == plain);
}

TEST_CASE("control characters in a name do not reach the terminal", "[report]") {
  CHECK(printable("a\x1b[31mb\n\x7F\xFF") == "a\uFFFD[31mb\uFFFD\uFFFD\uFFFD");
  CHECK(printable("\u009B1m") == "\uFFFD1m");
  CHECK(print({{"name", "", side::left, {{"a\x1b[2Jb"}}}}).find('\x1b') == std::string::npos);
}
