/** @file
    About how long a comparison takes.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/experiment/expected_time.hpp>

#include "catch.hpp"

using namespace udpbench::experiment;
using namespace std::chrono_literals;

namespace {

plan plan_of(load l) {
  plan p;
  p.receivers = {"a", "b"};
  p.loads = {l};
  return p;
}

double seconds(const plan& p) { return std::chrono::duration<double>(expected_time(p)).count(); }

} // namespace

TEST_CASE("the time expected grows with receivers, loads, sizes and blocks alike", "[experiment]") {
  const plan one = plan_of({.what = load_kind::flood});
  plan more = one;
  more.receivers = {"a", "b", "c", "d", "e"}; // And the control: 6 for 3.
  CHECK(seconds(more) == Approx(2 * seconds(one)));
  more = one;
  more.sizes = {64, 512, 1024};
  CHECK(seconds(more) == Approx(3 * seconds(one)));
  more = one;
  more.blocks *= 2;
  CHECK(seconds(more) == Approx(2 * seconds(one)));
  more = one;
  more.loads.push_back({.what = load_kind::flood});
  CHECK(seconds(more) == Approx(2 * seconds(one)));
}

TEST_CASE("a schedule and a rest decide how long their rounds take", "[experiment]") {
  // 3 contestants, 20 blocks of two rounds, each of a second.
  CHECK(seconds(plan_of({.what = load_kind::rate, .per_second = 1000})) ==
        Approx(120).epsilon(0.1));
  // 50,000 datagrams with a rest of 1 ms after each 500: 100 ms, and 4 us for each.
  CHECK(seconds(plan_of({.what = load_kind::pause, .sends = 500, .rest = 1ms})) ==
        Approx(120 * 0.32).epsilon(0.1));
}
