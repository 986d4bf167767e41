/** @file
    Sizes that other tools stumble over: odd ones in segments, and more than fits into a packet.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "loopback.hpp"

#include <udpbench/experiment/compare.hpp>
#include <udpbench/experiment/in_process.hpp>

using namespace udpbench;
using namespace udpbench::experiment;

namespace {

record::run run_here(const catalogue& known, plan p) {
  p.blocks = 1;
  in_process here(known);
  record::run out;
  comparison(std::move(p), here, {}).run(out);
  return out;
}

/** Each datagram is whole, and none is missing that the kernel didn't drop. */
void check_whole(const record::run& run) {
  for (const auto& result : run.results) {
    INFO(result.receiver << ", " << result.size << " bytes, " << result.load);
    CHECK(result.failure.empty());
    REQUIRE_FALSE(result.rounds.empty());
    for (const auto& r : result.rounds) {
      CHECK(r.sent == r.intended);
      CHECK(r.unique > 0);
      CHECK(r.unexplained == 0);
      CHECK(r.foreign == 0);
      CHECK(r.truncated == 0);
      CHECK(r.bytes == r.unique * result.size);
    }
  }
}

} // namespace

TEST_CASE("segmented sends of an odd size with an odd tail arrive whole at every receiver, over "
          "IPv4 and IPv6",
          "[experiment]") {
  const catalogue known = support::every_receiver();
  for (const auto& local : {support::v4(), support::v6()}) {
    if (!support::usable(local)) continue;
    constexpr std::size_t size = 1001;
    if (!mode_works(send_mode::segmented, local.address(), size)) {
      WARN("skipped: no segmented sends to " << local.address());
      continue;
    }
    plan p;
    p.receivers = support::every_name(known);
    p.loads = {{.what = load::kind::flood}};
    p.sizes = {size};
    p.address = local.address();
    p.send = send_mode::segmented;
    p.count = 2 * 64 + 57;
    const auto run = run_here(known, p);
    check_whole(run);
    for (const auto& result : run.results) CHECK(result.send == "segmented");
  }
}

TEST_CASE("a payload above the MTU of the loopback arrives in fragments, whole", "[experiment]") {
  if (!support::usable(support::v6())) {
    WARN("skipped: this host has no ::1");
    return;
  }
  plan p;
  p.receivers = {"raw", "sync", "async", "async+batch8", "coroutine"};
  p.loads = {{.what = load::kind::backlog}, {.what = load::kind::flood}};
  // The last that fits into a packet of 65,536 bytes with 48 of headers, the first that doesn't, and the largest.
  p.sizes = {65'488, 65'489, 65'507};
  p.address = boost::asio::ip::address_v6::loopback();
  p.count = 300;
  check_whole(run_here(support::every_receiver(), p));
}
