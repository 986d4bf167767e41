// Real receivers on real sockets of this host.
#include "catch.hpp"
#include "every_receiver.hpp"
#include "run_here.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/take/one.hpp>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

record::run run_here(std::vector<std::string> receivers, load what, std::size_t size = 1024,
                     const char* address = "127.0.0.1", std::uint64_t blocks = 2,
                     std::uint64_t count = 3000) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {what};
  p.sizes = {size};
  p.address = boost::asio::ip::make_address(address);
  p.blocks = blocks;
  p.count = count;
  p.seed = 1;
  p.run = 0x1234;
  const catalogue known = support::every_receiver();
  return experiments::run_here(known, p);
}

record::run run_here(std::vector<std::string> receivers, load::kind kind, std::size_t size = 1024,
                     const char* address = "127.0.0.1") {
  return run_here(std::move(receivers), load{.what = kind}, size, address);
}

/** Rounds that the machine spoiled by taking the cpu away say nothing about the ledger. */
void check_ledgers(const record::run& run) {
  CHECK(run.complete);
  CHECK(run.warnings.empty());
  for (const auto& result : run.results) {
    INFO(result.receiver << (result.control ? " (control)" : ""));
    CHECK_FALSE(result.rounds.empty());
    for (const auto& r : result.rounds) {
      INFO(r.reason);
      CHECK(r.unexplained == 0);
      CHECK(r.sent == r.intended);
      CHECK(r.sent == r.unique + r.unread + r.kernel_dropped.value_or(0));
      CHECK(r.foreign == 0);
      CHECK(r.truncated == 0);
      CHECK(r.bytes == r.unique * result.size);
    }
  }
}

std::vector<std::string> every_receiver() { return support::every_name(support::every_receiver()); }

} // namespace

TEST_CASE("every receiver's backlog ledger balances", "[experiment]") {
  const auto run = run_here(every_receiver(), load::kind::backlog);
  check_ledgers(run);
  for (const auto& result : run.results)
    for (const auto& r : result.rounds) CHECK(r.unique == r.sent);
}

TEST_CASE("every receiver's flood ledger balances, with what the kernel dropped", "[experiment]") {
  check_ledgers(run_here(every_receiver(), load::kind::flood));
}

TEST_CASE("ledgers balance over IPv6", "[experiment]") {
  check_ledgers(run_here({"sync", "async", "async+batch"}, load::kind::backlog, 1024, "::1"));
  check_ledgers(run_here({"sync", "async", "async+batch"}, load::kind::flood, 1024, "::1"));
}

TEST_CASE("ledgers balance for the largest datagram and for the shortest", "[experiment]") {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{1473}, std::size_t{65'507}}) {
    INFO(size);
    check_ledgers(run_here({"sync", "async", "async+batch8"}, load::kind::backlog, size));
    check_ledgers(run_here({"sync", "async", "async+batch8"}, load::kind::flood, size));
  }
}

TEST_CASE("a schedule's ledger balances for every receiver, and every datagram has a lag and a gap",
          "[experiment]") {
  const load rate{.what = load_kind::rate, .per_second = 100'000};
  const auto run = run_here(every_receiver(), rate, 1024, "127.0.0.1", 1);
  check_ledgers(run);
  for (const auto& result : run.results) {
    std::uint64_t datagrams = 0;
    std::uint64_t rounds = 0;
    std::uint64_t latest = 0;
    for (const auto& r : result.rounds) {
      const auto& pacing = r.pacing.value();
      if (r.valid) {
        ++rounds;
        datagrams += r.intended;
        latest = std::max(latest, *pacing.lag_max_ns);
      }
      CHECK(r.sent == 3000);
      CHECK(pacing.period_ns == 10'000);
      // Gaps add up to the schedule, but for how late the last datagram was.
      CHECK(*pacing.mean_gap_ns * 2999 >=
            10'000.0 * 2999 - static_cast<double>(*pacing.lag_max_ns));
      CHECK(*pacing.mean_gap_ns * 2999 <=
            10'000.0 * 2999 + static_cast<double>(*pacing.lag_max_ns));
    }
    if (rounds == 0) continue;
    const auto& lag = result.histograms.lag_ns.value();
    CHECK(measure::values_in(lag) == datagrams);
    CHECK(measure::values_in(result.histograms.gap_ns.value()) == datagrams - rounds);
    CHECK(lag.back()[0] <= latest);
    CHECK(latest - lag.back()[0] <= lag.back()[0] / 256);
  }
}

TEST_CASE("no receiver loses a datagram of a window, however narrow, and none hangs",
          "[experiment]") {
  // Of a narrow window each datagram takes a wake-up of both threads, so one receiver of each driver and take is enough.
  const std::vector<std::string> some{"raw",       "sync+batch",     "sync+drain",
                                      "async",     "async+batch",    "async+drain",
                                      "coroutine", "coroutine+batch"};
  for (const std::uint64_t in_flight : {1u, 3u, 40u}) {
    const load window{.what = load_kind::window, .in_flight = in_flight};
    const auto run =
        run_here(in_flight > 3 ? every_receiver() : some, window, 64, "127.0.0.1", 1, 500);
    check_ledgers(run);
    for (const auto& result : run.results)
      for (const auto& r : result.rounds) {
        CHECK(r.sent == 500);
        CHECK(r.unique == 500);
        CHECK(r.pacing.value().waited_share);
      }
  }
}

TEST_CASE("the hook is asked at least once a datagram, and heap alone allocates for it",
          "[experiment]") {
  const auto run =
      run_here({"async", "async/fixed_block", "async/heap", "sync"}, load::kind::backlog);
  for (const auto& result : run.results)
    for (const auto& r : result.rounds) {
      INFO(result.receiver);
      if (result.receiver == "sync") {
        CHECK_FALSE(r.hook_requests);
        continue;
      }
      REQUIRE(r.hook_requests);
      CHECK(*r.hook_requests >= r.observed);
      if (result.receiver == "async/heap") CHECK(r.allocations >= r.observed);
      if (result.receiver == "async/fixed_block") CHECK(r.allocations == 0u);
      // This executable doesn't count allocations, and Asio doesn't tell its own.
      if (result.receiver == "async") CHECK_FALSE(r.allocations);
    }
}

TEST_CASE("a receiver that throws while it receives ends its own rounds alone", "[experiment]") {
  struct failing_memory {
    int left = 100;
    void* allocate(std::size_t bytes, std::size_t) {
      if (--left < 0) throw std::runtime_error("planted");
      return ::operator new(bytes);
    }
    void deallocate(void* block, std::size_t, std::size_t) noexcept { ::operator delete(block); }
  };
  catalogue known = support::every_receiver();
  known.add<async_server<measure::ledger, take::one, failing_memory>>("failing", "fails soon");
  for (const auto kind : {load::kind::backlog, load::kind::flood}) {
    plan p;
    p.receivers = {"sync", "failing", "async"};
    p.loads = {{.what = kind}};
    p.blocks = 2;
    p.count = 3000;
    const record::run out = experiments::run_here(known, p);
    REQUIRE(out.warnings.size() == 1);
    CHECK_THAT(out.warnings.front(), Catch::Contains("failing") && Catch::Contains("planted"));
    CHECK(out.results[0].rounds.size() >= 2);
    CHECK(out.results[2].rounds.size() >= 2);
  }
}

TEST_CASE("busy polling is on record as asked for and as granted, of who asked alone",
          "[experiment]") {
  const auto run =
      run_here({"sync", "sync.busypoll"}, load{.what = load::kind::backlog}, 1024, "127.0.0.1", 1);
  REQUIRE(run.results.size() == 3);
  CHECK_FALSE(run.results[0].busy_poll);
  CHECK_FALSE(run.results[2].busy_poll);
  REQUIRE(run.results[1].busy_poll);
  CHECK(run.results[1].busy_poll->requested_us == 50);
  const auto fd = net::open_receiver({boost::asio::ip::address_v4::loopback(), 0});
  net::request_busy_poll(fd.get(), std::chrono::microseconds(50));
  const auto granted = net::granted_busy_poll(fd.get());
  CHECK(run.results[1].busy_poll->granted_us.has_value() == granted.has_value());
  if (granted)
    CHECK(run.results[1].busy_poll->granted_us == static_cast<std::uint64_t>(granted->count()));
}
