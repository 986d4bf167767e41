/** @file
    Comparisons whose datagrams have unlike sizes.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "run_here.hpp"
#include "skip.hpp"
#include "train.hpp"

#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>

#include <map>
#include <set>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

record::run run_mixed(const catalogue& known, std::vector<std::string> receivers, load what,
                      send_mode mode, std::optional<std::size_t> buffer, std::uint16_t flows = 1,
                      std::size_t sockets = 1) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {what};
  p.sizes = {1024};
  p.mixed_sizes = true;
  p.sockets = {sockets};
  p.blocks = 1;
  p.count = 3'000;
  p.seed = 11;
  p.send = mode;
  p.flows = flows;
  p.receive_buffer_bytes = buffer;
  return experiments::run_here(known, p);
}

/** No datagram is missing that the kernel didn't drop, none is cut or strange. */
void check_balanced(const record::run& run) {
  CHECK(run.warnings.empty());
  CHECK(run.plan.mixed_from == 32u);
  for (const auto& result : run.results)
    for (const auto& r : result.rounds) {
      INFO(result.receiver << ", " << result.load << ", " << result.send << ": " << r.reason);
      CHECK(r.unique > 0);
      CHECK(r.unexplained == 0);
      CHECK(r.sent == r.unique + r.unread + r.kernel_dropped.value_or(0));
      CHECK(r.foreign == 0);
      CHECK(r.truncated == 0);
      // Half of the largest and the smallest, by and large.
      const double mean = static_cast<double>(r.bytes) / static_cast<double>(r.unique);
      CHECK(mean > 400);
      CHECK(mean < 660);
    }
}

bool sends_trains_here() {
  return support::joins() && mode_works(send_mode::segmented, support::v4().address(), 1024);
}

} // namespace

TEST_CASE("mixed sizes leave a ledger exact under every load, whatever sends them",
          "[experiment]") {
  const catalogue known = support::every_receiver();
  const std::vector<load> loads{
      {.what = load::kind::backlog},
      {.what = load::kind::flood},
      {.what = load::kind::pause, .sends = 100, .rest = std::chrono::microseconds(10)},
      {.what = load::kind::rate, .per_second = 100'000},
      {.what = load::kind::window, .in_flight = 16}};
  for (const auto mode : {send_mode::single, send_mode::batch, send_mode::segmented}) {
    if (!mode_works(mode, support::v4().address(), 1024)) continue;
    for (const load& l : loads)
      check_balanced(run_mixed(known, {"sync", "async+batch8"}, l, mode, {}));
  }
}

TEST_CASE("each receiver is sent the same mixed sizes", "[experiment]") {
  const catalogue known = support::every_receiver();
  for (const auto kind : {load::kind::backlog, load::kind::window}) {
    // Under these nothing is lost.
    const auto run = run_mixed(known, {"sync", "async", "raw"}, {.what = kind, .in_flight = 16},
                               send_mode::single, {});
    std::set<std::uint64_t> bytes;
    for (const auto& result : run.results)
      for (const auto& r : result.rounds) {
        CHECK(r.unique == r.sent);
        bytes.insert(r.bytes);
      }
    CHECK(bytes.size() == 1);
  }
}

TEST_CASE("of mixed sizes a train has one or two, and what the kernel drops of them is counted",
          "[experiment]") {
  if (!sends_trains_here()) SKIP("this kernel has no segmented sends, or doesn't join datagrams");
  const catalogue known = support::every_receiver();
  for (const auto kind : {load::kind::backlog, load::kind::flood}) {
    const auto run = run_mixed(known, {"raw+gro", "sync+gro", "async+gro", "sync"}, {.what = kind},
                               send_mode::segmented, 32 * 1024);
    check_balanced(run);
    for (const auto& result : run.results)
      for (const auto& r : result.rounds) {
        INFO(result.receiver << ", " << result.load);
        REQUIRE(r.send_calls);
        const auto sent = static_cast<double>(r.sent);
        CHECK(sent / static_cast<double>(*r.send_calls) > 1.3);
        CHECK(sent / static_cast<double>(*r.send_calls) < 1.7);
        if (result.receiver.find("+gro") == result.receiver.npos || !r.receive_calls) continue;
        const auto got = static_cast<double>(r.counted);
        CHECK(got / static_cast<double>(*r.receive_calls) > 1.05);
        CHECK(got / static_cast<double>(*r.receive_calls) < 1.95);
      }
  }
}

TEST_CASE("mixed sizes go by several ports and to several sockets", "[experiment]") {
  const catalogue known = support::every_receiver();
  check_balanced(
      run_mixed(known, {"sync", "async"}, {.what = load::kind::flood}, send_mode::batch, {}, 5));
  check_balanced(run_mixed(known, {"sync", "async"},
                           {.what = load::kind::rate, .per_second = 50'000}, send_mode::automatic,
                           {}, 1, 3));
}

TEST_CASE("of mixed sizes segments have no meaning, so that a flood goes by batches",
          "[experiment]") {
  const auto here = support::v4().address();
  if (!mode_works(send_mode::segmented, here, 1024) || !mode_works(send_mode::batch, here, 1024))
    SKIP("this kernel has no segmented, or no batched sends");
  const load flood{.what = load::kind::flood};
  CHECK(choose_mode(send_mode::automatic, flood, here, 1024, false) == send_mode::segmented);
  CHECK(choose_mode(send_mode::automatic, flood, here, 1024, true) == send_mode::batch);
  CHECK(choose_mode(send_mode::segmented, flood, here, 1024, true) == send_mode::segmented);
}

TEST_CASE("what was left unread of mixed sizes is known by its size", "[experiment]") {
  const schedule s{.run = 1, .round = 1, .size = 1024, .mixed = 3};
  const auto datagram_of = [&](std::uint64_t sequence, std::size_t size) {
    auto bytes = support::numbered({.round = 1, .run = 1, .sequence = sequence}, size);
    return right_length(s, bytes, size);
  };
  CHECK(datagram_of(5, s.length(0, 5)));
  CHECK_FALSE(datagram_of(5, s.length(0, 5) + 1));
  CHECK(right_length({.size = 64}, {}, 64));
}
