/** @file
    When datagrams are sent.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/pace/pacing.hpp>
#include <udpbench/pace/unpaced.hpp>

#include "catch.hpp"

#include <cstddef>
#include <cstdint>

namespace pace = udpbench::pace;
using udpbench::pacing;

namespace {

struct without_begin {
  pace::admission admit(std::uint64_t, std::size_t);
};
struct counts_only {
  void begin();
  std::size_t admit(std::uint64_t, std::size_t);
};
static_assert(pacing<pace::unpaced>);
static_assert(!pacing<without_begin>);
static_assert(!pacing<counts_only>);
static_assert(!pacing<int>);

} // namespace

TEST_CASE("without a pace all is let through at once and there is no time for it", "[pace]") {
  pace::unpaced unpaced;
  unpaced.begin();
  for (const std::size_t most : {1u, 64u, 1000u}) {
    const auto admitted = unpaced.admit(0, most);
    CHECK(admitted.count == most);
    CHECK(admitted.intended_ns == 0);
  }
  CHECK(unpaced.admit(std::uint64_t{1} << 40, 7).count == 7);
}
