/** @file
    Rounds, ratios, the table and the file, from given figures.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/peer/contest.hpp"
#include "../../bench/peer/json.hpp"
#include "../../bench/peer/own.hpp"
#include "../../bench/peer/summary.hpp"
#include "../../bench/peer/table.hpp"

#include "catch.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace peers;

namespace {

figures run_of(double rate, std::optional<double> cpu = {}) {
  figures f;
  f.received_per_second = rate;
  f.receiver_cpu_ns = cpu;
  return f;
}

/** Two tools, of which the first is faster in the second round, and a receiver. */
field example() {
  return {1024,
          {{"slow", "single", true, {run_of(100, 4000), run_of(300, 3000)}, {}},
           {"fast", "single", true, {run_of(200, 5000), run_of(200, 2000)}, {}},
           {"ours", "segmented", false, {run_of(800, 1000), run_of(600, 1000)}, {}},
           {"broken", "single", true, {{}, {}}, {{0, "failed"}, {1, "failed again"}}}}};
}

const entry& named(const field& at, const std::string& name) {
  return *std::find_if(at.entries.begin(), at.entries.end(),
                       [&](const auto& e) { return e.name == name; });
}

std::vector<std::string> order_of(std::uint64_t seed, std::uint64_t rounds) {
  std::vector<std::string> ran;
  std::vector<entrant> all;
  for (const char* name : {"a", "b", "c", "d", "e"})
    all.push_back({name, "single", true, [](std::size_t) { return figures{}; }});
  contest(all, {64}, rounds, seed,
          [&](const entry& e, std::size_t, std::uint64_t) { ran.push_back(e.name); });
  return ran;
}

} // namespace

TEST_CASE(
    "each round has everybody once, the next one in reverse, and a seed gives the same order again",
    "[bench]") {
  const auto ran = order_of(7, 4);
  REQUIRE(ran.size() == 20);
  CHECK(std::equal(ran.begin(), ran.begin() + 5, ran.rend() - 10));
  CHECK(std::vector<std::string>(ran.begin(), ran.begin() + 5) ==
        std::vector<std::string>(ran.rend() - 10, ran.rend() - 5));
  CHECK(std::is_permutation(ran.begin() + 10, ran.begin() + 15, ran.begin()));
  CHECK(ran == order_of(7, 4));
  CHECK(ran != order_of(8, 4));
}

TEST_CASE("ratios are to the best tool of the same round, then the median", "[bench]") {
  const auto at = example();
  const auto ours = summarise(at, named(at, "ours"));
  // 800/200 and 600/300: the median of the logarithms.
  CHECK(ours.rate_ratio->estimate == Approx(std::sqrt(4.0 * 2.0)));
  CHECK(ours.cpu_ratio->estimate == Approx(std::sqrt(0.25 * 0.5)));
  CHECK(*ours.received_per_second == Approx(700));
  CHECK_FALSE(ours.rate_ratio->ci95);
  CHECK(summarise(at, named(at, "slow")).rate_ratio->estimate == Approx(std::sqrt(0.5)));
}

TEST_CASE("six rounds give an interval", "[bench]") {
  field at{64, {{"tool", "single", true, {}, {}}, {"ours", "single", false, {}, {}}}};
  for (int i = 1; i <= 6; ++i) {
    at.entries[0].rounds.push_back(run_of(100));
    at.entries[1].rounds.push_back(run_of(100 * i));
  }
  const auto r = summarise(at, at.entries[1]).rate_ratio;
  CHECK(r->ci95->low == Approx(1));
  CHECK(r->ci95->high == Approx(6));
}

TEST_CASE("who has no figures has none in the summary, and is nobody's measure", "[bench]") {
  const auto at = example();
  const auto s = summarise(at, named(at, "broken"));
  CHECK(s.runs == 0);
  CHECK_FALSE(s.received_per_second);
  CHECK_FALSE(s.rate_ratio);
  CHECK_FALSE(s.limited_by);
}

TEST_CASE(
    "who fails twice in a row is not run again, who fails now and then is, and the others go on",
    "[bench]") {
  std::size_t dead = 0;
  std::size_t moody = 0;
  const std::vector<entrant> all{{"dead", "single", true,
                                  [&](std::size_t) -> figures {
                                    ++dead;
                                    throw run_error("hung");
                                  }},
                                 {"moody", "single", true,
                                  [&](std::size_t) {
                                    if (++moody % 2) throw run_error("sulked");
                                    return run_of(1);
                                  }},
                                 {"ours", "batch", false, [](std::size_t) { return run_of(2); }}};
  const auto out = contest(all, {64}, 6, 1, [](const entry&, std::size_t, std::uint64_t) {});
  CHECK(out.complete);
  CHECK(dead == 2);
  CHECK(moody == 6);
  CHECK(out.fields[0].entries[0].failures.size() == 2);
  CHECK(out.fields[0].entries[1].failures.size() == 3);
  CHECK(out.fields[0].entries[1].failures[2].round == 4);
  CHECK(out.fields[0].entries[2].rounds.size() == 6);
}

TEST_CASE("an interrupt leaves what was measured by then", "[bench]") {
  std::size_t runs = 0;
  const std::vector<entrant> all{{"one", "single", true, [&](std::size_t) {
                                    if (++runs == 3) throw interrupted();
                                    return run_of(1);
                                  }}};
  const auto out = contest(all, {64, 1024}, 5, 1, [](const entry&, std::size_t, std::uint64_t) {});
  CHECK_FALSE(out.complete);
  CHECK(summarise(out.fields[0], out.fields[0].entries[0]).runs == 2);
  CHECK(summarise(out.fields[1], out.fields[1].entries[0]).runs == 0);
}

TEST_CASE(
    "the table has a row for each, a sign where nothing was measured, and the failures under it",
    "[bench]") {
  auto at = example();
  at.entries[0].rounds[0]->loss = 0.5;
  at.entries[0].rounds[0]->sender_share = 0.97;
  at.entries[0].rounds[0]->sender_cpu_ns = 3700;
  at.entries[0].rounds[0]->limited_by = limit::sender;
  std::ostringstream out;
  print_table(out, {at}, {.colour = false, .width = 120});
  CHECK_THAT(out.str(), Catch::Contains("1 KiB  slow      single") && Catch::Contains("50.00") &&
                            Catch::Contains("2.828"));
  CHECK_THAT(out.str(), Catch::Contains("broken    single            –      –      –      –  –"));
  std::ostringstream notes;
  print_notes(notes, {at}, {.colour = false, .width = 1000});
  std::string text = notes.str();
  text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  CHECK_THAT(text, Catch::Contains("its sender ran 97.0 % of the time"));
  CHECK_THAT(text, Catch::Contains("limited by its own cpu"));
  CHECK_THAT(text, Catch::Contains("round 1: it failed.") &&
                       Catch::Contains("round 2: it failed again. It was not run again."));
}

TEST_CASE("the file has every round, and null where nothing was measured", "[bench]") {
  const auto at = example();
  circumstances c{.machine = {},
                  .rounds = 2,
                  .seconds = 3,
                  .sender = 0,
                  .receiver = {},
                  .tools = {{"slow", "1.0"}},
                  .missing = {"gone"}};
  c.machine.seed = 42;
  const auto file = boost::json::parse(to_json(c, {{at}, false}));
  CHECK(file.at("schema").as_string() == "udpbench-peers/1");
  CHECK_FALSE(file.at("complete").as_bool());
  CHECK(file.at("context").at("seed").as_int64() == 42);
  CHECK(file.at("pin").at("receiver").is_null());
  CHECK(file.at("tools_missing").at(0).as_string() == "gone");
  const auto& ours = file.at("results").at(2);
  CHECK(ours.at("rounds").as_array().size() == 2);
  CHECK(ours.at("rounds").at(0).at("loss").is_null());
  CHECK(ours.at("summary").at("cpu_to_best_tool").at("ci95").is_null());
  const auto& broken = file.at("results").at(3);
  CHECK(broken.at("rounds").at(0).is_null());
  CHECK(broken.at("summary").at("received_per_second").is_null());
  CHECK(broken.at("failures").at(1).at("reason").as_string() == "failed again");
}

TEST_CASE(
    "a record of udpbench comes to figures by its valid rounds, and without one to its reason",
    "[bench]") {
  udpbench::record::round good;
  good.timed = 900;
  good.elapsed_ns = 1'000'000;
  good.unique = 950;
  good.sent = 1'000;
  good.observed = 950;
  good.cpu_ns = 95'000;
  udpbench::record::round bad;
  bad.valid = false;
  bad.reason = "too short";
  udpbench::record::run run;
  run.results.resize(2);
  run.results[0].rounds = {good, bad};
  run.results[1].rounds = {good};
  run.results[0].summary.limited_by = udpbench::record::limit::receiver;
  const auto f = figures_of(run);
  CHECK(f.received_per_second == Approx(900'000));
  CHECK(*f.loss == Approx(0.05));
  CHECK(*f.receiver_cpu_ns == Approx(100));
  CHECK(f.limited_by == limit::receiver);
  CHECK_FALSE(f.sender_share);
  run.results[0].rounds = {bad};
  run.results[1].rounds.clear();
  CHECK_THROWS_WITH(figures_of(run), "has no valid round: too short");
}
