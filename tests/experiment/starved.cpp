/** @file
    Receivers that never sleep, under loads with a sender beside them: what they don't run was taken from them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "scripted_place.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/experiment/many_threads.hpp>
#include <udpbench/experiment/receiving_thread.hpp>
#include <udpbench/idle/busy_poll.hpp>
#include <udpbench/idle/hybrid.hpp>
#include <udpbench/idle/spin.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>

#include "loopback.hpp"

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

using sink = measure::null_sink;
template <class Idle>
using sync_by = sync_server<sink, take::one, Idle>;
template <class Loop>
using async_by = async_server<sink, take::one, memory::recycling, chain::single, Loop>;

static_assert(spins<sync_by<idle::spin<>>> && spins<async_by<event_loop::spin>>);
static_assert(spins<raw_server<sink, take::batch<>, idle::spin<8>>>);
static_assert(!spins<sync_by<idle::block>> && !spins<sync_by<idle::hybrid<>>> &&
              !spins<sync_by<idle::busy_poll<>>>);
static_assert(!spins<async_by<event_loop::one_thread>> && !spins<async_by<event_loop::safe>> &&
              !spins<async_by<event_loop::unsafe>>);

constexpr auto why = "the thread was kept from its cpu";

/** A place whose `spinner` never sleeps, and has that much of its cpu in the first `poor` rounds of it; `other` sleeps for most of the time. */
struct machine_with_others {
  double share = 0.95;
  int poor = 1;
  double cpus = 1;             ///< Of each receiver.
  std::optional<double> least; ///< Of its threads, in those rounds.
  int rounds = 0;
  scripted_place where;

  machine_with_others() {
    where.spoil = [this](const std::string& r, sample& s) {
      s.never_sleeps = r == "spinner";
      s.cpus = cpus;
      s.cpu_share = r == "spinner" ? (++rounds <= poor ? share : cpus) : 0.3;
      if (r == "spinner" && least) s.least_share = rounds <= poor ? *least : 1;
    };
  }
};

} // namespace

TEST_CASE(
    "a block in which a thread that never sleeps was kept from its cpu is repeated, under any "
    "load",
    "[experiment]") {
  for (const auto kind : {load::kind::flood, load::kind::pause, load::kind::window}) {
    machine_with_others m;
    auto p = plan_for({"other", "spinner"}, kind);
    p.loads.front() = {.what = kind, .sends = 10, .in_flight = 4};
    p.send = send_mode::single;
    p.blocks = 6;
    const auto run = run_scripted(p, m.where);
    for (const auto& result : run.results) {
      REQUIRE(result.rounds.size() == 14);
      for (const auto& r : result.rounds) CHECK(r.valid == (r.block != 0));
    }
    CHECK(run.results[1].rounds[0].reason == why);
    CHECK(run.results[0].rounds[0].reason ==
          std::string("another round of its block is invalid: ") + why);
    CHECK(run.comparisons.front().blocks == 6);
  }
}

TEST_CASE("such blocks are repeated at most as often as there are blocks", "[experiment]") {
  machine_with_others m;
  m.poor = 1000;
  auto p = plan_for({"other", "spinner"}, load::kind::flood);
  p.blocks = 6;
  const auto run = run_scripted(p, m.where);
  CHECK(run.results[1].rounds.size() == 24);
  for (const auto& r : run.results[1].rounds) CHECK_FALSE(r.valid);
  CHECK(run.comparisons.front().reason == "no valid block");
}

TEST_CASE("a thread that may sleep isn't starved by waiting, and no thread by a shared cpu",
          "[experiment]") {
  machine_with_others m;
  m.poor = 1000;
  m.share = 0.3;
  auto p = plan_for({"other", "spinner"}, load::kind::flood);
  p.blocks = 6;
  p.shared_cpu = true;
  const auto shared = run_scripted(p, m.where);
  for (const auto& r : shared.results[1].rounds) CHECK(r.valid);
  CHECK(shared.results[1].rounds.size() == 12);

  scripted_place where;
  where.spoil = [](const std::string&, sample& s) { s.cpu_share = 0.1; };
  p.shared_cpu = false;
  const auto idle = run_scripted(p, where);
  for (const auto& r : idle.results[1].rounds) CHECK(r.valid);
}

TEST_CASE("of several threads that never sleep all together had their cpus", "[experiment]") {
  for (const double share : {1.9, 1.95}) {
    machine_with_others m;
    m.share = share;
    m.cpus = 2;
    auto p = plan_for({"other", "spinner"}, load::kind::flood);
    p.blocks = 6;
    const auto run = run_scripted(p, m.where);
    CHECK(run.results[1].rounds[0].valid == (share > 1.92));
    CHECK(run.results[1].rounds.size() == (share > 1.92 ? 12u : 14u));
  }
}

TEST_CASE("one thread of several that was kept from its cpu doesn't hide among the others",
          "[experiment]") {
  for (const double least : {0.7, 0.96}) {
    machine_with_others m;
    m.share = 7 + least;
    m.cpus = 8;
    m.least = least;
    auto p = plan_for({"other", "spinner"}, load::kind::flood);
    p.blocks = 6;
    const auto run = run_scripted(p, m.where);
    INFO("of eight, one ran for " << least);
    CHECK(m.share / m.cpus > starved_share);
    CHECK(run.results[1].rounds[0].valid == (least == 0.96));
    CHECK(run.results[1].rounds.size() == (least == 0.96 ? 12u : 14u));
    if (least != 0.96)
      CHECK(run.results[1].rounds[0].reason == "one of the threads was kept from its cpu");
  }
}

TEST_CASE("the thread that ran the least is found among those that never sleep", "[experiment]") {
  using namespace std::chrono_literals;
  const auto share = [](const seat_plan& plan, std::size_t threads,
                        std::vector<std::chrono::nanoseconds> ran) {
    return least_share(plan, threads, std::move(ran), 100ms);
  };
  seat_plan on_three;
  on_three.cpus = {0, 1, 2};
  CHECK(share(on_three, 3, {99ms, 70ms, 100ms}) == Approx(0.7));
  // Two more that wait for something are none of them.
  CHECK(share(on_three, 3, {0ms, 99ms, 70ms, 1ms, 100ms}) == Approx(0.7));
  CHECK(share(on_three, 3, {99ms, 100ms, 0ms}) == 0.0);
  CHECK_FALSE(share(on_three, 3, {99ms, 100ms})); // one of them can't be told
  CHECK_FALSE(share(on_three, 1, {70ms}));        // its sum is itself
  // Four threads on three cpus: one of them always waits for another.
  CHECK_FALSE(share(on_three, 4, {75ms, 75ms, 75ms, 75ms}));
  seat_plan on_one;
  on_one.cpu = 1;
  CHECK_FALSE(share(on_one, 2, {50ms, 50ms}));
  CHECK_FALSE(least_share(on_three, 2, {1ms, 1ms}, 0ms));
}

TEST_CASE("a thread that had 96 % of its cpu had enough of it", "[experiment]") {
  for (const double share : {0.96, 0.9599}) {
    record::round r;
    CHECK(refuse_starved(r, share) == (share < 0.96));
    CHECK(r.valid == (share >= 0.96));
    record::round of_several;
    CHECK(refuse_starved(of_several, 0.99, share) == (share < 0.96));
  }
  record::round invalid;
  invalid.valid = false;
  invalid.reason = "another";
  CHECK_FALSE(refuse_starved(invalid, 0.1));
  CHECK(invalid.reason == "another");
}

TEST_CASE("a round tells whether its receiver never sleeps", "[experiment]") {
  const auto told = [](auto make) {
    measure::ledger ledger;
    any_receiver receiver = make(ledger);
    sync_client<> client;
    client.open(receiver.open(support::v4()));
    const schedule s{.run = 1, .round = 1, .size = 64};
    receiving_thread thread(receiver, ledger, s, {.size = s.size}, {});
    return thread.end(client.send(s, 200)).never_sleeps;
  };
  using books = measure::ledger;
  CHECK(told(
      [](books& l) { return any_receiver::make<sync_server<books, take::one, idle::spin<>>>(l); }));
  CHECK_FALSE(told([](books& l) { return any_receiver::make<sync_server<books>>(l); }));
}
