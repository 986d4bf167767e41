/** @file
    A sink of one's own in the catalogue.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/app/builtin.hpp>
#include <udpbench/app/listing.hpp>

#include "catch.hpp"

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

/** 200 us of work for each datagram: at most 5 thousand of them in a second. */
struct slow {
  void operator()(const datagram&) noexcept {
    const auto end = measure::monotonic_clock::now() + std::chrono::microseconds(200);
    while (measure::monotonic_clock::now() < end) {
    }
  }
};

record::run run_with_slow(const std::string& receiver, std::uint64_t sends, std::uint64_t count) {
  catalogue known = app::builtin();
  app::add_sink<slow>(known, "slow", "takes 200 us for each");
  plan p;
  p.receivers = {receiver};
  p.loads = {{.what = load_kind::pause, .sends = sends, .rest = std::chrono::milliseconds(1)}};
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
  catalogue known = app::builtin();
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
  CHECK(app::listing(app::builtin()).find("Sinks: ") == std::string::npos);
  catalogue again = with_watching();
  CHECK_THROWS_AS(app::add_sink<watching>(again, "watching", "once more"), std::invalid_argument);
}

TEST_CASE("a sink of one's own sees each datagram that the ledger counts", "[app]") {
  const auto known = with_watching();
  plan p;
  p.receivers = {"sync.watching", "async.watching", "coroutine.watching+batch"};
  p.loads = {{.what = load_kind::flood}};
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
  // Offered are 64 datagrams a ms at most, of which the slow sink takes 5.
  for (const char* receiver : {"sync.slow", "async.slow"})
    for (const auto& r : run_with_slow(receiver, 64, 12'800).results) {
      INFO(receiver);
      CHECK(r.summary.limited_by == record::limit::receiver);
    }
  // 16 datagrams a ms at most are little for any receiver.
  for (const char* receiver : {"sync", "async"})
    for (const auto& r : run_with_slow(receiver, 16, 3'000).results) {
      INFO(receiver);
      CHECK(r.summary.limited_by == record::limit::sender);
    }
}
