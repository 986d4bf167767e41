/** @file
    An interval is written down once, when it ends.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/measure/timed_scope.hpp>

#include "catch.hpp"
#include "manual_clock.hpp"

#include <chrono>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <type_traits>

using namespace std::chrono_literals;
using support::manual_clock;
using udpbench::timed_scope;

static_assert(!std::is_copy_constructible_v<timed_scope<manual_clock>>);
static_assert(!std::is_copy_assignable_v<timed_scope<manual_clock>>);

TEST_CASE("a scope writes the time between its beginning and its end into its slot", "[measure]") {
  manual_clock clock;
  clock.time += 5s;
  std::chrono::nanoseconds slot{-1};
  {
    timed_scope scope{clock, slot};
    clock.time += 30ns;
    CHECK(slot == -1ns);
    clock.time += 12ns;
  }
  CHECK(slot == 42ns);
  clock.time += 100ns;
  CHECK(slot == 42ns);
}

TEST_CASE("a scope reads the clock twice", "[measure]") {
  manual_clock clock;
  std::chrono::nanoseconds slot{};
  {
    timed_scope scope{clock, slot};
  }
  CHECK(clock.readings == 2);
  CHECK(slot == 0ns);
}

TEST_CASE("a scope replaces what its slot held", "[measure]") {
  manual_clock clock;
  std::chrono::nanoseconds slot{1000};
  for (int i = 1; i <= 3; ++i) {
    timed_scope scope{clock, slot};
    clock.time += std::chrono::nanoseconds(i);
  }
  CHECK(slot == 3ns);
}

TEST_CASE("a slot may be of a coarser unit", "[measure]") {
  manual_clock clock;
  std::chrono::milliseconds slot{};
  {
    timed_scope scope{clock, slot};
    clock.time += 2999us;
  }
  CHECK(slot == 2ms);
}

TEST_CASE("scopes nest", "[measure]") {
  manual_clock clock;
  std::chrono::nanoseconds outer{};
  std::chrono::nanoseconds inner{};
  {
    timed_scope whole{clock, outer};
    clock.time += 1ns;
    {
      timed_scope part{clock, inner};
      clock.time += 10ns;
    }
    clock.time += 100ns;
  }
  CHECK(inner == 10ns);
  CHECK(outer == 111ns);
}

TEST_CASE("a scope that an exception leaves is written down, too", "[measure]") {
  manual_clock clock;
  std::chrono::nanoseconds slot{};
  try {
    timed_scope scope{clock, slot};
    clock.time += 7ns;
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
  }
  CHECK(slot == 7ns);
}

TEST_CASE("a scope prints nothing", "[measure]") {
  std::ostringstream printed;
  auto* const out = std::cout.rdbuf(printed.rdbuf());
  auto* const err = std::cerr.rdbuf(printed.rdbuf());
  manual_clock clock;
  std::chrono::nanoseconds slot{};
  {
    timed_scope scope{clock, slot};
  }
  std::cout.rdbuf(out);
  std::cerr.rdbuf(err);
  CHECK(printed.str().empty());
}
