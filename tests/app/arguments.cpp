#include "catch.hpp"
#include "every_receiver.hpp"

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/builtin.hpp>
#include <udpbench/app/exit_code.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/in_process.hpp>

#include <set>

using namespace udpbench;
using namespace udpbench::app;
using experiment::load;

namespace {

experiment::plan plan_of(const compare_words& words) {
  static const experiment::catalogue known = support::every_receiver();
  return make_plan(words, known);
}

compare_words words_for(std::vector<std::string> receivers) {
  compare_words w;
  w.receivers = std::move(receivers);
  return w;
}

} // namespace

TEST_CASE("the default receivers are all there", "[app]") {
  const auto p = plan_of(words_for(default_receivers()));
  CHECK(p.receivers.front() == "sync");
  CHECK(p.loads == std::vector<load>{{.what = load::kind::backlog}, {.what = load::kind::flood}});
  CHECK(p.sizes == std::vector<std::size_t>{1024});
  CHECK(p.blocks == 20);
  CHECK(p.margin == Approx(0.02));
}

TEST_CASE("an unknown receiver is refused with those that are known of its driver", "[app]") {
  CHECK_THROWS_WITH(plan_of(words_for({"sync/heap"})), Catch::Contains("'sync/heap'") &&
                                                           Catch::Contains("sync+batch") &&
                                                           !Catch::Contains("async"));
  CHECK_THROWS_WITH(plan_of(words_for({"synk"})),
                    Catch::Contains("'synk'") && Catch::Contains("async"));
  CHECK_THROWS_AS(plan_of(words_for({"sync", "sync"})), usage_error);
}

TEST_CASE("loads are parsed with their values", "[app]") {
  auto w = words_for({"sync"});
  w.load = "backlog:16";
  CHECK(plan_of(w).loads == std::vector<load>{{.what = load::kind::backlog, .depth = 16}});
  for (const char* text : {"",
                           "flood:1",
                           "backlog:",
                           "backlog:0",
                           "backlog:-1",
                           "backlog:x",
                           "back",
                           "flood,",
                           "Flood",
                           "pause",
                           "pause:",
                           "pause:128",
                           "pause:/1ms",
                           "pause:0/1ms",
                           "pause:128/",
                           "pause:128/1",
                           "pause:128/0ms",
                           "pause:128/-1ms",
                           "pause:128/11s",
                           "pause:128/1ms/2",
                           "rate",
                           "rate:",
                           "rate:0",
                           "rate:-1",
                           "rate:1.5",
                           "rate:200k/s",
                           "rate:10000001",
                           "window",
                           "window:",
                           "window:0",
                           "window:-1",
                           "window:65537",
                           "window:64/1"}) {
    INFO(text);
    w.load = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("a pause names its datagrams and its rest, and is written as it was typed", "[app]") {
  auto w = words_for({"sync"});
  for (const char* text : {"pause:128/1ms", "pause:1/500us", "pause:64/2s", "pause:3/7ns"}) {
    w.load = text;
    CHECK(plan_of(w).loads.front().name() == text);
  }
  w.load = "pause:128/1ms";
  CHECK(plan_of(w).loads.front().sends == 128);
  CHECK(plan_of(w).loads.front().rest == std::chrono::milliseconds(1));
}

TEST_CASE("rates and windows are parsed with their units, within their limits", "[app]") {
  auto w = words_for({"sync"});
  w.load = "rate:1,rate:200k,rate:10M,window:1,window:64,window:64Ki";
  const auto loads = plan_of(w).loads;
  REQUIRE(loads.size() == 6);
  CHECK(loads[0] == load{.what = load::kind::rate, .per_second = 1});
  CHECK(loads[1] == load{.what = load::kind::rate, .per_second = 200'000});
  CHECK(loads[2] == load{.what = load::kind::rate, .per_second = 10'000'000});
  CHECK(loads[3] == load{.what = load::kind::window, .in_flight = 1});
  CHECK(loads[4] == load{.what = load::kind::window, .in_flight = 64});
  CHECK(loads[5] == load{.what = load::kind::window, .in_flight = 65'536});
  w.load = "rate:11M";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("'11M'") && Catch::Contains("from 1 to 10000000"));
  w.load = "window:70000";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("'70000'") && Catch::Contains("from 1 to 65536"));
  w.load = "ratio:1";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("rate:200k") && Catch::Contains("window:64"));
  w.load = "rate:200k,rate:200000";
  CHECK_THROWS_AS(plan_of(w), usage_error);
}

TEST_CASE("sizes from 1 to 65507 are taken, others are refused", "[app]") {
  auto w = words_for({"sync"});
  w.size = "1,31,32,65507";
  CHECK(plan_of(w).sizes == std::vector<std::size_t>{1, 31, 32, 65'507});
  for (const char* text : {"0", "65508", "-1", "1e99", "", "1024,"}) {
    INFO(text);
    w.size = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("a load or a size that is named twice is refused", "[app]") {
  auto w = words_for({"sync"});
  w.load = "flood,backlog,flood";
  CHECK_THROWS_AS(plan_of(w), usage_error);
  w = words_for({"sync"});
  w.size = "1024,64,1KiB";
  CHECK_THROWS_AS(plan_of(w), usage_error);
  w = words_for({"sync"});
  w.load = "pause:1/1ms,pause:1/1000us";
  CHECK_THROWS_AS(plan_of(w), usage_error);
}

TEST_CASE("counts and rounds of 0 or below are refused", "[app]") {
  for (const char* text : {"0", "-5", "1e99", "x"}) {
    auto w = words_for({"sync"});
    w.count = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
    w = words_for({"sync"});
    w.rounds = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("rounds alone fix the number of blocks; else a pilot of 20 at least aims at a precision",
          "[app]") {
  auto w = words_for({"sync"});
  CHECK(plan_of(w).blocks == 20);
  CHECK(*plan_of(w).precision == Approx(0.01));
  CHECK(plan_of(w).max_time == std::chrono::seconds(60));
  w.rounds = "4";
  CHECK(plan_of(w).blocks == 4);
  CHECK_FALSE(plan_of(w).precision);
  w.precision = "0.5%";
  w.max_time = "90s";
  CHECK(plan_of(w).blocks == 20);
  CHECK(*plan_of(w).precision == Approx(0.005));
  CHECK(plan_of(w).max_time == std::chrono::seconds(90));
  w.rounds = "30";
  CHECK(plan_of(w).blocks == 30);
  for (const char* text : {"0%", "-1%", "1", "101%", "x%"}) {
    w.precision = text;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--precision") && Catch::Contains(text));
  }
  w.precision = "1%";
  for (const char* text : {"0s", "60", "-1s", "25000000s", "soon"}) {
    w.max_time = text;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--max-time") && Catch::Contains(text));
  }
}

TEST_CASE("pins name two cpus that are there", "[app]") {
  auto w = words_for({"sync"});
  const unsigned cpu = net::allowed_cpus().front();
  w.pin = std::to_string(cpu) + "," + std::to_string(cpu);
  const auto p = plan_of(w);
  CHECK(p.pin.sender == cpu);
  CHECK(p.pin.receiver == cpu);
  CHECK(p.shared_cpu);
  w.pin = "none";
  CHECK_FALSE(plan_of(w).pin.receiver);
  w.pin = std::to_string(cpu) + ",100000";
  CHECK_THROWS_AS(plan_of(w), machine_error);
  for (const char* text : {"0", "0,1,2", "a,b", "-1,0", "0,", "99999999999,0"}) {
    INFO(text);
    w.pin = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("addresses are those of one interface", "[app]") {
  auto w = words_for({"sync"});
  w.address = "::1";
  CHECK(plan_of(w).address.is_v6());
  for (const char* text :
       {"", "foo", "0.0.0.0", "::", "224.0.0.1", "255.255.255.255", "127.0.0.1:80", "localhost"}) {
    INFO(text);
    w.address = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("mixed sizes have to go beyond the header", "[app]") {
  auto w = words_for({"sync"});
  CHECK_FALSE(plan_of(w).mixed_sizes);
  w.mixed_sizes = true;
  w.size = "33,1KiB";
  CHECK(plan_of(w).mixed_sizes);
  w.size = "64,32";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--mixed-sizes '32'") && Catch::Contains("above"));
}

TEST_CASE("segmented sends of datagrams that fill them alone are refused", "[app]") {
  auto w = words_for({"sync"});
  w.send = "segmented";
  w.size = "32736";
  CHECK(plan_of(w).send == experiment::send_mode::segmented);
  w.size = "32737";
  CHECK_THROWS_AS(plan_of(w), usage_error);
  w.send = "fast";
  CHECK_THROWS_AS(plan_of(w), usage_error);
}

TEST_CASE("a receive buffer that isn't granted is refused with what is", "[app]") {
  auto w = words_for({"sync"});
  w.receive_buffer = "64KiB";
  auto p = plan_of(w);
  const experiment::catalogue none;
  experiment::in_process here(none);
  CHECK(check_receive_buffer(p, here, w.receive_buffer) >= 2 * 65'536);
  w.receive_buffer = "1073741823";
  p = plan_of(w);
  try {
    check_receive_buffer(p, here, w.receive_buffer);
    WARN("skipped: this user is granted any receive buffer");
  } catch (const machine_error& e) {
    CHECK_THAT(e.what(), Catch::Contains("1073741823") && Catch::Contains("grants"));
  }
  for (const char* text : {"0", "2GiB", "-1", "lots"}) {
    w.receive_buffer = text;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
}

TEST_CASE("the seed is taken, and drawn anew where there is none", "[app]") {
  auto w = words_for({"sync"});
  w.seed = "42";
  CHECK(plan_of(w).seed == 42);
  w.seed.clear();
  std::set<std::uint64_t> seeds;
  std::set<std::uint64_t> runs;
  for (int i = 0; i < 8; ++i) {
    seeds.insert(plan_of(w).seed);
    runs.insert(plan_of(w).run);
  }
  CHECK(seeds.size() > 1);
  CHECK(runs.size() > 1);
}

TEST_CASE("exit codes: failed, interrupted, no valid round, done, in that order", "[app]") {
  record::run run;
  record::result r;
  r.rounds.resize(2);
  run.results = {r, r};
  CHECK(code_of(run) == done);
  run.results[1].rounds[0].valid = false;
  CHECK(code_of(run) == done);
  run.results[1].rounds[1].valid = false;
  CHECK(code_of(run) == no_round);
  run.results[0].failure = "it threw";
  CHECK(code_of(run) == failed);
  run.complete = false;
  CHECK(code_of(run) == interrupted);
  run.error = "x";
  CHECK(code_of(run) == failed);
}

TEST_CASE("a depth stands for a backlog of each", "[app]") {
  auto w = words_for({"sync"});
  w.load = "flood,backlog";
  w.depth = "1,16";
  using kind = load::kind;
  CHECK(plan_of(w).loads == std::vector<load>{{.what = kind::flood},
                                              {.what = kind::backlog, .depth = 1},
                                              {.what = kind::backlog, .depth = 16}});
  for (const char* wrong : {"0", "1,1", "1,,2", "65537", "-1", "x"}) {
    w.depth = wrong;
    CHECK_THROWS_AS(plan_of(w), usage_error);
  }
  w.depth = "4";
  w.load = "flood,backlog:8";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--depth '4'") && Catch::Contains("backlog"));
  w.load = "backlog,backlog:4";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("twice"));
}

TEST_CASE("works are none, a time, or of a kind", "[app]") {
  auto w = words_for({"sync"});
  using experiment::work;
  CHECK(plan_of(w).works == std::vector<work>{{}});
  w.work = "0,1us,touch,copy,random:64KiB";
  const auto works = plan_of(w).works;
  CHECK(works == std::vector<work>{{},
                                   {.what = work::kind::spin, .time = std::chrono::microseconds(1)},
                                   {.what = work::kind::touch},
                                   {.what = work::kind::copy},
                                   {.what = work::kind::random, .time = {}, .bytes = 65'536}});
  std::string names;
  for (const work& each : works) names += each.name() + ' ';
  CHECK(names == " 1us touch copy random:64KiB ");
  for (const char* wrong : {"", "1", "20ms", "-1us", "random", "random:", "random:1", "random:2GiB",
                            "touch,touch", "1us,1000ns", "nap"}) {
    w.work = wrong;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--work"));
  }
}

TEST_CASE("several sockets are sent to at a rate unless a load is named", "[app]") {
  auto w = words_for({"sync"});
  w.sockets = "1,64";
  const auto p = plan_of(w);
  CHECK(p.sockets == std::vector<std::size_t>{1, 64});
  CHECK(p.loads == std::vector<load>{{.what = load::kind::rate, .per_second = 100'000}});
  for (const char* wrong : {"0", "-1", "1,1", "x", "", "20000"}) {
    w.sockets = wrong;
    CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--sockets"));
  }
  w.sockets = "2";
  w.load = "flood,backlog";
  CHECK_THROWS_WITH(plan_of(w), Catch::Contains("--load 'backlog'") && Catch::Contains("several"));
  w.load = "flood";
  for (const char* mode : {"batch", "segmented"}) {
    w.send = mode;
    CHECK_THROWS_WITH(plan_of(w),
                      Catch::Contains("--send '" + std::string(mode) + "'") &&
                          Catch::Contains("several sockets allowed are auto and single"));
  }
  for (const char* mode : {"auto", "single"}) {
    w.send = mode;
    CHECK_NOTHROW(plan_of(w));
  }
}
