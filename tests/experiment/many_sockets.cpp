/** @file
    Rounds of receivers with several sockets, on real ones.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "loopback.hpp"
#include "run_here.hpp"

#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/sync_server.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

record::run run_here(const catalogue& known, std::vector<std::string> receivers, load what,
                     std::vector<std::size_t> sockets) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {what};
  p.sockets = std::move(sockets);
  p.blocks = 1;
  p.count = 600;
  return experiments::run_here(known, p);
}

/** The datagrams of a histogram of numbers that are told apart; 0 without one. */
std::uint64_t all_in(const std::optional<record::buckets>& sizes) {
  std::uint64_t all = 0;
  if (sizes)
    for (const auto& [size, times] : *sizes) all += size * times;
  return all;
}

/** Runs a turn of two datagrams to each of three sockets, or of six flows to two threads, and of those again. */
void run_turns(const std::string& receiver, std::size_t sockets, std::size_t threads) {
  INFO(receiver << " with " << sockets << " sockets and " << threads << " threads");
  const catalogue known = support::every_receiver();
  in_process here(known);
  const auto seat = here.open({.receiver = receiver,
                               .address = boost::asio::ip::address_v4::loopback(),
                               .options = {},
                               .cpu = {},
                               .sockets = sockets,
                               .flows = static_cast<std::uint16_t>(sockets > 1 ? 1 : 6),
                               .threads = threads});
  for (int i = 0; i < 2; ++i) {
    const sample seen = here.turn(seat.number, {.depth = 2, .size = 64, .untimed = 1, .timed = 4});
    CHECK(seen.trouble.empty());
    CHECK_FALSE(seen.never_sleeps);
    CHECK(seen.sent.sent == 2 * (sockets > 1 ? sockets : 6) * 5);
  }
  here.close(seat.number);
}

/** The synchronous server, but with one socket whatever happens. */
class lonely {
 public:
  explicit lonely(measure::ledger& books) : server_(books) {}
  net::endpoint open(const net::endpoint& local, const server_options& options) {
    return server_.open(local, options);
  }
  std::size_t receive(std::size_t n, measure::monotonic_clock::time_point deadline) {
    return server_.receive(n, deadline);
  }
  void stop() noexcept { server_.stop(); }
  int native_handle() { return server_.native_handle(); }

 private:
  sync_server<measure::ledger> server_;
};

} // namespace

TEST_CASE("a turn of a receiver on threads of its own sends to each socket, or of each flow",
          "[experiment]") {
  for (const char* receiver : {"sync", "async", "coroutine+batch"}) {
    run_turns(receiver, 3, 1);
    run_turns(receiver, 1, 2);
  }
  run_turns("async.shared", 1, 2);
}

TEST_CASE("a turn tells of threads that never sleep", "[experiment]") {
  const catalogue known = support::every_receiver();
  in_process here(known);
  const auto seat = here.open({.receiver = "sync.spin",
                               .address = boost::asio::ip::address_v4::loopback(),
                               .options = {},
                               .cpu = {},
                               .sockets = 2});
  CHECK(here.turn(seat.number, {.depth = 1, .size = 64, .untimed = 0, .timed = 1}).never_sleeps);
}

TEST_CASE("the ledgers of several sockets balance together, for every driver", "[experiment]") {
  const catalogue known = support::every_receiver();
  const auto run = run_here(
      known, {"raw", "sync", "async", "coroutine+batch", "sync+drain", "async/pool"},
      {.what = load_kind::pause, .sends = 30, .rest = std::chrono::milliseconds(1)}, {3, 5});
  REQUIRE(run.results.size() == 14);
  std::map<std::string, std::uint64_t> threads;
  for (const auto& r : run.results) {
    INFO(r.receiver << " with " << r.sockets);
    CHECK(r.failure.empty());
    CHECK(r.send == "single");
    REQUIRE(r.rounds.size() == 2);
    const bool blocking = r.receiver.starts_with("raw") || r.receiver.starts_with("sync");
    std::uint64_t counted = 0;
    for (const auto& round : r.rounds) {
      INFO(round.reason);
      // Each socket got some before the clock ran.
      CHECK(round.intended > 600);
      CHECK(round.unexplained == 0);
      CHECK(round.unique + round.kernel_dropped.value_or(0) == round.sent);
      CHECK(round.duplicate == 0u);
      CHECK(round.foreign == 0);
      CHECK(round.late == 0);
      CHECK(round.observed == round.unique - (round.intended - 600));
      CHECK(round.counted == round.unique);
      counted += round.counted;
      CHECK(round.hook_requests.has_value() == !blocking);
      if (r.receiver == "async/pool") CHECK(round.hook_requests >= round.counted);
    }
    // Also what was counted while the server's own threads received.
    const bool together = r.receiver.find("+batch") != std::string::npos;
    CHECK(all_in(r.histograms.datagrams_per_receive_call) == (together ? counted : 0));
    CHECK(all_in(r.histograms.datagrams_per_wakeup) == (together && !blocking ? counted : 0));
    CHECK(r.summary.hook_requests_per_datagram.has_value() == !blocking);
    CHECK(r.threads == (blocking ? r.sockets : 1));
  }
}

TEST_CASE("a receiver that can have only one socket fails by name, and the others go on",
          "[experiment]") {
  catalogue known = support::every_receiver();
  known.add<lonely>("lonely", "has one socket");
  const auto run = run_here(known, {"sync", "lonely"}, {.what = load_kind::flood}, {2});
  REQUIRE(run.results.size() == 3);
  CHECK(run.results[0].failure.empty());
  CHECK(run.results[1].failure == "receiver 'lonely' has one socket, not 2");
  CHECK(run.results[0].rounds.size() == 2);
}

TEST_CASE("a load that takes one socket is refused for several", "[experiment]") {
  const catalogue known = support::every_receiver();
  CHECK_THROWS_WITH(run_here(known, {"sync"}, {.what = load_kind::backlog}, {1, 2}),
                    Catch::Contains("'backlog' takes one socket, not 2"));
}
