/** @file
    A rest after every few sends.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/pace/pause.hpp>

#include "catch.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

using namespace std::chrono_literals;
namespace pace = udpbench::pace;

namespace {

struct noted_sleep {
  std::vector<std::chrono::nanoseconds>* rests;
  void operator()(std::chrono::nanoseconds d) const { rests->push_back(d); }
};

} // namespace

TEST_CASE(
    "a pause rests after every N datagrams, never before the first, and sends never cross a rest",
    "[pace]") {
  for (const std::size_t most : {1u, 7u, 63u, 1000u}) {
    std::vector<std::chrono::nanoseconds> rests;
    pace::pause<noted_sleep> pause(128, 1ms, {&rests});
    pause.begin();
    std::uint64_t offered = 0;
    while (offered < 1000) {
      const auto before = rests.size();
      const auto admitted = pause.admit(offered, most);
      CAPTURE(offered, most);
      REQUIRE(admitted.count >= 1);
      REQUIRE(admitted.count <= most);
      REQUIRE(offered / 128 == (offered + admitted.count - 1) / 128);
      REQUIRE((rests.size() > before) == (offered != 0 && offered % 128 == 0));
      CHECK(admitted.intended_ns == 0);
      offered += admitted.count;
    }
    CHECK(rests.size() == (offered - 1) / 128);
    for (const auto rest : rests) CHECK(rest == 1ms);
  }
}
