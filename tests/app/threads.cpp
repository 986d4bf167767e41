/** @file
    Several threads, as a command line asks for them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "every_receiver.hpp"
#include "program.hpp"
#include "the_program.hpp"

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/processes.hpp>
#include <udpbench/net/affinity.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace udpbench;
using namespace udpbench::app;
using experiment::load;
using test::finished;
using test::program;
using test::run;

namespace {

experiment::plan plan_of(const compare_words& words) {
  static const experiment::catalogue known = support::every_receiver();
  return make_plan(words, known);
}

compare_words words_for(const std::string& threads) {
  compare_words w;
  w.receivers = {"sync"};
  w.threads = threads;
  return w;
}

} // namespace

TEST_CASE("several threads are sent a flood and a rate unless a load is named", "[app]") {
  auto w = words_for("4");
  CHECK(plan_of(w).threads == 4);
  CHECK(plan_of(w).loads == std::vector<load>{{.what = load::kind::flood},
                                              {.what = load::kind::rate, .per_second = 100'000}});
  for (const char* wrong : {"0", "-1", "1,2", "x", "", "257"}) {
    w.threads = wrong;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--threads"));
  }
}

TEST_CASE("of several threads each has flows to receive, unless their number is named", "[app]") {
  CHECK(plan_of(words_for("1")).flows == 1);
  CHECK(plan_of(words_for("4")).flows == 64);
  CHECK(plan_of(words_for("256")).flows == 1000);
  auto w = words_for("4");
  w.flows = "1";
  CHECK(plan_of(w).flows == 1);
}

TEST_CASE("what takes one thread, or decides on threads itself, is refused with several", "[app]") {
  for (const char* wrong : {"backlog", "window:8", "backlog:4"}) {
    auto w = words_for("2");
    w.load = std::string("flood,") + wrong;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains(wrong) && Catch::Contains("several threads"));
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
  for (const char* sockets : {"2", "1,2"}) {
    auto w = words_for("2");
    w.sockets = sockets;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--threads '2'") && Catch::Contains("--sockets"));
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("several threads have all cpus but the sender's, unless one is named", "[app]") {
  const auto allowed = net::allowed_cpus();
  auto w = words_for("3");
  const auto p = plan_of(w);
  CHECK(p.pin.sender == allowed.front());
  if (allowed.size() > 1) {
    CHECK_FALSE(p.pin.receiver.has_value());
    CHECK(p.pin.receivers == std::vector<unsigned>(allowed.begin() + 1, allowed.end()));
  } else {
    CHECK(p.pin.receiver == allowed.front());
  }
  w.pin = std::to_string(allowed.front()) + ',' + std::to_string(allowed.back());
  CHECK(plan_of(w).pin.receiver == allowed.back());
  CHECK(plan_of(w).pin.receivers.empty());
  w.pin = "none";
  CHECK_FALSE(plan_of(w).pin.receiver.has_value());
  CHECK(plan_of(w).pin.receivers.empty());
}

TEST_CASE("a process of its own has the threads that were asked for", "[app]") {
  const auto w = words_for("3");
  const auto words = app::detail::child_words(w, plan_of(w), 0);
  const auto at = std::find(words.begin(), words.end(), "--threads");
  REQUIRE(words.end() - at >= 2);
  CHECK(at[1] == "3");
}

TEST_CASE("the threads that are asked for are echoed, and each tells what it got", "[app]") {
  const finished end = run(program + "compare sync async.shared --threads 3 --load rate:50k "
                                     "--count 2000 --rounds 1 --json -");
  CHECK((end.code == 0 || end.code == 5));
  const auto file = boost::json::parse(end.out);
  CHECK(file.at("plan").at("threads") == 3);
  CHECK(file.at("plan").at("flows") == 48);
  const auto allowed = net::allowed_cpus();
  CHECK(file.at("plan").at("pin").at("receivers").as_array().size() == allowed.size() - 1);
  for (const auto& result : file.at("results").as_array()) {
    CHECK(result.at("threads") == 3);
    const bool apart = result.at("receiver") == "sync";
    for (const auto& round : result.at("rounds").as_array())
      CHECK(round.at("per_thread").as_array().size() == (apart ? 3 : 0));
  }
}

TEST_CASE("more threads than descriptors are refused by name", "[app]") {
  const finished end = run("ulimit -n 200 && " + program + "compare sync --threads 200");
  CHECK(end.code == 1);
  CHECK_THAT(end.err, Catch::Contains("200 threads") && Catch::Contains("may have 200") &&
                          Catch::Contains("ulimit -n"));
}

TEST_CASE("more threads than the system gives fail by name", "[app]") {
  // A limit of address space stands for one of threads, which doesn't hold for root.
  const finished end =
      run("ulimit -v 600000 && " + program +
          "compare sync --threads 256 --load flood --rounds 1 --count 100 --quiet");
  if (end.code != 1) {
    WARN("skipped: this system gives so many threads within 600 MB of addresses");
    return;
  }
  CHECK_THAT(end.err + end.out, Catch::Contains("256 threads") && Catch::Contains("ulimit"));
}
