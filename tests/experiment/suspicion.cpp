/** @file
    What makes a run suspect, and what does not.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "scripted_place.hpp"

#include <algorithm>
#include <string>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

bool suspected(const record::run& run, const std::string& reason) {
  return std::any_of(run.suspect.begin(), run.suspect.end(), [&](const record::suspicion& s) {
    return s.reason.find(reason) != std::string::npos;
  });
}

/** A scripted run whose first `bad` blocks are invalid by a ledger that doesn't balance. */
record::run with_invalid_blocks(int bad) {
  scripted_place where;
  auto p = plan_for({"a", "b"}, load::kind::flood);
  int round = 0;
  where.spoil = [&](const std::string& r, sample& s) {
    if (r == "b" && round++ < 2 * bad) --s.arrivals.unique;
  };
  return run_scripted(p, where);
}

} // namespace

TEST_CASE("a quiet run is not suspect", "[experiment]") {
  scripted_place where;
  CHECK(run_scripted(plan_for({"a", "b"}, load::kind::backlog), where).suspect.empty());
}

TEST_CASE("one invalid block in twenty is no suspicion and a second one is", "[experiment]") {
  CHECK(with_invalid_blocks(1).suspect.empty());
  const auto run = with_invalid_blocks(2);
  REQUIRE(run.suspect.size() == 1);
  CHECK(run.suspect.front().load == "flood");
  CHECK(run.suspect.front().size == 1024);
  CHECK(run.suspect.front().reason == "more than 5 % of the blocks are invalid");
}

TEST_CASE("a control that differs from its baseline makes its table suspect, once",
          "[experiment]") {
  scripted_place where;
  // The control has the last seat of each block; the first seat of all only asks for the buffer.
  where.cost = [](const std::string&, std::size_t seat) {
    return seat > 0 && (seat - 1) % 4 == 3 ? 530.0 : 500.0;
  };
  const auto run = run_scripted(plan_for({"a", "b", "c"}, load::kind::backlog), where);
  REQUIRE(run.suspect.size() == 1);
  CHECK(run.suspect.front().reason == "the control differs from the baseline, though both are a");
}

TEST_CASE("a ratio that is another in the second half of the run makes its table suspect",
          "[experiment]") {
  scripted_place where;
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1.0, 0.002);
  const auto cost = [&](double late) {
    return [&, late](const std::string& r, std::size_t seat) {
      return (r == "b" && seat > 30 ? late : 500.0) * noise(random);
    };
  };
  where.cost = cost(550.0);
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  CHECK(suspected(run, "the ratio of b to a drifted: it was 10 % higher in the second half"));

  scripted_place steady;
  steady.cost = cost(500.0);
  CHECK(run_scripted(plan_for({"a", "b"}, load::kind::backlog), steady).suspect.empty());
}

TEST_CASE("a machine that slows down for all alike makes no ratio suspect", "[experiment]") {
  scripted_place where;
  where.cost = [](const std::string&, std::size_t seat) { return seat > 30 ? 700.0 : 500.0; };
  CHECK(run_scripted(plan_for({"a", "b"}, load::kind::backlog), where).suspect.empty());
}
