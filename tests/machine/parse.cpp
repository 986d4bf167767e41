/** @file
    The kernel's forms of numbers and sets of cpus.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/machine/parse.hpp>

#include "catch.hpp"

#include <vector>

namespace machine = udpbench::machine;
using cpus = std::vector<unsigned>;

TEST_CASE("a list of cpus has numbers and ranges", "[machine]") {
  CHECK(machine::parse_cpu_list("0\n") == cpus{0});
  CHECK(machine::parse_cpu_list("0-3,8,10-11\n") == cpus{0, 1, 2, 3, 8, 10, 11});
  CHECK(machine::parse_cpu_list("\n") == cpus{});
  CHECK(machine::parse_cpu_list("") == cpus{});
}

TEST_CASE("what is no list of cpus is absent, and not an empty list", "[machine]") {
  for (const char* text : {"x", "1,", ",1", "3-1", "1-", "-1", "0-4294967295", "1 2", "0x3"}) {
    INFO(text);
    CHECK_FALSE(machine::parse_cpu_list(text));
  }
}

TEST_CASE("a mask of many words has a cpu if any digit isn't 0", "[machine]") {
  CHECK_FALSE(machine::any_in_mask("0\n"));
  CHECK_FALSE(machine::any_in_mask("00000000,00000000\n"));
  CHECK_FALSE(machine::any_in_mask(""));
  CHECK(machine::any_in_mask("00000001,00000000\n"));
  CHECK(machine::any_in_mask("f\n"));
}

TEST_CASE("a number is one and nothing else", "[machine]") {
  CHECK(machine::parse_number(" 4194304\n") == 4'194'304);
  CHECK_FALSE(machine::parse_number("4 MiB"));
  CHECK_FALSE(machine::parse_number(""));
  CHECK_FALSE(machine::parse_number("-1"));
  CHECK(machine::parse_decimal("0.53\n") == 0.53);
  CHECK_FALSE(machine::parse_decimal("0.53 x"));
}
