// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <udpbench/report/text.hpp>
#include <udpbench/report/width.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace examples;
using printed::has;
using printed::tables;
using printed::text;
using udpbench::report::display_width;

namespace {

std::size_t widest(const std::string& report) {
  std::size_t width = 0;
  for (const std::string& line : printed::lines(report))
    width = std::max(width, display_width(line));
  return width;
}

} // namespace

TEST_CASE("the head names version, machine, build, plan, sockets and clock", "[report]") {
  const std::string out = text(default_run());
  CHECK(out.starts_with("udpbench 0.1.0 compare, 2026-11-30T12:00:00Z\n"));
  CHECK(has(out, "Example CPU @ 2.60GHz, 2 cpus, virtualised, governor unknown, kernel 6.18.5"));
  CHECK(has(out, "Release, g++ 12.2.0, Boost 1.81.0"));
  CHECK(
      has(out,
          "backlog, flood; 1 KiB; 20 blocks in one process, 20,000 datagrams a round; margin 2 %"));
  CHECK(has(out,
            "receive buffer 4 MiB requested, 8 MiB granted; sender on cpu 0; receiver on cpu 1"));
  CHECK(has(out, "resolution 1 ns, one reading 24.6 ns; measuring takes 6.1 ns of each datagram"));
  CHECK(has(out, "seed 42"));
  CHECK_FALSE(has(out, "warning:"));
}

TEST_CASE("the head tells what it doesn't know and what was the kernel's choice", "[report]") {
  record::run run = default_run();
  run.context.virtualised.reset();
  run.context.governor = "performance";
  run.context.overhead_ns.reset();
  run.plan.receive_buffer = {std::nullopt, 212992};
  run.plan.pin = {};
  const std::string out = text(run);
  CHECK_FALSE(has(out, "virtualised"));
  CHECK(has(out, "governor performance"));
  run.context.kernel = "Linux 6.18.5";
  CHECK(has(text(run), "governor performance, Linux 6.18.5 build"));
  CHECK_FALSE(has(out, "measuring takes"));
  CHECK(has(out,
            "receive buffer 208 KiB (the kernel's own); sender not pinned; receiver not pinned"));
}

TEST_CASE("a build other than Release is warned of in words", "[report]") {
  record::run run = default_run();
  for (const char* type : {"Debug", "", "RelWithDebInfo"}) {
    run.context.build_type = type;
    CHECK(has(text(run), "warning: this is not a Release build"));
  }
}

TEST_CASE("each warning and the error of a run are printed", "[report]") {
  record::run run = default_run();
  run.warnings = {"The first.", "The second."};
  run.error = "the sender's socket was closed";
  CHECK(has(text(run), "warning: The first."));
  CHECK(has(text(run), "warning: The second."));
  CHECK(has(text(run), "failed: the sender's socket was closed"));
}

TEST_CASE("the backlog table has figure, ratio, interval and verdict, and no loss", "[report]") {
  const std::string out = text(default_run());
  CHECK(has(out, "backlog, 1 KiB: time per queued datagram (ns), lower is better"));
  const printed::table t = tables(out).at(0);
  REQUIRE(t.rows.size() == 6);
  CHECK(t.unit.at("time") == "ns");
  CHECK(t.rows.at("async").at("time") == "871");
  CHECK(t.rows.at("async").at("ratio") == "1.412");
  CHECK(t.rows.at("async").at("95 % interval") == "1.384 to 1.440");
  CHECK(t.rows.at("async").at("verdict") == "slower by more than 2 %");
  CHECK(t.rows.at("sync").at("verdict") == "baseline");
  CHECK(t.rows.at("(control)").at("ratio") == "1.001");
  CHECK(t.rows.at("(control)").at("verdict") == "clean");
  CHECK(t.rows.at("async").count("loss") == 0);
}

TEST_CASE("the cost of a datagram stands in a second part where 80 columns are too few",
          "[report]") {
  const auto narrow = tables(text(default_run(), 80));
  REQUIRE(narrow.size() == 4);
  CHECK(narrow[1].rows.at("async").at("CPU") == "868");
  CHECK(narrow[1].rows.at("async").at("hook requests") == "1.000");
  CHECK(narrow[1].rows.at("async").at("allocations") == "0");
  CHECK(narrow[1].rows.at("sync").at("hook requests") == "–");

  const auto wide = tables(text(default_run(), 140));
  REQUIRE(wide.size() == 2);
  for (const auto& [name, row] : narrow[0].rows) {
    for (const auto& [head, cell] : row) CHECK(wide[0].rows.at(name).at(head) == cell);
  }
  for (const auto& [name, row] : narrow[1].rows) {
    for (const auto& [head, cell] : row) CHECK(wide[0].rows.at(name).at(head) == cell);
  }
}

TEST_CASE("the flood table has rate and loss, and says what is better", "[report]") {
  const std::string out = text(default_run());
  CHECK(has(out, "flood, 1 KiB: datagrams received per second (k/s), higher is better"));
  const printed::table t = tables(out).at(2);
  CHECK(t.rows.at("async").at("rate") == "1,023");
  CHECK(t.rows.at("async").at("loss") == "33.07");
  CHECK(t.rows.at("async+drain").at("verdict") == "inconclusive: slower, size not shown");
  CHECK(t.rows.at("async+batch").at("verdict") == "equivalent");
}

TEST_CASE("the baseline stands first and the control last", "[report]") {
  record::run run = default_run();
  std::reverse(run.results.begin(), run.results.end());
  const std::string out = text(run);
  const auto at = [&](const char* name) { return out.find(std::string{"\n"} + name + ' '); };
  CHECK(at("sync") < at("async"));
  CHECK(at("sync") < at("async+batch"));
  CHECK(at("(control)") > at("async"));
}

TEST_CASE("80 columns are enough for names of 20", "[report]") {
  for (const auto& run :
       {default_run(), sender_limited_run(), shared_cpu_run(), interrupted_run(), invalid_run()}) {
    CHECK(widest(text(run)) <= 80);
    const record::run longer = renamed(renamed(run, "async", "async.x8+batch32/rec"), "async+batch",
                                       "async.x8+batch64/hea");
    CHECK(widest(text(longer)) <= 80);
    CHECK(widest(text(longer, 140)) <= 140);
  }
}

TEST_CASE("a longer name is never cut", "[report]") {
  const std::string name(70, 'n');
  CHECK(text(renamed(default_run(), "async", name)).find(name + "  ") != std::string::npos);
}

TEST_CASE("a figure that was not measured is shown as a dash", "[report]") {
  record::run run = default_run();
  run.results[1].summary = {};
  run.comparisons[0].ratio.reset();
  run.comparisons[0].ci.reset();
  run.comparisons[0].verdict.reset();
  run.comparisons[0].reason = "async has no valid block";
  const std::string out = text(run);
  const auto t = tables(out);
  CHECK(t.at(0).rows.at("async").at("time") == "–");
  CHECK(t.at(0).rows.at("async").at("ratio") == "–");
  CHECK(t.at(0).rows.at("async").at("95 % interval") == "–");
  CHECK(t.at(0).rows.at("async").at("verdict") == "no ratio");
  CHECK(t.at(1).rows.at("async").at("CPU") == "–");
  CHECK(has(out, "No ratio for async: async has no valid block."));
}

TEST_CASE("a figure that is no number is shown as a dash", "[report]") {
  record::run run = default_run();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  run.results[1].summary.ns_per_datagram = nan;
  run.context.clock_resolution_ns = nan;
  run.comparisons[0].ratio = nan;
  const std::string out = text(run);
  CHECK(tables(out).at(0).rows.at("async").at("time") == "–");
  CHECK(tables(out).at(0).rows.at("async").at("ratio") == "–");
  CHECK(out.find("nan") == std::string::npos);
}

TEST_CASE(
    "no ratio of rates is published where the sender was the limit, though the record has one",
    "[report]") {
  const std::string out = text(sender_limited_run());
  const auto t = tables(out).at(0);
  CHECK(t.rows.at("async+batch").at("ratio") == "–");
  CHECK(t.rows.at("async+batch").at("95 % interval") == "–");
  CHECK(t.rows.at("async+batch").at("verdict") == "no ratio: limited by the sender");
  CHECK(t.rows.at("(control)").at("ratio") == "–");
  CHECK(out.find("1.004") == std::string::npos);
  CHECK(has(out, "No ratio of rates for async+batch: the sender was the limit"));
  CHECK(has(out, "compare CPU ns per datagram instead"));
  CHECK(has(out, "Sent by single sends, though segmented sends (UDP_SEGMENT) were asked for."));
}

TEST_CASE("a ratio of CPU times is published also where the sender was the limit", "[report]") {
  record::run run = sender_limited_run();
  run.comparisons.front().metric = "cpu_ns_per_datagram";
  const std::string out = text(run);
  CHECK(tables(out).at(0).rows.at("async+batch").at("ratio") == "1.004");
  CHECK(has(out, "The ratios compare another figure, CPU time per datagram (lower is better)."));
}

TEST_CASE("a control that is suspect marks the whole table", "[report]") {
  record::run run = pair_run(1.04, 0.005, verdict::slower);
  run.comparisons.front().control = {1.03, {{1.025, 1.04}}, verdict::slower, true};
  run.suspect.push_back(
      {"backlog", 1024, 1, "", "the control differs from the baseline, though both are sync"});
  const std::string out = text(run);
  CHECK(has(out, "suspect: the control differs from the baseline, though both are sync"));
  CHECK(tables(out).at(0).rows.at("(control)").at("verdict") == "suspect");
  CHECK(tables(out).at(0).rows.at("async").at("verdict") == "slower, but suspect");
}

TEST_CASE("a control above the margin is called so", "[report]") {
  record::run run = pair_run(1.04, 0.005, verdict::inconclusive, qualifier::noise_floor);
  run.comparisons.front().control = {1.0, {{0.97, 1.03}}, verdict::inconclusive, false};
  const printed::table t = tables(text(run)).at(0);
  CHECK(t.rows.at("(control)").at("verdict") == "noise floor above the margin");
  CHECK(t.rows.at("async").at("verdict") == "inconclusive: within the noise");
}

TEST_CASE("one receiver is reported without ratios", "[report]") {
  record::run run = pair_run(1, 0, verdict::equivalent);
  run.comparisons.clear();
  run.results.resize(1);
  run.plan.receivers = {"sync"};
  const std::string out = text(run);
  CHECK(tables(out).at(0).rows.at("sync").at("time") == "620");
  CHECK(out.find("ratio") == std::string::npos);
  CHECK(out.find("verdict") == std::string::npos);
}

TEST_CASE("a run without a valid round has dashes and says so", "[report]") {
  record::run run = invalid_run();
  for (record::result& r : run.results) r.summary = {};
  run.comparisons.clear();
  const std::string out = text(run);
  CHECK(tables(out).at(0).rows.at("sync").at("time") == "–");
  CHECK(has(out, "No valid round, so nothing can be said."));
}

TEST_CASE("an interrupted run is marked with what it has and what it planned", "[report]") {
  CHECK(has(text(interrupted_run()), "incomplete: interrupted after 3 of 20 blocks"));
  record::run nothing = empty_run();
  nothing.complete = false;
  nothing.plan.loads = {"backlog", "flood"};
  nothing.plan.sizes = {1024};
  CHECK(has(text(nothing), "incomplete: interrupted after 0 of 40 blocks"));
  CHECK(has(text(nothing), "Nothing was measured."));
  CHECK_FALSE(has(text(default_run()), "incomplete"));
}

TEST_CASE("a control without an interval is not called noise", "[report]") {
  record::run run = interrupted_run();
  run.comparisons.front().control = {1.003, std::nullopt, verdict::inconclusive, false};
  CHECK(tables(text(run)).at(0).rows.at("(control)").at("verdict") == "too few blocks");
}

TEST_CASE("too few blocks for an interval are told in place of a verdict", "[report]") {
  const std::string out = text(interrupted_run());
  CHECK(tables(out).at(0).rows.at("async").at("ratio") == "1.410");
  CHECK(tables(out).at(0).rows.at("async").at("95 % interval") == "–");
  CHECK(tables(out).at(0).rows.at("async").at("verdict") == "inconclusive: too few blocks");
  CHECK(has(out, "No interval for async: it takes at least 6 valid blocks."));
}

TEST_CASE("figures of one process are called that", "[report]") {
  record::run run = default_run();
  CHECK(has(text(run), "All figures come from this process."));
  run.plan.processes = 12;
  CHECK(has(text(run), "20 blocks in each of 12 processes"));
  CHECK_FALSE(has(text(run), "this process"));
}

TEST_CASE("how a ratio is made is told where there is one and not elsewhere", "[report]") {
  CHECK(has(text(default_run()),
            "ratio = exp(median of log ratios), block by block: need not be the quotient of "
            "the medians shown."));
  CHECK_FALSE(has(text(sender_limited_run()), "exp(median"));
}

TEST_CASE("colour changes no word and comes only when asked for", "[report]") {
  const std::string plain = text(default_run());
  std::string coloured = text(default_run(), 80, true);
  CHECK(plain.find('\x1b') == plain.npos);
  CHECK(coloured != plain);
  for (std::size_t at; (at = coloured.find('\x1b')) != coloured.npos;) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  CHECK(coloured == plain);
}

TEST_CASE("names from a file cannot command the terminal", "[report]") {
  record::run run = renamed(default_run(), "async", "a\x1b[2J");
  run.context.cpu = "\x1b]0;title\x07";
  run.warnings = {"\x1b[31m"};
  CHECK(text(run).find('\x1b') == std::string::npos);
  CHECK(text(run).find('\x07') == std::string::npos);
}

TEST_CASE("each load, size and number of sockets has a table of its own", "[report]") {
  record::run run = default_run();
  const std::size_t before = run.results.size();
  for (std::size_t i = 0; i < before; ++i) {
    record::result more = run.results[i];
    more.sockets = 4;
    run.results.push_back(more);
  }
  const std::string out = text(run, 140);
  CHECK(tables(out).size() == 4);
  CHECK(has(out, "flood, 1 KiB, 4 sockets: datagrams received per second"));
}

TEST_CASE("receive offload on loopback is called its best case", "[report]") {
  record::run run = renamed(default_run(), "async+batch", "async+gro");
  CHECK_FALSE(has(text(run), "per receive call"));
  for (record::result& r : run.results)
    if (r.receiver == "async+gro" && r.load == "flood")
      r.summary.datagrams_per_receive_call = 62.96;
  CHECK(has(text(run), "Datagrams per receive call: 63.0 for async+gro."));
  CHECK(has(text(run), "On loopback GRO passes the sender's own segments through: its best case."));
  // An address of the host's own: what it sends to itself doesn't leave it.
  run.plan.address = "192.0.2.1";
  CHECK(has(text(run), "On loopback GRO passes the sender's own segments through: its best case."));
}
