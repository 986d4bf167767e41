/** @file
    Who held the rate of a round: the rule, and planted bottlenecks.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "run_here.hpp"
#include "scripted_place.hpp"

#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/limited_by.hpp>
#include <udpbench/idle/spin.hpp>
#include <udpbench/measure/spin.hpp>
#include <udpbench/sync_server.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace udpbench;
using namespace udpbench::experiment;
using namespace std::chrono_literals;
using record::limit;

namespace {

/** A round of 10,000 datagrams at 1 µs: `taken` is received per second over sent per second, and what that lacks was dropped. */
sample round_of(double taken, double cpu_share, bool never_sleeps = false) {
  sample s;
  s.sent.intended = s.sent.sent = 10'000;
  s.sending = 10ms;
  s.timed = s.during = static_cast<std::uint64_t>(10'000 * taken);
  s.elapsed = 10ms;
  s.arrivals.unique = s.timed;
  s.kernel_dropped = 10'000 - s.timed;
  s.cpu = std::chrono::nanoseconds(static_cast<std::int64_t>(1e7 * cpu_share));
  s.cpu_share = cpu_share;
  s.never_sleeps = never_sleeps;
  return s;
}

record::without_work bare(double part) { return {.offered_per_second = 1e6, .part_taken = part}; }

/** The same, but nothing was dropped: what is missing was still queued when the sender had ended. */
sample late(sample s) {
  s.kernel_dropped = 0;
  s.arrivals.unique = s.sent.sent;
  return s;
}

bool open_loop_needs(const sample& s) { return needs_reference(s, {}, false); }

} // namespace

TEST_CASE("where neither end is busy and datagrams are missing, the network was the limit",
          "[experiment]") {
  auto s = round_of(0.95, 0.3);
  s.kernel_dropped = 0;
  CHECK(limited_between(s, {}, 1.0) == limit::network);
  SECTION("a schedule doesn't change that") {
    pacing_report paced;
    paced.schedule.emplace();
    CHECK(limited_between(s, paced, 0.1) == limit::network);
  }
  SECTION("what the receiver's socket dropped isn't known") {
    s.kernel_dropped.reset();
    CHECK_FALSE(limited_between(s, {}, 1.0));
  }
  SECTION("those that the receiver's buffer had no room for are not the network's") {
    s.kernel_dropped = 500;
    CHECK_FALSE(limited_between(s, {}, 1.0));
  }
  SECTION("a receiver that runs all the time may be the limit itself") {
    s.cpu_share = 0.95;
    CHECK_FALSE(limited_between(s, {}, 1.0));
  }
  SECTION("a few that are missing are no limit") {
    s.arrivals.unique = s.sent.sent - 10;
    CHECK_FALSE(limited_between(s, {}, 1.0));
    s.arrivals.unique = s.sent.sent - 11;
    CHECK(limited_between(s, {}, 1.0) == limit::network);
  }
}

TEST_CASE("a sender that waits, while nothing waits for the receiver, waits for the network",
          "[experiment]") {
  const auto s = late(round_of(1, 0.3));
  CHECK(limited_between(s, {}, 0.89) == limit::network);
  CHECK_FALSE(limited_between(s, {}, 0.9));
  pacing_report waits;
  SECTION("one that has a schedule waits for that") { waits.schedule.emplace(); }
  SECTION("one that has a window waits for the receiver") { waits.waited_share = 0.8; }
  SECTION("one that rests does so by itself") { waits.rests = true; }
  if (waits.schedule || waits.waited_share || waits.rests)
    CHECK_FALSE(limited_between(s, waits, 0.1));
}

TEST_CASE("a receiver that keeps up and waits shows that the sender was the limit",
          "[experiment]") {
  const auto s = round_of(1, 0.6);
  CHECK_FALSE(open_loop_needs(s));
  CHECK(limited_by(s, false) == limit::sender);
  // Also if a bare one took more, as in another spell of the machine.
  CHECK(limited_by(s, false, bare(2)) == limit::sender);
}

TEST_CASE("a receiver that never waits and loses datagrams shows that it was the limit",
          "[experiment]") {
  const auto s = round_of(0.95, 0.99);
  CHECK_FALSE(open_loop_needs(s));
  CHECK(limited_by(s, false) == limit::receiver);
  CHECK(limited_by(s, false, bare(0.5)) == limit::receiver);
}

TEST_CASE("who loses datagrams without running all the time is held against a bare receiver",
          "[experiment]") {
  for (const double share : {0.05, 0.85, 0.96}) {
    // Its sink held it: a bare receiver takes all.
    const auto s = round_of(0.4, share);
    CHECK(open_loop_needs(s));
    CHECK(limited_by(s, false, bare(1)) == limit::receiver);
    CHECK(limited_by(s, false, bare(0.46)) == limit::receiver);
    // Bursts were longer than the buffer, or others had the cpu: so it was for the bare receiver.
    CHECK(limited_by(s, false, bare(0.44)) == limit::sender);
    CHECK(limited_by(s, false, bare(0.2)) == limit::sender);
  }
}

TEST_CASE("who loses nothing and still falls behind is held against a bare receiver",
          "[experiment]") {
  const auto s = late(round_of(0.4, 0.1));
  CHECK(open_loop_needs(s));
  CHECK(limited_by(s, false, bare(1)) == limit::receiver);
  CHECK(limited_by(s, false, bare(0.4)) == limit::sender);
}

TEST_CASE("who runs all the time and loses nothing got what was sent, or was the limit",
          "[experiment]") {
  CHECK(open_loop_needs(late(round_of(1, 0.99))));
  CHECK(limited_by(late(round_of(1, 0.99)), false, bare(1)) == limit::sender);
  CHECK(limited_by(late(round_of(0.8, 0.99)), false, bare(1)) == limit::receiver);
}

TEST_CASE("the running of a receiver that never sleeps tells nothing", "[experiment]") {
  for (const bool losing : {false, true}) {
    const auto quick = losing ? round_of(0.97, 1, true) : late(round_of(1, 1, true));
    const auto slow = losing ? round_of(0.5, 1, true) : late(round_of(0.5, 1, true));
    CHECK(open_loop_needs(quick));
    CHECK(open_loop_needs(slow));
    CHECK(limited_by(quick, false, bare(1)) == limit::sender);
    CHECK(limited_by(slow, false, bare(1)) == limit::receiver);
    // Without a bare receiver it is held against all that was offered.
    CHECK(limited_by(quick, false) == limit::sender);
    CHECK(limited_by(slow, false) == limit::receiver);
  }
}

TEST_CASE("no bare receiver is asked where pacing or a shared cpu decides, or nothing was timed",
          "[experiment]") {
  const auto s = round_of(0.4, 0.5);
  pacing_report scheduled;
  scheduled.schedule.emplace();
  pacing_report in_window;
  in_window.waited_share = 0.1;
  CHECK_FALSE(needs_reference(s, scheduled, false));
  CHECK_FALSE(needs_reference(s, in_window, false));
  CHECK_FALSE(needs_reference(s, {}, true));
  CHECK(limited_by(s, true, bare(1)) == limit::shared_cpu);
  auto unsent = s;
  unsent.sending = {};
  CHECK_FALSE(open_loop_needs(unsent));
}

TEST_CASE("references are measured when they are first asked for, each once", "[experiment]") {
  std::vector<bool> asked;
  references all([&](bool joins) {
    asked.push_back(joins);
    if (joins) return std::vector<sample>{};
    return std::vector{round_of(0.9, 0.5), round_of(0.2, 0.5), round_of(0.8, 0.5)};
  });
  CHECK(asked.empty());
  REQUIRE(all.of(false));
  CHECK(all.of(false)->part_taken == Approx(0.8));
  CHECK(all.of(false)->offered_per_second == Approx(1e6));
  CHECK_FALSE(all.of(true));
  CHECK_FALSE(all.of(true));
  CHECK(asked == std::vector{false, true});
}

TEST_CASE(
    "what rounds were held against is on record, three bare rounds a table, which are no turns "
    "of anybody",
    "[experiment]") {
  scripted_place where;
  where.has_bare = true;
  int bare_rounds = 0;
  where.spoil = [&](const std::string& r, sample& s) {
    if (r == bare_receiver(false)) ++bare_rounds;
    // It would be sure of its limit but for the sender's script, which takes no time.
    s.cpu_share = r == "unsure" ? 0.5 : 1;
    if (r != "unsure" && r != bare_receiver(false)) {
      s.kernel_dropped = 1000;
      s.arrivals.unique -= 1000;
    }
  };
  auto p = plan_for({"sure", "unsure"}, load::kind::flood);
  p.blocks = 6;
  const auto run = run_scripted(p, where);
  CHECK(bare_rounds == 3);
  CHECK_FALSE(run.results[0].without_work);
  REQUIRE(run.results[1].without_work);
  CHECK(run.results[1].without_work->offered_per_second > 0);
  CHECK(run.results[1].without_work->part_taken > 0);
  CHECK(run.results[0].rounds.front().offered_per_second.value() > 0);
  CHECK(run.results[1].rounds.size() == 12);
  CHECK(where.open_now == 0);
}

TEST_CASE("where a place has no bare receiver the limit is estimated, and nothing is on record",
          "[experiment]") {
  scripted_place where;
  where.spoil = [](const std::string&, sample& s) { s.cpu_share = 0.5; };
  const auto run = run_scripted(plan_for({"a", "b"}, load::kind::flood), where);
  CHECK_FALSE(run.results[0].without_work);
  CHECK(run.results[0].summary.limited_by == limit::sender);
  CHECK(run.warnings.empty());
}

namespace {

/** Sleeps with each datagram: it holds its receiver without taking any cpu. */
class sleeping_sink {
 public:
  explicit sleeping_sink(measure::ledger& books) : books_(books) {}
  void operator()(const datagram& d) noexcept {
    std::this_thread::sleep_for(100us);
    books_(d);
  }

 private:
  measure::ledger& books_;
};

/** A receiver whose sink is made of the ledger. */
template <class Sink>
class with_sink {
 public:
  explicit with_sink(measure::ledger& books) : sink_(books), server_(sink_) {}
  net::endpoint open(const net::endpoint& local, const server_options& options) {
    return server_.open(local, options);
  }
  std::size_t receive(std::size_t n, any_receiver::time_point deadline) {
    return server_.receive(n, deadline);
  }
  void stop() noexcept { server_.stop(); }
  int native_handle() { return server_.native_handle(); }

 private:
  Sink sink_;
  sync_server<Sink> server_;
};

/** What most of some rounds say on real sockets, whether or not the machine let them be valid. */
std::optional<limit> most_say(const std::string& receiver, const load& l, std::uint64_t count,
                              std::chrono::nanoseconds work = {}) {
  catalogue known;
  known.add<sync_server<measure::ledger>>("sync", "plain");
  known.add<sync_server<measure::ledger, take::one, idle::spin<>>>("spin", "never sleeps");
  known.add<with_sink<sleeping_sink>>("sleepy", "sleeps in its sink");
  plan p;
  p.receivers = {receiver};
  p.loads = {l};
  p.count = count;
  p.blocks = 1;
  p.seed = 1;
  // All of a round has room, so that nothing depends on who is scheduled when.
  p.receive_buffer_bytes = 8 << 20;
  if (work.count() != 0) p.works = {{.what = experiment::work::kind::spin, .time = work}};
  const record::run out = experiments::run_here(known, p);
  std::vector<record::round> rounds;
  for (const auto& result : out.results)
    rounds.insert(rounds.end(), result.rounds.begin(), result.rounds.end());
  for (auto& r : rounds) r.valid = true;
  return usual_limit(rounds);
}

const load flood{.what = load::kind::flood};

/** Some 300 µs for each datagram. */
const load slow_sender{.what = load::kind::pause, .sends = 1, .rest = 250us};

} // namespace

TEST_CASE("planted: a sink that works for long is held by the receiver", "[experiment]") {
  CHECK(most_say("sync", flood, 1000, 50us) == limit::receiver);
}

TEST_CASE("planted: a sink that sleeps is held by the receiver, though its thread hardly runs",
          "[experiment]") {
  CHECK(most_say("sleepy", flood, 1000) == limit::receiver);
}

TEST_CASE("planted: a slow sender is the limit, also beside a receiver that spins",
          "[experiment]") {
  CHECK(most_say("sync", slow_sender, 300) == limit::sender);
  CHECK(most_say("spin", slow_sender, 300) == limit::sender);
}

TEST_CASE("planted: of a slow sink and a sender that is slower, the sender is the limit",
          "[experiment]") {
  CHECK(most_say("sync", slow_sender, 300, 20us) == limit::sender);
}

TEST_CASE("planted: a receiver that spins and has a slow sink is the limit", "[experiment]") {
  CHECK(most_say("spin", flood, 1000, 50us) == limit::receiver);
}
