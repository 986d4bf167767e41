/** @file
    A sink of one's own in the catalogue.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/app/builtin.hpp>
#include <udpbench/app/listing.hpp>

#include "catch.hpp"
#include "every_receiver.hpp"

#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

/** All that any of them has seen. */
std::atomic<std::uint64_t> seen{0};

/** Work of that length for each datagram, of which so many are sent in each ms. */
record::run run_with_work(const std::string& receiver, std::chrono::nanoseconds time,
                          std::uint64_t sends, std::uint64_t count) {
  const catalogue known = support::every_receiver();
  plan p;
  p.receivers = {receiver};
  p.loads = {{.what = load_kind::pause, .sends = sends, .rest = std::chrono::milliseconds(1)}};
  if (time.count() != 0) p.works = {{.what = work::kind::spin, .time = time}};
  p.count = count;
  p.blocks = 1;
  in_process here(known);
  record::run run;
  comparison(p, here).run(run);
  return run;
}

struct watching {
  void operator()(const datagram& d) noexcept { seen += d.length == 512 ? 1 : 0; }
};

catalogue with_watching() {
  catalogue known = support::every_receiver();
  app::add_sink<watching>(known, "watching", "counts what it sees");
  return known;
}

} // namespace

TEST_CASE("a sink of one's own is added by a line, for every driver and take", "[app]") {
  const auto known = with_watching();
  for (const char* name :
       {"raw.watching", "sync.watching", "async.watching", "coroutine.watching",
        "sync.watching+batch", "async.watching+drain", "coroutine.watching+batch8"})
    CHECK(known.find(name) != nullptr);
  const std::string list = app::listing(known);
  CHECK(list.find("Sinks: ") != std::string::npos);
  CHECK(list.find(".watching  counts what it sees") != std::string::npos);
  CHECK(app::listing(support::every_receiver()).find("Sinks: ") == std::string::npos);
  catalogue again = with_watching();
  CHECK_THROWS_AS(app::add_sink<watching>(again, "watching", "once more"), std::invalid_argument);
}

TEST_CASE("with a sink of one's own a server counts what it counts without, and has its sockets",
          "[app]") {
  const auto known = with_watching();
  measure::ledger books;
  const any_receiver sync = known.find("sync.watching+batch")->make(books);
  CHECK(sync.counters().receive_calls() == 0u);
  CHECK(sync.counters().datagrams_per_call());
  const any_receiver async = known.find("async.watching+drain")->make(books);
  CHECK(async.counters().memory_use());
  CHECK(async.counters().datagrams_per_wakeup());

  plan p;
  p.receivers = {"sync.watching", "async.watching+batch"};
  p.loads = {{.what = load_kind::pause, .sends = 30, .rest = std::chrono::milliseconds(1)}};
  p.sockets = {3};
  p.count = 600;
  p.sizes = {512};
  p.blocks = 1;
  in_process here(known);
  record::run run;
  seen = 0;
  comparison(p, here).run(run);
  std::uint64_t received = 0;
  for (const auto& r : run.results) {
    CHECK(r.failure.empty());
    CHECK(r.sockets == 3);
    for (const auto& round : r.rounds) received += round.unique;
  }
  CHECK(seen == received);
  CHECK(received > 0);
}

TEST_CASE("a sink of one's own sees each datagram that the ledger counts", "[app]") {
  const auto known = with_watching();
  plan p;
  p.receivers = {"sync.watching", "async.watching", "coroutine.watching+batch"};
  // Slow enough for any machine: a round that loses nearly all has no figures.
  p.loads = {{.what = load_kind::pause, .sends = 20, .rest = std::chrono::milliseconds(1)}};
  p.sizes = {512};
  p.count = 1000;
  p.blocks = 2;
  in_process here(known);
  record::run run;
  seen = 0;
  comparison(p, here).run(run);
  std::uint64_t counted = 0;
  std::uint64_t rounds = 0;
  for (const auto& result : run.results)
    for (const auto& round : result.rounds) {
      counted += round.unique;
      ++rounds;
    }
  CHECK(rounds == 16);
  // Each round's receiver is warmed by 64 datagrams that the ledger doesn't count.
  CHECK(seen == counted + 64 * rounds);
  CHECK(run.results[1].summary.hook_requests_per_datagram);
}

TEST_CASE("with a slow sink the receiver is the limit, with a slow sender that", "[app]") {
  using namespace std::chrono_literals;
  for (const char* receiver : {"sync", "async"}) {
    INFO(receiver);
    // Offered are 64 datagrams a ms at most, of which such a sink takes 5.
    for (const auto& r : run_with_work(receiver, 200us, 64, 12'800).results)
      CHECK(r.summary.limited_by == record::limit::receiver);
    // 16 datagrams a ms at most are little for any receiver.
    for (const auto& r : run_with_work(receiver, 0us, 16, 3'000).results)
      CHECK(r.summary.limited_by == record::limit::sender);
  }
}
