/** @file
    How a backlog is filled: one by one, by batches, by trains.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "run_here.hpp"
#include "skip.hpp"
#include "train.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>
#include <udpbench/experiment/room.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/gro.hpp>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

bool trains_possible() {
  return support::joins() && mode_works(send_mode::segmented, support::v4().address(), 1024);
}

record::run fill_and_drain(const catalogue& known, std::vector<std::string> receivers,
                           std::uint64_t depth, send_mode mode, std::size_t size = 1024) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {{.what = load::kind::backlog, .depth = depth}};
  p.sizes = {size};
  p.blocks = 1;
  p.seed = 1;
  p.send = mode;
  p.receive_buffer_bytes = 4 << 20;
  return experiments::run_here(known, p);
}

/** The ledger of each round is exact; one is invalid only for want of a cpu. */
void check_exact(const record::run& run, std::size_t size) {
  CHECK(run.warnings.empty());
  for (const auto& result : run.results) {
    REQUIRE_FALSE(result.rounds.empty());
    for (const auto& r : result.rounds) {
      INFO(result.receiver << ", " << size << " bytes: " << r.reason);
      CHECK((r.valid || r.reason.find("kept from its cpu") != r.reason.npos));
      CHECK(r.sent > 0);
      CHECK(r.unique == r.sent);
      CHECK(r.unexplained == 0);
      CHECK(r.kernel_dropped.value_or(0) == 0);
      CHECK(r.truncated == 0);
      CHECK(r.bytes == r.unique * size);
    }
  }
}

/** Of a result's first round, whether valid or not. */
double per_call(const record::result& r) {
  const auto& first = r.rounds.front();
  return static_cast<double>(first.counted) / static_cast<double>(first.receive_calls.value());
}

const record::result& result_of(const record::run& run, const std::string& receiver) {
  for (const auto& r : run.results)
    if (r.receiver == receiver && !r.control) return r;
  throw std::out_of_range(receiver);
}

} // namespace

TEST_CASE("a backlog that is filled by trains comes as trains where they are taken",
          "[experiment]") {
  if (!trains_possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams");
  const catalogue known = support::every_receiver();
  for (const std::size_t size : {std::size_t{20}, std::size_t{1024}}) {
    const auto run = fill_and_drain(
        known, {"raw", "raw+gro", "sync+gro", "async+gro", "coroutine+gro", "async", "sync+batch8"},
        16, send_mode::segmented, size);
    check_exact(run, size);
    CHECK(run.plan.send == "segmented");
    CHECK(run.plan.fill == "segmented");
    for (const auto& r : run.results) {
      INFO(r.receiver);
      CHECK(r.send == "segmented");
      CHECK(r.depth == 16u);
    }
    for (const char* name : {"raw+gro", "sync+gro", "async+gro", "coroutine+gro"}) {
      INFO(name);
      CHECK(per_call(result_of(run, name)) == 16);
    }
    CHECK(per_call(result_of(run, "sync+batch8")) == 8);
  }
}

TEST_CASE("a train is no longer than the depth, and a deep backlog has several", "[experiment]") {
  if (!trains_possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams");
  const catalogue known = support::every_receiver();
  const auto flat = fill_and_drain(known, {"raw+gro"}, 3, send_mode::segmented);
  check_exact(flat, 1024);
  CHECK(per_call(result_of(flat, "raw+gro")) == 3);
  // 63 in the first train, 37 in the second.
  const auto deep = fill_and_drain(known, {"raw+gro"}, 100, send_mode::segmented);
  check_exact(deep, 1024);
  CHECK(per_call(result_of(deep, "raw+gro")) == 50);
}

TEST_CASE("a backlog is filled one by one unless another way is asked for", "[experiment]") {
  if (!support::joins()) SKIP("this kernel doesn't join datagrams");
  const catalogue known = support::every_receiver();
  for (const auto mode : {send_mode::automatic, send_mode::single, send_mode::batch}) {
    if (!mode_works(filled_by(mode), support::v4().address(), 1024)) continue;
    const auto run = fill_and_drain(known, {"raw+gro", "sync"}, 16, mode);
    check_exact(run, 1024);
    CHECK(run.plan.send == name(mode));
    CHECK(run.plan.fill == (mode == send_mode::batch ? "batch" : "single"));
    CHECK(result_of(run, "sync").send == run.plan.fill);
    CHECK(per_call(result_of(run, "raw+gro")) == 1);
  }
}

TEST_CASE("a backlog's train that was cut makes its round invalid", "[experiment]") {
  if (!trains_possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams");
  catalogue known = support::every_receiver();
  known.add<async_server<measure::ledger, take::gro<8192>>>("short", "of 8 datagrams");
  in_process here(known);
  seat_plan how;
  how.receiver = "short";
  how.address = support::v4().address();
  how.run = 1;
  const opened o = here.open(how);
  // A turn alone, as it waits for the rest as long as it waits at all.
  const sample seen = here.turn(o.number, {.depth = 16, .send = send_mode::segmented});
  CHECK_THAT(invalid_because(seen, true), Catch::Contains("longer than the receive buffer"));
  check_exact(fill_and_drain(known, {"short"}, 8, send_mode::segmented), 1024);
}

TEST_CASE("what a buffer is measured to hold goes in, by the way in which it was measured",
          "[experiment]") {
  for (const auto mode : {send_mode::single, send_mode::batch, send_mode::segmented})
    for (const std::size_t size : {std::size_t{64}, std::size_t{512}, std::size_t{1472}})
      for (const bool joined : {false, true}) {
        const auto here = support::v4().address();
        if (!mode_works(mode, here, size) || (joined && !support::joins())) continue;
        INFO(name(mode) << ", " << size << " bytes, " << (joined ? "joined" : "alone"));
        seat_plan how;
        how.address = here;
        how.options.socket.receive_buffer_bytes = 64 << 10;
        const auto held = room_for(how, {.size = size, .send = mode}, 100'000);
        CHECK(held > 1);
        const auto socket = net::open_receiver({here, 0}, how.options.socket);
        if (joined) net::accepts_gro(socket.get());
        const auto from = make_sender(mode, {.what = load::kind::flood});
        from->open(net::local_endpoint(socket.get()));
        const auto before = net::drop_counter(socket.get());
        CHECK(from->send({.size = size}, held).sent == held);
        CHECK(net::drop_counter(socket.get()) == before);
        // Of what is joined there may be room for more.
        from->send({.size = size, .first_sequence = held}, 1000);
        if (!joined) CHECK(net::drop_counter(socket.get()) != before);
      }
}

TEST_CASE("datagrams of a train that didn't enter the buffer are all accounted for",
          "[experiment]") {
  if (!trains_possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams");
  const catalogue known = support::every_receiver();
  in_process here(known);
  seat_plan how;
  how.address = support::v4().address();
  how.options.socket.receive_buffer_bytes = 64 << 10;
  how.run = 1;
  for (const char* name : {"raw+gro", "raw"}) {
    INFO(name);
    how.receiver = name;
    const opened o = here.open(how);
    // It waits for the rest as long as it waits at all.
    const sample seen =
        here.turn(o.number, {.depth = 500, .send = send_mode::segmented, .untimed = 0});
    CHECK_THAT(seen.trouble, Catch::Contains("of 500 datagrams entered the receive buffer"));
    CHECK(seen.kernel_dropped.value_or(0) > 100);
    CHECK(unexplained(seen) == 0);
    here.close(o.number);
  }
}
