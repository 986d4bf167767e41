/** @file
    The calibration's command line, and the program as its users meet it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/calibrate_words.hpp"

#include "catch.hpp"
#include "loopback.hpp"
#include "program.hpp"

#include <udpbench/record/json.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>

using calibration::parse;
using udpbench::app::usage_error;

TEST_CASE("without words there are 20 runs of all blocks in one process", "[bench]") {
  const auto w = parse({});
  CHECK(w.runs == 20);
  CHECK_FALSE(w.quick);
  CHECK_FALSE(w.processes);
  CHECK_FALSE(w.one_run);
}

TEST_CASE("the calibration's words are taken in any order", "[bench]") {
  const auto w = parse({"--processes", "--runs", "3", "--quick"});
  CHECK(w.runs == 3);
  CHECK(w.quick);
  CHECK(w.processes);
}

TEST_CASE("a wrong word is named, with what is allowed", "[bench]") {
  struct wrong {
    std::vector<std::string> words;
    const char* named;
  };
  for (const auto& [words, named] :
       {wrong{{"--runs"}, "'--runs': a number has to follow"}, wrong{{"--runs", "0"}, "--runs '0'"},
        wrong{{"--runs", "-1"}, "--runs '-1'"}, wrong{{"--runs", "many"}, "--runs 'many'"},
        wrong{{"--runs", "--quick"}, "--runs '--quick'"},
        wrong{{"--fast"}, "'--fast': known are --runs N"},
        wrong{{"20"}, "'20': known are --runs N"}, wrong{{""}, "'': known are"}})
    CHECK_THROWS_WITH(parse(words), Catch::Contains(named));
}

#ifdef UDPBENCH_CALIBRATE
namespace {
const std::string program = "exec '" UDPBENCH_CALIBRATE "' ";
}

TEST_CASE("the calibration prints a table of runs in one process, and of runs in processes",
          "[bench]") {
  const auto end = udpbench::test::run(program + "--runs 1 --quick --processes");
  if (end.code == 5) {
    WARN("skipped: the machine is too busy for a valid block");
    return;
  }
  CHECK(end.code == 0);
  CHECK(end.err.empty());
  CHECK_THAT(end.out, Catch::Contains("1 run in one process"));
  CHECK_THAT(end.out, Catch::Contains("1 run, each in a process of its own"));
  for (const char* receiver : {"\n  equal ", "\n     2% ", "\n     5% ", "\n    10% "})
    CHECK_THAT(end.out, Catch::Contains(receiver));
  CHECK_THAT(end.out, Catch::Contains("Nothing is judged"));
}

TEST_CASE("the calibration ends with 2 at a wrong word, and with 0 at --help", "[bench]") {
  const auto wrong = udpbench::test::run(program + "--runs none");
  CHECK(wrong.code == 2);
  CHECK(wrong.out.empty());
  CHECK_THAT(wrong.err, Catch::Contains("'none'"));
  const auto help = udpbench::test::run(program + "--help");
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Catch::Contains("--processes"));
}

TEST_CASE("an interrupt ends the calibration, and what was finished by then is shown", "[bench]") {
  // So many runs would take hours. The first thing that it prints, it prints before them.
  const udpbench::test::temporary_file file;
  const auto end = udpbench::test::run(program + "--runs 10000 >" + file.path(), [&](pid_t pid) {
    const auto last = std::chrono::steady_clock::now() + support::deadline;
    while (udpbench::test::slurp(file.path()).empty() && std::chrono::steady_clock::now() < last)
      std::this_thread::yield();
    ::kill(pid, SIGINT);
  });
  if (end.code == 5) {
    WARN("skipped: the machine is too busy for a valid block");
    return;
  }
  CHECK(end.code == 130);
  CHECK_THAT(udpbench::test::slurp(file.path()), Catch::Contains(" in one process"));
}

TEST_CASE("a process of the calibration that is interrupted writes a record that says so",
          "[bench]") {
  const auto end = udpbench::test::run(program + "--one-run 500", udpbench::test::interrupt);
  CHECK(end.code == 130);
  CHECK_FALSE(udpbench::record::read(end.out).complete);
}
#endif
