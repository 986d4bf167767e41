#include "catch.hpp"
#include "scripted_place.hpp"

#include <algorithm>
#include <map>

using namespace udpbench;
using namespace udpbench::experiment;
using statistics::verdict;

TEST_CASE("a planted cost of 40 percent is found, and the control is clean", "[experiment]") {
  scripted_place where;
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1.0, 0.01);
  where.cost = [&](const std::string& r, std::size_t) {
    return (r == "dear" ? 700 : 500) * noise(random);
  };
  const auto run = run_scripted(plan_for({"cheap", "dear"}, load::kind::backlog), where);

  REQUIRE(run.comparisons.size() == 1);
  const auto& c = run.comparisons.front();
  CHECK(c.receiver == "dear");
  CHECK(c.baseline == "cheap");
  CHECK(c.metric == "ns_per_datagram");
  CHECK(*c.ratio == Approx(1.4).epsilon(0.01));
  CHECK((*c.ci)[0] > 1.38);
  CHECK((*c.ci)[1] < 1.42);
  CHECK(c.verdict == verdict::slower);
  CHECK(c.blocks == 20);
  CHECK_FALSE(c.control.suspect);
  CHECK(c.control.verdict == verdict::equivalent);
}

TEST_CASE("A against A is called equivalent, not slower or faster", "[experiment]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    scripted_place where;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1.0, 0.02);
    where.cost = [&](const std::string&, std::size_t) { return 500 * noise(random); };
    const auto run = run_scripted(plan_for({"one", "other"}, load::kind::backlog), where);
    INFO(seed);
    CHECK(run.comparisons.front().verdict == verdict::equivalent);
  }
}

TEST_CASE("a slow drift of the machine doesn't favour whoever is named first", "[experiment]") {
  scripted_place where;
  double speed = 500;
  where.cost = [&](const std::string&, std::size_t) { return speed *= 1.0005; };
  const auto run = run_scripted(plan_for({"first", "last"}, load::kind::backlog), where);
  CHECK(*run.comparisons.front().ratio == Approx(1).epsilon(0.002));
}

TEST_CASE("each contestant, the control too, has as many turns as any other", "[experiment]") {
  scripted_place where;
  auto p = plan_for({"a", "b", "c"}, load::kind::backlog);
  p.blocks = 2;
  run_scripted(p, where);
  std::map<std::string, int> turns;
  for (const auto& name : where.turns) ++turns[name];
  CHECK(turns["a"] == 48);
  CHECK(turns["b"] == 24);
  CHECK(turns["c"] == 24);
}

TEST_CASE("every block has fresh sockets, and none stays open", "[experiment]") {
  scripted_place where;
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.blocks = 4;
  run_scripted(p, where);
  // And one before, to see what receive buffer is granted.
  CHECK(where.opened_ever == 12 + 1);
  CHECK(where.open_now == 0);

  scripted_place rounds;
  auto q = plan_for({"a", "b"}, load::kind::flood);
  q.blocks = 4;
  run_scripted(q, rounds);
  CHECK(rounds.opened_ever == 24 + 1);
  CHECK(rounds.open_now == 0);
}

TEST_CASE("a faster rate is called faster: the direction of a rate is not that of a time",
          "[experiment]") {
  scripted_place where;
  where.cost = [](const std::string& r, std::size_t) { return r == "quick" ? 400 : 500; };
  const auto run = run_scripted(plan_for({"base", "quick"}, load::kind::flood), where);
  const auto& c = run.comparisons.front();
  CHECK(c.metric == "received_per_second");
  CHECK(*c.ratio == Approx(1.25));
  CHECK(c.verdict == verdict::faster);
  CHECK(c.limited_by == record::limit::receiver);
}

TEST_CASE("no ratio of rates is published where the sender was the limit, and the reason says so",
          "[experiment]") {
  scripted_place where;
  where.spoil = [](const std::string& r, sample& s) { s.cpu_share = r == "lazy" ? 0.3 : 1; };
  const auto run = run_scripted(plan_for({"base", "lazy"}, load::kind::flood), where);
  const auto& c = run.comparisons.front();
  CHECK_FALSE(c.ratio);
  CHECK_FALSE(c.ci);
  CHECK_FALSE(c.verdict);
  CHECK(c.limited_by == record::limit::sender);
  CHECK(c.reason == "the sender was the limit: compare CPU ns per datagram");
}

TEST_CASE("an invalid round takes its whole block out of the comparison and stays visible",
          "[experiment]") {
  scripted_place where;
  int turn = 0;
  where.spoil = [&](const std::string& r, sample& s) {
    if (r == "b" && ++turn == 1) --s.arrivals.unique;
  };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  CHECK(run.comparisons.front().blocks == 19);
  for (const auto& r : run.results) {
    REQUIRE(r.rounds.size() == 20);
    CHECK_FALSE(r.rounds.front().valid);
    CHECK(std::count_if(r.rounds.begin(), r.rounds.end(), [](auto& x) { return !x.valid; }) == 1);
  }
  CHECK(run.results[1].rounds.front().reason == "1 datagrams are unexplained");
  CHECK(run.results[0].rounds.front().reason ==
        "another round of its block is invalid: 1 datagrams are unexplained");
}

TEST_CASE("a block in which the thread was kept from its cpu is kept as invalid and repeated",
          "[experiment]") {
  scripted_place where;
  int turn = 0;
  where.spoil = [&](const std::string&, sample& s) { s.cpu_share = ++turn <= 36 ? 0.9 : 1; };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  CHECK(run.results[0].rounds.size() == 21);
  CHECK(run.comparisons.front().blocks == 20);
}

TEST_CASE("blocks are repeated at most as often as there are blocks", "[experiment]") {
  scripted_place where;
  where.spoil = [](const std::string&, sample& s) { s.cpu_share = 0.5; };
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.blocks = 6;
  const auto run = run_scripted(p, where);
  CHECK(run.results[0].rounds.size() == 12);
  CHECK(run.comparisons.front().blocks == 0);
  CHECK(run.comparisons.front().reason == "no valid block");
}

TEST_CASE("a receiver that fails ends its own rounds, by name, and nothing else", "[experiment]") {
  scripted_place where;
  where.throws_on_open = "broken";
  const auto run = run_scripted(plan_for({"a", "broken", "c"}, load::kind::backlog), where);
  REQUIRE(run.warnings.size() == 1);
  CHECK(run.warnings.front() == "broken under backlog failed: no memory for it.");
  CHECK(run.results[1].rounds.empty());
  CHECK(run.comparisons[0].reason == "no valid block");
  CHECK(run.comparisons[1].blocks == 20);
  CHECK(run.complete);
  CHECK(where.open_now == 0);
}

TEST_CASE("an interrupted run keeps the blocks that were whole and is marked incomplete",
          "[experiment]") {
  scripted_place where;
  std::atomic<bool> interrupted{false};
  int turn = 0;
  where.spoil = [&](const std::string&, sample&) {
    if (++turn == 3 * 12 * 7 + 5) interrupted = true;
  };
  watcher watch;
  watch.interrupted = &interrupted;
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where, watch);
  CHECK_FALSE(run.complete);
  CHECK(run.results[0].rounds.size() == 7);
  CHECK(run.comparisons.front().blocks == 7);
  CHECK(where.open_now == 0);
}

TEST_CASE("a queue deeper than half of what the receive buffer holds is refused with both numbers",
          "[experiment]") {
  scripted_place where;
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.loads = {{.what = load::kind::backlog, .depth = 47}};
  CHECK_THROWS_WITH(run_scripted(p, where), Catch::Contains("backlog:47") &&
                                                Catch::Contains("holds 92") &&
                                                Catch::Contains("46"));
  p.loads = {{.what = load::kind::backlog, .depth = 46}};
  CHECK(run_scripted(p, where).results.front().depth == 46u);
  p.loads = {{.what = load::kind::backlog}};
  CHECK(run_scripted(p, where).results.front().depth == 46u);
  where.holds = 1000;
  CHECK(run_scripted(p, where).results.front().depth == 64u);
  where.holds = 1;
  CHECK(run_scripted(p, where).results.front().depth == 1u);
}

TEST_CASE("a rare cost shows in the ratio of sums, not in the ratio of medians", "[experiment]") {
  scripted_place where;
  int n = 0;
  where.cost = [&](const std::string& r, std::size_t) {
    return r == "spiky" && ++n % 40 == 0 ? 50'000.0 : 500.0;
  };
  const auto run = run_scripted(plan_for({"base", "spiky"}, load::kind::backlog), where);
  CHECK(*run.comparisons.front().ratio == Approx(1));
  CHECK(*run.comparisons.front().ratio_of_sums > 2);
}

TEST_CASE("below six blocks there is a ratio and no interval", "[experiment]") {
  scripted_place where;
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.blocks = 5;
  const auto run = run_scripted(p, where);
  CHECK(run.comparisons.front().ratio);
  CHECK_FALSE(run.comparisons.front().ci);
}

TEST_CASE("one receiver alone is measured beside its control, with nothing to compare",
          "[experiment]") {
  scripted_place where;
  const auto run = run_scripted(plan_for({"a"}, load::kind::backlog), where);
  CHECK(run.comparisons.empty());
  REQUIRE(run.results.size() == 2);
  CHECK(run.results[1].control);
}

TEST_CASE("the product of loads and sizes is run, each with results of its own", "[experiment]") {
  scripted_place where;
  auto p = plan_for({"a", "b"}, load::kind::backlog);
  p.loads = {{.what = load::kind::backlog}, {.what = load::kind::flood}};
  p.sizes = {16, 1024};
  p.blocks = 2;
  const auto run = run_scripted(p, where);
  CHECK(run.results.size() == 2 * 2 * 3);
  CHECK(run.comparisons.size() == 4);
  for (const auto& r : run.results) CHECK(r.sequenced == (r.size >= 32));
}

TEST_CASE("a minority of sender-limited rounds, of the control too, is enough to publish no ratio",
          "[experiment]") {
  for (const bool in_control : {false, true}) {
    scripted_place where;
    int ends = 0;
    where.spoil = [&](const std::string& r, sample& s) {
      if (r == (in_control ? "base" : "other") && ++ends % 8 == 0) s.cpu_share = 0.3;
    };
    const auto run = run_scripted(plan_for({"base", "other"}, load::kind::flood), where);
    CHECK_FALSE(run.comparisons.front().ratio);
    CHECK(run.comparisons.front().limited_by == record::limit::sender);
  }
}

TEST_CASE("a receiver that fails in mid-block counts only the blocks that it finished",
          "[experiment]") {
  scripted_place where;
  int turns = 0;
  where.spoil = [&](const std::string& r, sample&) {
    if (r == "b" && ++turns == 5 * 12 + 7) throw std::runtime_error("planted");
  };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  CHECK(run.results[1].rounds.size() == 5);
  CHECK(run.results[1].failure == "planted");
  CHECK(run.comparisons.front().blocks == 5);
  CHECK_FALSE(run.comparisons.front().ci);
}

TEST_CASE("a receiver that fails between the two rounds of a block has no figure in it",
          "[experiment]") {
  scripted_place where;
  int ends = 0;
  where.spoil = [&](const std::string& r, sample&) {
    if (r == "b" && ++ends == 5 * 2 + 2) throw std::runtime_error("planted");
  };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::flood), where);
  CHECK(run.results[1].rounds.size() == 11);
  CHECK(run.comparisons.front().blocks == 5);
}

TEST_CASE("the depth of the backlog stands in the plan and in the result", "[experiment]") {
  scripted_place where;
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::backlog), where);
  CHECK(run.plan.depth == 46u);
  CHECK(run.plan.capacity == 92u);
  CHECK(run.results.front().depth == 46u);
}

TEST_CASE("a round shorter than 1000 times the clock's resolution is refused, under any load",
          "[experiment]") {
  for (const auto kind : {load::kind::flood, load::kind::backlog}) {
    scripted_place where;
    // A backlog slice of 46 then takes 1 ns, which no clock here tells from twice that.
    where.cost = [kind](const std::string&, std::size_t) {
      return kind == load::kind::backlog ? 0.022 : 0.0001;
    };
    auto p = plan_for({"a", "b"}, kind);
    p.blocks = 1;
    p.count = 2000;
    const auto run = run_scripted(p, where);
    CHECK_FALSE(run.results[0].rounds.front().valid);
    if (kind == load::kind::backlog)
      CHECK(run.results[0].rounds.front().reason.find("1000 times") != std::string::npos);
  }
}
