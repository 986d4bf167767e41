/** @file
    Rounds end whatever was lost, and whoever has gone.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../report/printed_table.hpp"
#include "catch.hpp"
#include "every_receiver.hpp"
#include "run_here.hpp"

#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/sync_server.hpp>

#include <atomic>
#include <chrono>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

constexpr std::size_t warm_up = 64;

/** Takes its warm-up and goes: its socket is closed, and a sender is told so (ECONNREFUSED). */
class leaving {
 public:
  explicit leaving(measure::ledger& books) : server_(books) {}

  net::endpoint open(const net::endpoint& local, const server_options& options) {
    return server_.open(local, options);
  }
  std::size_t receive(std::size_t n, any_receiver::time_point deadline) {
    const std::size_t got = server_.receive(n, deadline);
    received_ += got;
    if (received_ >= warm_up) server_.stop();
    return got;
  }
  void stop() noexcept { server_.stop(); }
  int native_handle() { return server_.native_handle(); }

 private:
  sync_server<measure::ledger> server_;
  std::size_t received_ = 0;
};

} // namespace

TEST_CASE("a final datagram that was lost doesn't keep a round from its end, and is a loss",
          "[experiment]") {
  const catalogue known = support::every_receiver();
  for (const char* name : {"raw", "sync", "async", "coroutine", "sync+batch", "async+batch"}) {
    INFO(name);
    in_process here(known);
    const auto at = here.open({.receiver = name,
                               .address = boost::asio::ip::address_v4::loopback(),
                               .options = {},
                               .cpu = {},
                               .run = 7});
    sync_client<> client;
    client.open(at.endpoint);
    for (const std::uint64_t lost : {1u, 0u}) {
      auto counts = client.send(here.begin(at.number, {.size = 64}), 200);
      // It has left the sender, and nobody will ever see it.
      counts.intended += lost;
      counts.sent += lost;
      const sample s = here.end(at.number, counts);
      CHECK(s.trouble.empty());
      CHECK(s.arrivals.unique == 200);
      CHECK(unexplained(s) == static_cast<std::int64_t>(lost));
    }
  }
}

TEST_CASE("whatever runs at a place ends when it is told to, and says so", "[experiment]") {
  const catalogue known = support::every_receiver();
  const auto [name, sockets] =
      GENERATE(table<const char*, std::size_t>({{"sync", 1}, {"async", 1}, {"async", 3}}));
  CAPTURE(name, sockets);
  std::atomic<bool> over = false;
  in_process here(known, nullptr, &over);
  seat_plan plan;
  plan.receiver = name;
  plan.address = boost::asio::ip::address_v4::loopback();
  plan.sockets = sockets;
  const seat waits = here.open(plan).number;
  const seat idles = here.open(plan).number;
  here.begin(waits, {.size = 64, .tail = std::chrono::hours(1)});
  over = true;
  // They would be waited for.
  CHECK(here.end(waits, {.intended = 10, .sent = 10, .error = {}}).trouble == stopped_early);
  CHECK(here.turn(idles, {.depth = 1'000'000'000}).trouble == stopped_early);
  CHECK(here.capacity(plan, {.size = 64}, 1'000'000) == 0);
}

TEST_CASE("when a receiver is gone, what its port refuses is counted, gone on with and reported",
          "[experiment]") {
  catalogue known = support::every_receiver();
  known.add<leaving>("leaving", "goes before each round");
  for (const auto mode : {send_mode::single, send_mode::batch}) {
    INFO(name(mode));
    plan p;
    p.receivers = {"sync", "leaving", "async"};
    p.loads = {{.what = load::kind::flood}};
    p.send = mode;
    p.blocks = 1;
    p.count = 1000;
    const record::run out = experiments::run_here(known, p);

    CHECK(out.complete);
    REQUIRE(out.results.size() == 4);
    for (const auto& result : out.results) {
      INFO(result.receiver);
      REQUIRE(result.rounds.size() == 2);
      for (const auto& r : result.rounds) {
        CHECK(r.intended == 1000);
        CHECK(r.sent + r.send_refused == 1000);
        CHECK((r.send_refused > 0) == (result.receiver == "leaving"));
        CHECK(r.send_full == 0);
        CHECK(r.send_failed == 0);
        CHECK((r.unique == 0) == (result.receiver == "leaving"));
      }
    }
    const auto& gone = out.results[1].rounds;
    CHECK_THAT(printed::flat(printed::text(out)),
               Catch::Contains(report::count(gone[0].send_refused + gone[1].send_refused) +
                               " because the receiver's port was closed"));
  }
}

TEST_CASE("what a sender has no room for is on record by that reason", "[experiment]") {
  sample s;
  s.sent = {
      .intended = 10, .sent = 4, .refused = 1, .full = 2, .failed = 3, .calls = 10, .error = {}};
  const record::round r = book(s, 0, true, true);
  CHECK(r.intended == 10);
  CHECK(r.sent == 4);
  CHECK(r.send_refused == 1);
  CHECK(r.send_full == 2);
  CHECK(r.send_failed == 3);
}
