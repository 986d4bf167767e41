/** @file
    What several tables say together, and the work of one.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

using namespace examples;
using printed::has;
using printed::text;

TEST_CASE("break-evens and crossings are told in sentences, and none where there are none",
          "[report]") {
  record::run run = pair_run(1.04, 0.005, verdict::slower);
  CHECK_FALSE(has(text(run), "From how"));
  add_series(run);
  const std::string out = text(run);
  CHECK(has(out, "async costs 195 ns more than sync (backlog, 1 KiB)"));
  CHECK(has(out, "beside 9,343 ns of work or more"));
  CHECK(has(out, "from the work touch (280 ns) on"));
  CHECK(has(out, "slower with up to 2 queued datagrams, faster from 8 queued datagrams on."));
  CHECK(has(out, "Ratios: 2: 1.250, 4: – (no verdict), 8: 0.500."));
}

TEST_CASE("a surcharge is told with its interval, which may hold 0", "[report]") {
  const auto told = [](double surcharge, std::optional<std::array<double, 2>> ci) {
    record::run run = pair_run(1.04, 0.005, verdict::slower);
    add_series(run);
    run.break_evens.front().surcharge_ns = surcharge;
    run.break_evens.front().surcharge_ci = ci;
    return text(run);
  };
  CHECK(has(told(195, {}), "async costs 195 ns more than sync"));
  CHECK(has(told(195, {{188, 203}}), "async costs 195 ns (188 ns to 203 ns) more than sync"));
  CHECK(has(told(-195, {{-203, -188}}), "async costs 195 ns (188 ns to 203 ns) less than sync"));
  CHECK(has(told(5, {{-2, 12}}),
            "async costs 5.00 ns (from 2.00 ns less to 12.0 ns more) more than sync"));
}

TEST_CASE("where several works have no break-even is told", "[report]") {
  record::run run = default_run();
  const std::string untold = "Not told for flood, where rates are compared";
  CHECK_FALSE(has(text(run), untold));
  run.plan.works = {"0", "5us"};
  const std::string out = text(run);
  CHECK(has(out, "From how much work on the receive path no longer matters"));
  CHECK(has(out, untold));
  std::erase_if(run.comparisons, [](const auto& c) { return c.load == "flood"; });
  CHECK_FALSE(has(text(run), "Not told for"));
}

TEST_CASE("the words of a crossing are those of its ends, whichever way it goes", "[report]") {
  const auto words = [](record::crossing c) {
    record::run run = pair_run(1.04, 0.005, verdict::slower);
    c.receiver = "async";
    c.over = "sockets";
    c.points = {{1, 0.5, {}}, {4, 1.0, {}}, {64, 2.0, {}}};
    run.crossings = {c};
    return text(run);
  };
  record::crossing c;
  CHECK(has(words(c), "neither slower nor faster with the fewest or the most sockets."));
  c.faster_up_to = 1;
  CHECK(has(words(c), "): faster with up to 1 socket."));
  c.slower_from = 64;
  CHECK(has(words(c), "): faster with up to 1 socket, slower from 64 sockets on."));
  c.slower_from = 1;
  c.faster_up_to = {};
  c.slower_up_to = 64;
  CHECK(has(words(c), "): slower with each of these numbers of sockets."));
}

TEST_CASE("a table with work says which, and what it takes", "[report]") {
  record::run run = pair_run(1.04, 0.005, verdict::slower);
  for (auto& r : run.results) {
    r.work = "5us";
    r.work_ns = 5003;
  }
  for (auto& c : run.comparisons) c.work = "5us";
  const std::string out = text(run);
  CHECK(has(out, "backlog, 1 KiB, work 5us: "));
  CHECK(has(out, "takes 5,003 ns when measured alone"));
}
