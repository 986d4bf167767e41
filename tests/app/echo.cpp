// What was asked for stands in the output, option by option.
#include "catch.hpp"
#include "program.hpp"
#include "the_program.hpp"

#include <udpbench/net/affinity.hpp>

#include <boost/json.hpp>

#include <set>
#include <string>

using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;

namespace {

/** All words in `text` that begin with two dashes. */
std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> all;
  for (auto at = text.find("--"); at != text.npos; at = text.find("--", at + 2)) {
    const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    if (end - at > 2) all.insert(text.substr(at, end - at));
  }
  return all;
}

/** Each an unusual value. */
const std::string asked =
    "--load backlog,pause:64/1ms,flood --depth 8 --work touch --size 48,100 --count 1234 --rounds "
    "7 --margin 3% "
    "--address 127.0.0.2 --receive-buffer 48KiB --send batch --flows 3 --pin none --seed 4711";
const std::string length = "--precision 7% --max-time 900ms";

} // namespace

TEST_CASE("a size that is asked for is echoed, and so is every other option that has an effect",
          "[app]") {
  const finished end = run(program + "compare async sync " + asked + " --json -");
  CHECK((end.code == 0 || end.code == 5));
  const auto file = boost::json::parse(end.out).as_object();
  const auto& plan = file.at("plan").as_object();
  CHECK(plan.at("receivers") == boost::json::array{"async", "sync"});
  CHECK(plan.at("loads") == boost::json::array{"backlog:8", "pause:64/1ms", "flood"});
  CHECK(plan.at("works") == boost::json::array{"touch"});
  CHECK(plan.at("sizes_bytes") == boost::json::array{48, 100});
  CHECK(plan.at("datagrams_per_round") == 1234);
  CHECK(plan.at("blocks") == 7);
  CHECK(plan.at("margin") == 0.03);
  CHECK(plan.at("address") == "127.0.0.2");
  CHECK(plan.at("receive_buffer").at("requested") == 48 * 1024);
  CHECK(plan.at("receive_buffer").at("granted") == 2 * 48 * 1024);
  CHECK(plan.at("send") == "batch");
  CHECK(plan.at("flows") == 3);
  CHECK(plan.at("pin").at("sender").is_null());
  CHECK(plan.at("pin").at("receiver").is_null());
  CHECK(file.at("context").at("seed") == 4711);
  for (const auto& result : file.at("results").as_array()) {
    const auto backlog = result.at("load") == "backlog:8";
    CHECK(result.at("work") == "touch");
    CHECK(result.at("work_ns").to_number<double>() > 0);
    CHECK(result.at("send") == (backlog ? "single" : "batch"));
    CHECK(result.at("flows") == (backlog ? 1 : 3));
    for (const auto& round : result.at("rounds").as_array()) {
      // The size is that of what arrived.
      CHECK(round.at("bytes").to_number<std::uint64_t>() ==
            round.at("unique").to_number<std::uint64_t>() *
                result.at("size").to_number<std::uint64_t>());
      if (!backlog) CHECK(round.at("intended") == 1234);
    }
  }
}

TEST_CASE("the cpus that are asked for are echoed", "[app]") {
  const auto allowed = udpbench::net::allowed_cpus();
  REQUIRE_FALSE(allowed.empty());
  const auto pair = std::to_string(allowed.back()) + ',' + std::to_string(allowed.front());
  const finished end =
      run(program + "compare sync --load backlog --rounds 1 --json - --pin " + pair);
  const auto pin = boost::json::parse(end.out).at("plan").at("pin");
  CHECK(pin.at("sender") == allowed.back());
  CHECK(pin.at("receiver") == allowed.front());
}

TEST_CASE("the precision and the time that are asked for are echoed", "[app]") {
  const finished end = run(program + "compare sync --load backlog:2 " + length + " --json -");
  const auto plan = boost::json::parse(end.out).at("plan");
  CHECK(plan.at("precision") == 0.07);
  CHECK(plan.at("max_time_ns") == 900'000'000);
  CHECK(plan.at("blocks") == 20);
}

TEST_CASE("the sockets that are asked for are echoed, with the threads that serve them", "[app]") {
  const finished end =
      run(program + "compare sync --sockets 2,3 --load flood --count 300 --rounds 1 --json -");
  const auto file = boost::json::parse(end.out);
  CHECK(file.at("plan").at("sockets") == boost::json::array{2, 3});
  for (const auto& result : file.at("results").as_array())
    CHECK(result.at("threads") == result.at("sockets"));
}

TEST_CASE("no option of compare is left out of these tests", "[app]") {
  std::set<std::string> left = options_in(run(program + "compare --help").out);
  REQUIRE(left.contains("--size"));
  // Processes and threads have tests of their own.
  for (const auto& option : options_in(asked + ' ' + length + " --processes --sockets --threads"))
    left.erase(option);
  // They say where output goes and what else it has, and change nothing of what is measured.
  for (const char* option : {"--help", "--json", "--csv", "--quiet", "--color", "--explain"})
    left.erase(option);
  CHECK(left == std::set<std::string>{});
}

TEST_CASE("the text repeats the command, so that it can be typed again", "[app]") {
  const finished end =
      run(program + "compare sync --load backlog --size 48 --rounds 1 --seed 4711");
  CHECK_THAT(end.out, Catch::Contains("compare sync --load backlog --size 48") &&
                          Catch::Contains("4711") && Catch::Contains("48 B"));
}
