/** @file
    How many blocks run: a pilot, and as many more as it says.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "scripted_place.hpp"

#include <chrono>
#include <random>
#include <set>

using namespace udpbench;
using namespace udpbench::experiment;
using namespace std::chrono_literals;

namespace {

/** A place with that noise from block to block, and a clock by which each block takes a second. */
struct noisy {
  explicit noisy(double deviation) : noise(0.0, deviation) {
    where.cost = [this](const std::string& r, std::size_t seat) {
      // One draw for each block of three seats, so that it doesn't average out within a block.
      if (seat != last) {
        last = seat;
        factor = std::exp(noise(random));
      }
      return (r == "b" ? 600 : 500) * (r == "b" ? factor : 1);
    };
  }

  record::run compare(const plan& p) {
    record::run out;
    comparison(p, where, {}, make_silent_sender, [this] {
      return measure::monotonic_clock::time_point(std::chrono::seconds(where.opened_ever / 3));
    }).run(out);
    return out;
  }

  scripted_place where;
  std::mt19937_64 random{5};
  std::normal_distribution<double> noise;
  std::size_t last = 0;
  double factor = 1;
};

plan aiming_at(double precision) {
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.precision = precision;
  p.max_time = 1h;
  return p;
}

std::size_t blocks_in(const record::run& run) { return run.results.front().rounds.size(); }

} // namespace

TEST_CASE("without a precision exactly the blocks that were asked for run", "[experiment]") {
  noisy n(0.05);
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.blocks = 8;
  const auto run = n.compare(p);
  CHECK(blocks_in(run) == 8);
  CHECK_FALSE(run.plan.precision);
  CHECK_FALSE(run.comparisons.front().precision_reached);
}

TEST_CASE("a pilot that is precise enough is the whole run", "[experiment]") {
  noisy n(0.001);
  const auto run = n.compare(aiming_at(0.01));
  CHECK(blocks_in(run) == 20);
  CHECK(run.plan.precision == 0.01);
  CHECK(run.comparisons.front().precision_reached == true);
}

TEST_CASE("a pilot that is not precise enough is followed by as many blocks as its width asks for",
          "[experiment]") {
  noisy n(0.03);
  const auto run = n.compare(aiming_at(0.01));
  CHECK(blocks_in(run) > 24);
  CHECK(blocks_in(run) % 2 == 0);
  CHECK(run.comparisons.front().blocks == blocks_in(run));
  const auto& ci = *run.comparisons.front().ci;
  CHECK(std::log(ci[1] / ci[0]) / 2 < 0.015);
}

TEST_CASE("the limit of time ends a run at the pilot's pace, and never cuts the pilot",
          "[experiment]") {
  noisy n(0.03);
  auto p = aiming_at(0.001);
  p.max_time = 30s;
  const auto run = n.compare(p);
  CHECK(blocks_in(run) <= 32);
  CHECK(blocks_in(run) > 20);
  CHECK(run.comparisons.front().precision_reached == false);
  CHECK(run.plan.max_time_ns == 30'000'000'000u);

  noisy again(0.03);
  p.max_time = 1s;
  CHECK(blocks_in(again.compare(p)) == 20);
}

TEST_CASE("the time that is left is shared by the tables that are left", "[experiment]") {
  noisy n(0.03);
  auto p = aiming_at(0.001);
  p.sizes = {64, 1024};
  p.max_time = 80s;
  const auto run = n.compare(p);
  REQUIRE(run.results.size() == 6);
  const auto first = run.results[0].rounds.size();
  const auto second = run.results[3].rounds.size();
  CHECK(first > 30);
  CHECK(first < 60);
  CHECK(second > 20);
  CHECK(first + second <= 84);
}

TEST_CASE("where no ratio may be published no more blocks follow", "[experiment]") {
  noisy n(0.05);
  n.where.spoil = [](const std::string&, sample& s) { s.cpu_share = 0.3; };
  auto p = aiming_at(0.01);
  p.loads = {{.what = load::kind::flood}};
  p.max_time = 60s;
  CHECK(n.compare(p).results.front().rounds.size() == 40);
  n.where.spoil = [](const std::string&, sample&) {};
  CHECK(n.compare(p).results.front().rounds.size() > 40);
}

TEST_CASE("neighbouring blocks that correlate are counted together", "[experiment]") {
  scripted_place where;
  std::mt19937_64 random(11);
  std::normal_distribution<double> step(0.0, 0.01);
  double level = 0;
  std::size_t last = 0;
  where.cost = [&](const std::string& r, std::size_t seat) {
    if (r == "b" && seat != last) {
      last = seat;
      level = 0.9 * level + step(random);
    }
    return r == "b" ? 600 * std::exp(level) : 500;
  };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  const auto& c = run.comparisons.front();
  CHECK(c.blocks == 20);
  CHECK(c.blocks_per_unit == 2);
  REQUIRE(c.ljung_box_p);
  CHECK(*c.ljung_box_p < 0.1);
  CHECK(c.runs_p);
}

TEST_CASE("every repetition counts: the estimate is none of a single block", "[experiment]") {
  scripted_place where;
  int block = 0;
  std::size_t last = 0;
  where.cost = [&](const std::string& r, std::size_t seat) {
    if (r == "b" && seat != last) {
      last = seat;
      ++block;
    }
    return r == "b" ? 500 * std::exp(0.001 * block) : 500;
  };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  const auto& c = run.comparisons.front();
  CHECK(std::log(*c.ratio) == Approx(0.0105).epsilon(0.01));
  CHECK(std::log(*c.hodges_lehmann) == Approx(0.0105).epsilon(0.01));
}

TEST_CASE("losses are compared block by block, in points and with an interval", "[experiment]") {
  scripted_place where;
  where.spoil = [](const std::string& r, sample& s) {
    const std::uint64_t lost = s.sent.sent / (r == "b" ? 10 : 100);
    s.arrivals.unique -= lost;
    s.kernel_dropped = lost;
  };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::flood), where);
  const auto& c = run.comparisons.front();
  CHECK(*c.loss.median == Approx(0.09));
  CHECK((*c.loss.ci)[0] == Approx(0.09));
  CHECK(c.loss.verdict == statistics::loss_verdict::more);
  CHECK((*run.results[1].summary.loss_ci)[1] == Approx(0.1));

  scripted_place held;
  const auto none = run_scripted(plan_for({"a", "b"}, load::kind::backlog), held);
  CHECK_FALSE(none.comparisons.front().loss.verdict);
}
