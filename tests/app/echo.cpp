// What was asked for stands in the output, option by option.
#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"
#include "the_program.hpp"

#include <udpbench/net/affinity.hpp>

#include <boost/json.hpp>

#include <set>
#include <string>

using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::temporary_file;

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
  CHECK(plan.at("fill") == "batch");
  CHECK(plan.at("flows") == 3);
  CHECK(plan.at("pin").at("sender").is_null());
  CHECK(plan.at("pin").at("receiver").is_null());
  CHECK(file.at("context").at("seed") == 4711);
  for (const auto& result : file.at("results").as_array()) {
    const auto backlog = result.at("load") == "backlog:8";
    CHECK(result.at("work") == "touch");
    CHECK(result.at("work_ns").to_number<double>() > 0);
    CHECK(result.at("send") == "batch");
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

TEST_CASE("mixed sizes that are asked for are echoed, in each process as well", "[app]") {
  const finished end =
      run(program + "compare sync --load backlog:4,window:8 --size 100 --mixed-sizes --rounds 1 "
                    "--count 500 --seed 4711 --json -");
  const auto file = boost::json::parse(end.out);
  CHECK(file.at("plan").at("mixed_from_bytes") == 32);
  CHECK(file.at("plan").at("sizes_bytes") == boost::json::array{100});
  for (const auto& result : file.at("results").as_array())
    for (const auto& round : result.at("rounds").as_array()) {
      const auto unique = round.at("unique").to_number<double>();
      const auto mean = round.at("bytes").to_number<double>() / unique;
      CHECK(unique == round.at("sent").to_number<double>());
      CHECK((mean > 50 && mean < 82));
    }
  const finished six = run(program + "compare sync --load backlog:4 --size 100 --mixed-sizes "
                                     "--rounds 1 --processes 6 --json -");
  CHECK(boost::json::parse(six.out).at("plan").at("mixed_from_bytes") == 32);
}

TEST_CASE(
    "every work that is asked for is on record with what it takes alone, and their break-even "
    "is told",
    "[app]") {
  const temporary_file file;
  const finished end =
      run(program +
          "compare sync async --load backlog,flood --work 0,touch,copy,random:64KiB "
          "--rounds 6 --count 2000 --json " +
          file.path());
  CHECK((end.code == 0 || end.code == 5));
  const auto record = boost::json::parse(udpbench::test::slurp(file.path()));
  CHECK(record.at("plan").at("works") == boost::json::array{"0", "touch", "copy", "random:64KiB"});
  std::set<std::string> seen;
  for (const auto& result : record.at("results").as_array()) {
    const std::string work(result.at("work").as_string());
    seen.insert(work);
    CHECK(result.at("work_ns").is_null() == work.empty());
    if (!work.empty()) CHECK(result.at("work_ns").to_number<double>() > 0);
  }
  CHECK(seen == std::set<std::string>{"", "touch", "copy", "random:64KiB"});
  CHECK_THAT(end.out, Catch::Contains("From how much work on the receive path no longer matters") &&
                          Catch::Contains("Not told for flood"));
  // A machine that is kept from its cpus may leave no valid block to tell one by.
  const auto& evens = record.at("break_evens").as_array();
  if (end.code != 0 || evens.empty()) SKIP("too few valid blocks on this machine for a break-even");
  CHECK(evens.at(0).at("load") == "backlog");
  CHECK(evens.at(0).at("surcharge_ns").to_number<double>() != 0);
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
  // Processes, threads and other hosts have tests of their own.
  for (const auto& option :
       options_in(asked + ' ' + length +
                  " --processes --sockets --threads --mixed-sizes --to --key-file --reverse "
                  "--no-fragment"))
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
