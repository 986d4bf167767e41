/** @file
    Intervals in which the clock didn't move.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../experiment/scripted_place.hpp"
#include "../support/catch.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace experiment = udpbench::experiment;

TEST_CASE("no rate and no NaN come from an interval that the clock didn't see", "[ledger]") {
  const auto kind = GENERATE(experiment::load::kind::flood, experiment::load::kind::backlog);
  experiment::scripted_place where;
  where.cost = [](const std::string&, std::size_t) { return 0.0; };
  auto plan = experiment::plan_for({"a", "b"}, kind);
  plan.blocks = 6;
  const auto run = experiment::run_scripted(plan, where);
  const auto absent_or_finite = [](const std::optional<double>& x) {
    return !x || std::isfinite(*x);
  };
  for (const auto& result : run.results) {
    CHECK_FALSE(result.summary.received_per_second);
    CHECK_FALSE(result.summary.ns_per_datagram);
    for (const auto& r : result.rounds) {
      CHECK_FALSE(r.valid);
      CHECK_FALSE(r.reason.empty());
      CHECK_FALSE(r.received_per_second);
      CHECK_FALSE(r.ns_per_datagram);
    }
  }
  for (const auto& c : run.comparisons) {
    CHECK_FALSE(c.ratio);
    CHECK(absent_or_finite(c.ratio_of_sums));
    CHECK_FALSE(c.reason.empty());
  }
}
