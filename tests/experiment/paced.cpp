// Loads whose sender has a schedule or a window, by a script.
#include "catch.hpp"
#include "scripted_place.hpp"

#include <udpbench/experiment/limited_by.hpp>

using namespace udpbench;
using namespace udpbench::experiment;
using statistics::verdict;

namespace {

/** A sender that kept its schedule of 200 k/s. */
pacing_report punctual() {
  pacing_report r;
  r.schedule = pace::punctuality{.period_ns = 5000,
                                 .mean_gap_ns = 5001,
                                 .lag = {20, 900, 40'000},
                                 .gap = {4999, 6000, 41'000}};
  return r;
}

pacing_report behind() {
  pacing_report r = punctual();
  r.schedule->mean_gap_ns = 5100;
  return r;
}

sender_maker telling(const pacing_report& r) {
  return [r](send_mode, const load&) { return std::make_unique<telling_sender>(r); };
}

plan plan_at(std::uint64_t per_second) {
  auto p = plan_for({"base", "other"}, load::kind::rate);
  p.loads.front().per_second = per_second;
  p.send = send_mode::single;
  p.blocks = 8;
  return p;
}

plan plan_in_window(std::uint64_t in_flight) {
  auto p = plan_for({"base", "other"}, load::kind::window);
  p.loads.front().in_flight = in_flight;
  p.send = send_mode::single;
  p.blocks = 8;
  return p;
}

} // namespace

TEST_CASE("where the rate is chosen, receivers are compared by CPU time per datagram",
          "[experiment]") {
  scripted_place where;
  where.cost = [](const std::string&, std::size_t) { return 5000; };
  where.spoil = [](const std::string& r, sample& s) {
    s.cpu = std::chrono::nanoseconds(s.during * (r == "other" ? 1300 : 1000));
    s.cpu_share = 0.2;
  };
  const auto run = run_scripted(plan_at(200'000), where, {}, telling(punctual()));
  const auto& c = run.comparisons.front();
  CHECK(c.metric == "cpu_ns_per_datagram");
  CHECK(*c.ratio == Approx(1.3));
  CHECK(*c.ratio_of_sums == Approx(1.3));
  CHECK(c.verdict == verdict::slower);
  CHECK_FALSE(c.limited_by);
  CHECK(run.results[1].summary.cpu_ns_per_datagram == Approx(1300));
}

TEST_CASE("a round by a schedule tells how the schedule was kept, and who paced it",
          "[experiment]") {
  scripted_place where;
  const auto run = run_scripted(plan_at(200'000), where, {}, telling(punctual()));
  const auto& result = run.results.front();
  CHECK(result.load == "rate:200k");
  CHECK(result.pacer == "rate");
  const auto& pacing = result.rounds.front().pacing.value();
  CHECK(pacing.period_ns == 5000);
  CHECK(pacing.mean_gap_ns == 5001);
  CHECK(pacing.lag_p50_ns == 20u);
  CHECK(pacing.lag_p99_ns == 900u);
  CHECK(pacing.lag_max_ns == 40'000u);
  CHECK(pacing.gap_p50_ns == 4999u);
  CHECK(pacing.gap_p99_ns == 6000u);
  CHECK(pacing.gap_max_ns == 41'000u);
  CHECK_FALSE(pacing.waited_share);

  scripted_place other;
  const auto flood = run_scripted(plan_for({"a", "b"}, load::kind::flood), other);
  CHECK(flood.results.front().pacer == "unpaced");
  CHECK_FALSE(flood.results.front().rounds.front().pacing);
}

TEST_CASE("a result's histograms are those of its valid rounds together", "[experiment]") {
  scripted_place where;
  int round = 0;
  where.spoil = [&](const std::string& r, sample& s) {
    if (r != "other") return;
    s.per_receive_call = measure::buckets{{1, 5}, {64, 1}};
    // The first block has two rounds of it.
    if (++round == 1) s.trouble = "planted";
  };
  pacing_report told = punctual();
  told.lag = measure::buckets{{20, 3}, {40'000, 1}};
  told.gaps = measure::buckets{{4999, 3}};
  auto p = plan_at(200'000);
  p.blocks = 3;
  const auto run = run_scripted(p, where, {}, telling(told));
  for (const auto& result : run.results) {
    CHECK(result.histograms.lag_ns == measure::buckets{{20, 12}, {40'000, 4}});
    CHECK(result.histograms.gap_ns == measure::buckets{{4999, 12}});
    CHECK_FALSE(result.histograms.datagrams_per_wakeup);
  }
  CHECK(run.results[1].histograms.datagrams_per_receive_call == measure::buckets{{1, 20}, {64, 4}});
  CHECK_FALSE(run.results[0].histograms.datagrams_per_receive_call);

  scripted_place other;
  const auto flood = run_scripted(plan_for({"a", "b"}, load::kind::flood), other);
  CHECK_FALSE(flood.results.front().histograms.lag_ns);
}

TEST_CASE("nothing is the limit where a schedule was kept; the sender is where it fell behind",
          "[experiment]") {
  sample s;
  s.sent.sent = 10'000;
  s.kernel_dropped = 0;
  s.cpu_share = 0.95;
  CHECK_FALSE(limited_by(s, punctual(), false));
  CHECK(limited_by(s, behind(), false) == record::limit::sender);
  CHECK(limited_by(s, punctual(), true) == record::limit::shared_cpu);
  s.kernel_dropped = 11;
  CHECK(limited_by(s, punctual(), false) == record::limit::receiver);
  CHECK(limited_by(s, behind(), false) == record::limit::sender);

  for (const bool late : {false, true}) {
    scripted_place where;
    const auto run =
        run_scripted(plan_at(200'000), where, {}, telling(late ? behind() : punctual()));
    CHECK(run.results.front().summary.limited_by ==
          (late ? std::optional(record::limit::sender) : std::nullopt));
    // CPU time compares all the same.
    CHECK(run.comparisons.front().ratio);
  }
}

TEST_CASE("a few late rounds don't make the sender the limit of most", "[experiment]") {
  std::vector<record::round> rounds(10);
  rounds[3].limited_by = record::limit::sender;
  CHECK_FALSE(usual_limit(rounds));
  for (auto& r : rounds) r.limited_by = record::limit::sender;
  CHECK(usual_limit(rounds) == record::limit::sender);
}

TEST_CASE("a slow schedule has few datagrams a round and is received in small chunks",
          "[experiment]") {
  scripted_place where;
  const auto run = run_scripted(plan_at(1), where, {}, telling(punctual()));
  CHECK(run.results.front().rounds.front().intended == 8);
  CHECK(where.chunks.front() == 1);
  scripted_place fast;
  const auto quick = run_scripted(plan_at(200'000), fast, {}, telling(punctual()));
  CHECK(quick.results.front().rounds.front().intended == 50'000);
  CHECK(fast.chunks.front() == 64);
}

TEST_CASE("under a window the receiver is the limit where the sender waits for it",
          "[experiment]") {
  for (const double waited : {0.1, 0.9}) {
    scripted_place where;
    where.spoil = [](const std::string& r, sample& s) {
      s.cpu_share = 0.4;
      if (r == "other") s.elapsed /= 2;
    };
    pacing_report r;
    r.waited_share = waited;
    const auto run = run_scripted(plan_in_window(16), where, {}, telling(r));
    const auto& c = run.comparisons.front();
    CHECK(c.metric == "received_per_second");
    CHECK(c.limited_by == (waited > 0.5 ? record::limit::receiver : record::limit::sender));
    CHECK(c.ratio.has_value() == (waited > 0.5));
    if (c.ratio) CHECK(*c.ratio == Approx(2));
    CHECK(run.results.front().rounds.front().pacing.value().waited_share == waited);
    CHECK(where.chunks.front() == 8);
  }
}

TEST_CASE("a window that stayed full is the round's trouble, by name", "[experiment]") {
  scripted_place where;
  where.spoil = [](const std::string&, sample& s) {
    s.arrivals.unique -= 16;
    s.kernel_dropped = 16;
  };
  pacing_report r;
  r.waited_share = 1;
  r.gave_up = true;
  auto p = plan_in_window(16);
  p.blocks = 1;
  p.count = 1000;
  const auto run = run_scripted(p, where, {}, telling(r));
  const auto& round = run.results.front().rounds.front();
  CHECK_FALSE(round.valid);
  CHECK(round.reason == "the window stayed full for 2 s: of 1000 datagrams 16 never arrived");
}

TEST_CASE(
    "a window wider than three quarters of what the receive buffer holds is refused, with both",
    "[experiment]") {
  scripted_place where;
  CHECK_THROWS_WITH(run_scripted(plan_in_window(70), where), Catch::Contains("window:70") &&
                                                                 Catch::Contains("holds 92") &&
                                                                 Catch::Contains("69"));
  CHECK(run_scripted(plan_in_window(69), where).results.front().capacity == 92u);
  where.holds = 1;
  CHECK(run_scripted(plan_in_window(1), where).results.front().load == "window:1");
}
