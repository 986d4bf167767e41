// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"

#include <udpbench/record/words.hpp>

#include <string_view>

using namespace udpbench::record;
using udpbench::statistics::qualifier;
using udpbench::statistics::verdict;

static_assert(worded<limit> && worded<verdict> && worded<qualifier>);
static_assert(!worded<int>);

namespace {

template <class Enum>
void check_words() {
  for (const auto& each : words<Enum>) {
    CHECK_FALSE(word(each.value).empty());
    CHECK(from_word<Enum>(word(each.value)) == each.value);
  }
  CHECK_FALSE(from_word<Enum>(""));
  CHECK_FALSE(from_word<Enum>("Slower"));
}

} // namespace

TEST_CASE("every value of an enum has a word that leads back to it", "[record]") {
  check_words<limit>();
  check_words<verdict>();
  check_words<qualifier>();
}

TEST_CASE("the words are those of the contract", "[record]") {
  CHECK(word(limit::shared_cpu) == "shared_cpu");
  CHECK(word(limit::sender) == "sender");
  CHECK(word(verdict::equivalent) == "equivalent");
  CHECK(word(verdict::inconclusive) == "inconclusive");
  CHECK(word(qualifier::beyond_margin) == "beyond_margin");
  CHECK(word(static_cast<limit>(99)).empty());
}
