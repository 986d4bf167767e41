/** @file
    What is said of datagrams that no packet holds whole.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <udpbench/experiment/describe.hpp>

using printed::has;
using printed::text;

namespace {

udpbench::record::run run_over(const char* address, std::size_t size, std::size_t mtu) {
  auto run = examples::pair_run(1.4, 0.01, examples::verdict::slower);
  run.plan.address = address;
  for (auto& r : run.results) r.size = size;
  for (auto& c : run.comparisons) c.size = size;
  udpbench::experiment::note_packets(run, boost::asio::ip::make_address(address), mtu);
  return run;
}

} // namespace

TEST_CASE("a note says that datagrams go in fragments, from MTU - 28 or - 48 on", "[report]") {
  CHECK(has(text(run_over("127.0.0.1", 1473, 1500)),
            "Each datagram is sent in 2 fragments, which one lost fragment loses whole: the path's "
            "MTU is 1,500 bytes, of which 1,472 are left for a payload over IPv4."));
  CHECK(has(text(run_over("::1", 9000, 1500)), "sent in 7 fragments"));
  CHECK(has(text(run_over("::1", 1453, 1500)), "of which 1,452 are left for a payload over IPv6."));
  CHECK_FALSE(has(text(run_over("127.0.0.1", 1472, 1500)), "fragments"));
  CHECK_FALSE(has(text(run_over("::1", 1452, 1500)), "fragments"));
}

TEST_CASE("of mixed sizes the largest go in fragments", "[report]") {
  auto run = run_over("127.0.0.1", 1473, 1500);
  run.plan.mixed_from = 32;
  CHECK(has(text(run), "The largest datagrams are sent in 2 fragments"));
}

TEST_CASE("nothing is said of fragments where the path's MTU isn't known", "[report]") {
  auto run = run_over("127.0.0.1", 1473, 1500);
  udpbench::experiment::note_packets(run, boost::asio::ip::make_address("127.0.0.1"), {});
  for (auto& r : run.results) r.packets.reset();
  CHECK_FALSE(run.plan.path_mtu);
  CHECK_FALSE(has(text(run), "fragments"));
}
