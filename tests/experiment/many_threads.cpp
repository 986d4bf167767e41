/** @file
    Rounds of receivers with several threads at one port, on real sockets, and what is said of their cpus.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "loopback.hpp"
#include "run_here.hpp"
#include "skip.hpp"

#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/limited_by.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/sync_server.hpp>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

constexpr std::size_t threads = 3;

plan plan_for_threads(std::vector<std::string> receivers, load what) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {what};
  p.threads = threads;
  p.flows = 48;
  p.blocks = 1;
  p.count = 960;
  return p;
}

using experiments::run_here;

load resting() {
  return {.what = load_kind::pause, .sends = 30, .rest = std::chrono::milliseconds(1)};
}

/** A receiver that is no server. */
class plain {
 public:
  explicit plain(measure::ledger& books) : server_(books) {}
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

/** One that fails at its second `receive`. */
class brittle : public plain {
 public:
  using plain::plain;
  std::size_t receive(std::size_t n, measure::monotonic_clock::time_point deadline) {
    if (++calls_ == 2) throw std::runtime_error("it broke");
    return plain::receive(n, deadline);
  }

 private:
  int calls_ = 0;
};

std::uint64_t sum(const std::vector<std::uint64_t>& each) {
  return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
}

} // namespace

TEST_CASE("the ledgers of several threads balance together, for every driver", "[experiment]") {
  catalogue known = support::every_receiver();
  known.add<plain>("plain", "is a receiver, and no server");
  for (const auto& address : {support::v4().address(), support::v6().address()}) {
    if (address.is_v6() && !support::usable(support::v6())) continue;
    auto p = plan_for_threads({"raw", "sync", "async", "coroutine+batch", "sync+drain", "async.x8",
                               "plain", "async.shared", "async.shared+batch"},
                              resting());
    p.address = address;
    const auto run = run_here(known, p);
    CHECK(run.plan.threads == threads);
    REQUIRE(run.results.size() == 10);
    for (const auto& r : run.results) {
      INFO(r.receiver << " at " << address);
      CHECK(r.failure.empty());
      CHECK(r.threads == threads);
      CHECK(r.sockets == 1);
      CHECK(r.flows == 48);
      REQUIRE(r.rounds.size() == 2);
      for (const auto& round : r.rounds) {
        INFO(round.reason);
        // Each flow had some before the clock ran.
        CHECK(round.intended > 960);
        CHECK(round.unexplained == 0);
        CHECK(round.unique + round.kernel_dropped.value_or(0) == round.sent);
        CHECK(round.duplicate == 0u);
        CHECK(round.reordered == 0u);
        CHECK(round.foreign == 0);
        CHECK(round.late == 0);
        CHECK(round.old == 0);
        CHECK(round.counted == round.unique);
        CHECK(round.observed <= 960);
        if (round.kernel_dropped == 0u) CHECK(round.observed == 960);
        if (r.receiver.starts_with("async.shared")) {
          CHECK(round.per_thread.empty());
        } else {
          CHECK(round.per_thread.size() == threads);
          CHECK(sum(round.per_thread) == round.unique);
          // 48 flows that all had the same hash would be no hash.
          CHECK(*std::max_element(round.per_thread.begin(), round.per_thread.end()) < round.unique);
        }
      }
    }
  }
}

TEST_CASE("trains of segmented sends are counted by datagrams over several threads",
          "[experiment]") {
  const catalogue known = support::every_receiver();
  const auto run =
      run_here(known, plan_for_threads({"sync", "async+batch"}, {.what = load_kind::flood}));
  for (const auto& r : run.results)
    for (const auto& round : r.rounds) {
      CHECK(round.unexplained == 0);
      CHECK(sum(round.per_thread) == round.unique);
    }
}

TEST_CASE("several threads tell whether their sockets join datagrams, as one does",
          "[experiment]") {
  const catalogue known = support::every_receiver();
  for (const std::string name : {"async+batch", "async+gro"}) {
    in_process here(known);
    seat_plan how;
    how.receiver = name;
    how.address = support::v4().address();
    how.threads = threads;
    how.flows = 8;
    const auto o = here.open(how);
    here.begin(o.number, {.size = 64});
    const sample s = here.end(o.number, {});
    CHECK(s.joined == (name == "async+gro"));
    CHECK(s.trouble.empty());
    CHECK(s.sent.sent == s.arrivals.unique);
    CHECK(s.counted == s.arrivals.unique);
    REQUIRE(s.per_receive_call);
    CHECK(measure::values_in(*s.per_receive_call) > 0);
    here.close(o.number);
  }
}

TEST_CASE("of several threads that never sleep a round tells how long that one ran which ran the "
          "least",
          "[experiment]") {
  const auto allowed = net::allowed_cpus();
  if (allowed.size() < 2) SKIP("this process has one cpu");
  const catalogue known = support::every_receiver();
  for (const std::string name : {"sync.spin", "sync"}) {
    in_process here(known);
    seat_plan how;
    how.receiver = name;
    how.address = support::v4().address();
    how.threads = 2;
    how.cpus = {allowed[0], allowed[1]};
    const auto o = here.open(how);
    here.begin(o.number, {.size = 64});
    const sample s = here.end(o.number, {});
    CHECK(s.least_share.has_value() == (name == "sync.spin"));
    here.close(o.number);
  }
}

TEST_CASE("what ends one of several threads fails the receiver by name, and the others go on",
          "[experiment]") {
  catalogue known = support::every_receiver();
  known.add<brittle>("brittle", "breaks");
  const auto run = run_here(known, plan_for_threads({"sync", "brittle"}, resting()));
  REQUIRE(run.results.size() == 3);
  CHECK(run.results[0].failure.empty());
  CHECK(run.results[0].rounds.size() == 2);
  CHECK(run.results[1].failure == "it broke");
  CHECK(run.results[1].threads == threads);
}

TEST_CASE("a load that takes one thread is refused for several", "[experiment]") {
  const catalogue known = support::every_receiver();
  CHECK_THROWS_WITH(run_here(known, plan_for_threads({"sync"}, {.what = load_kind::backlog})),
                    Catch::Contains("'backlog' takes one thread, not 3"));
  const load window{.what = load_kind::window, .in_flight = 8};
  CHECK_THROWS_WITH(run_here(known, plan_for_threads({"sync"}, window)),
                    Catch::Contains("'window:8' takes one thread, not 3"));
}

TEST_CASE("threads have no more cpus than there are, nor than their datagrams are spread over",
          "[experiment]") {
  const seat_plan on_two{.receiver = {}, .address = {}, .options = {}, .cpu = {}, .cpus = {1, 2}};
  CHECK(cpus_of_threads(on_two, 4, {100, 100, 100, 100}) == 2);
  CHECK(cpus_of_threads(on_two, 2, {100, 100}) == 2);
  CHECK(cpus_of_threads(on_two, 2, {150, 50}) == Approx(200.0 / 150));
  CHECK(cpus_of_threads(on_two, 2, {200, 0}) == 1);
  CHECK(cpus_of_threads(on_two, 2, {0, 0}) == 2);
  CHECK(cpus_of_threads(on_two, 4, {300}) == 1); // one socket
  const seat_plan on_one{.receiver = {}, .address = {}, .options = {}, .cpu = 1};
  CHECK(cpus_of_threads(on_one, 4, {100, 100, 100, 100}) == 1);
  const seat_plan anywhere{.receiver = {}, .address = {}, .options = {}, .cpu = {}};
  // One of them is the sender's.
  CHECK(cpus_of_threads(anywhere, 1000, std::vector<std::uint64_t>(1000, 7)) ==
        std::max(1.0, static_cast<double>(net::allowed_cpus().size()) - 1));
}

TEST_CASE("several threads are the limit when the busiest of them has no time left",
          "[experiment]") {
  sample s;
  s.during = s.sent.sent = 1000;
  s.kernel_dropped = 0;
  s.cpu = std::chrono::microseconds(1000);
  s.elapsed = s.sending = std::chrono::microseconds(1000);
  s.cpu_share = 1;
  s.cpus = 2;
  CHECK(limited_by(s, false) == record::limit::sender);
  s.cpus = 1.05;
  CHECK(limited_by(s, false) == record::limit::receiver);
  s.kernel_dropped = 100;
  CHECK(limited_by(s, false) == record::limit::receiver);
  s.cpus = 2;
  CHECK(limited_by(s, false) == record::limit::sender);
}
