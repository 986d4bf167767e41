/** @file
    What can go wrong beyond the system's own errors.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/error.hpp>

#include "catch.hpp"

#include <set>
#include <string>
#include <type_traits>

using udpbench::error;
using udpbench::error_code;

static_assert(std::is_convertible_v<error, error_code>);

TEST_CASE("each error is true, of our category and has a text of its own", "[error]") {
  std::set<std::string> texts;
  for (const auto e : {error::not_open, error::already_open, error::busy, error::too_small,
                       error::too_large, error::socket_count, error::no_gro, error::cut_train}) {
    const error_code code = e;
    CHECK(code);
    CHECK(code == e);
    CHECK(code.category() == udpbench::error_category());
    CHECK(code.message().find("unknown") == std::string::npos);
    texts.insert(code.message());
  }
  CHECK(texts.size() == 8);
  CHECK(std::string(udpbench::error_category().name()) == "udpbench");
}

TEST_CASE("a number that is no error has a text, too", "[error]") {
  CHECK(udpbench::error_category().message(0).find("unknown") != std::string::npos);
  CHECK(udpbench::error_category().message(999).find("unknown") != std::string::npos);
}
