/** @file
    The program run as several processes.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "program.hpp"
#include "the_program.hpp"

#include <boost/json/parse.hpp>

#include <set>
#include <string>
#include <thread>

using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;

TEST_CASE("a comparison in several processes counts each of them once", "[app]") {
  const finished end = run(
      program +
      "compare sync async --load backlog --rounds 1 --seed 7 --processes 6 --margin 3% --json -");
  // 5: the machine was too busy for a single valid round.
  REQUIRE((end.code == 0 || end.code == 5));
  const auto json = boost::json::parse(end.out);
  CHECK(json.at("plan").at("processes") == 6);
  CHECK(json.at("plan").at("margin").to_number<double>() == 0.03);
  CHECK(json.at("context").at("seed") == 7);
  CHECK(json.at("context").at("command").as_string().find("--processes 6") != std::string::npos);
  const auto& comparison = json.at("comparisons").at(0);
  if (!comparison.at("ratio").is_null()) {
    CHECK(comparison.at("processes") == 6);
    CHECK(comparison.at("ci").is_array());
  }
  std::set<std::uint64_t> seen;
  for (const auto& round : json.at("results").at(0).at("rounds").as_array())
    seen.insert(round.at("process").to_number<std::uint64_t>());
  CHECK(seen == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("too few processes for an interval are refused", "[app]") {
  for (const std::string text : {"0", "2", "5", "1001", "x"}) {
    const finished end = run(program + "compare sync --processes " + text);
    INFO(text);
    CHECK(end.code == 2);
    CHECK_THAT(end.err, Catch::Contains("--processes") && Catch::Contains("'" + text + "'"));
  }
}

TEST_CASE("what fails in a process fails the whole, and is named", "[app]") {
  const finished end = run(program + "compare sync --load backlog:60000 --rounds 1 --processes 6");
  CHECK(end.code == 1);
  CHECK_THAT(end.err, Catch::Contains("backlog:60000"));
}

TEST_CASE("an interrupt ends a run in several processes, with what was measured", "[app]") {
  const finished end = run(
      program + "compare sync --load backlog --rounds 10000 --processes 6 --json -", [](pid_t pid) {
        const std::string children =
            "grep -q . /proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children";
        for (int i = 0; i < 100'000 && std::system(children.c_str()) != 0; ++i)
          std::this_thread::yield();
        ::kill(pid, SIGINT);
      });
  CHECK(end.code == 130);
  CHECK(boost::json::parse(end.out).at("complete") == false);
}
