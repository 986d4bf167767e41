// How fast this machine sends.
#include "catch.hpp"
#include "program.hpp"
#include "the_program.hpp"

#include <udpbench/app/sender_table.hpp>
#include <udpbench/record/json_write.hpp>

#include <boost/json.hpp>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using udpbench::app::sender_limit;
using udpbench::app::sender_limit_of;
using udpbench::experiment::send_mode;
using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::temporary_file;

namespace {

/** A run whose rounds sent and received that many per second. */
udpbench::record::run run_of(const std::vector<double>& sent) {
  udpbench::record::run out;
  out.results.resize(1);
  for (const double x : sent) {
    udpbench::record::round r;
    r.offered_per_second = x;
    r.received_per_second = x / 2;
    out.results.front().rounds.push_back(r);
  }
  return out;
}

} // namespace

TEST_CASE("a sender's limit is the median over its valid rounds", "[app]") {
  auto measured = run_of({100, 300, 200, 9000});
  measured.results.front().rounds.back().valid = false;
  const sender_limit limit = sender_limit_of(measured, send_mode::batch, 64);
  CHECK(limit.mode == send_mode::batch);
  CHECK(limit.size == 64);
  CHECK(limit.sent_per_second.value() == Approx(200));
  CHECK(limit.received_per_second.value() == Approx(100));
}

TEST_CASE("a sender without a valid round, or whose run failed, is named", "[app]") {
  auto measured = run_of({100});
  measured.results.front().rounds.front().valid = false;
  CHECK_THROWS_WITH(sender_limit_of(measured, send_mode::single, 1024),
                    "single sends of 1024 bytes: no round was valid");
  measured.error = "no cpu";
  CHECK_THROWS_WITH(sender_limit_of(measured, send_mode::single, 1024),
                    "single sends of 1024 bytes: no cpu");
}

TEST_CASE("the table of senders has a row for each, in one unit, and a dash where one can't be had",
          "[app]") {
  std::ostringstream out;
  udpbench::app::sender_limits limits;
  limits.senders = {{send_mode::single, 64, 250'000, 240'000},
                    {send_mode::single, 1024, 200'000, 199'000},
                    {send_mode::segmented, 64, {}, {}},
                    {send_mode::segmented, 1024, 1'600'000, 800'000}};
  udpbench::app::print_senders(out, limits, {});
  const std::string text = out.str();
  INFO(text);
  CHECK_THAT(text, Catch::Contains("sent 64 B  received 64 B  sent 1024 B  received 1024 B"));
  CHECK_THAT(text,
             Catch::Contains("single           250            240          200              199"));
  CHECK_THAT(text,
             Catch::Contains("segmented          –              –        1,600              800"));
}

TEST_CASE("a file of senders has null where one can't be had, and units in its keys", "[app]") {
  udpbench::app::sender_limits limits;
  limits.senders = {{send_mode::single, 64, 250'000, 240'000}, {send_mode::segmented, 64, {}, {}}};
  const auto file = udpbench::record::value_of(limits);
  CHECK(file.at("schema") == "udpbench-senders/1");
  CHECK(file.at("receiver") == "raw+batch");
  const auto& senders = file.at("senders").as_array();
  REQUIRE(senders.size() == 2);
  CHECK(senders[0].at("send") == "single");
  CHECK(senders[0].at("size") == 64);
  CHECK(senders[0].at("sent_per_second") == 250'000.0);
  CHECK(senders[0].at("received_per_second") == 240'000.0);
  CHECK(senders[1].at("send") == "segmented");
  CHECK(senders[1].at("sent_per_second").is_null());
}

TEST_CASE(
    "list --measure shows every kind of sender, in its file, too, and a wrong word is refused",
    "[app]") {
  const temporary_file file;
  const finished end = run(program + "list --measure --json " + file.path());
  INFO(end.out << end.err);
  CHECK(end.code == 0);
  for (const char* mode : {"\nsingle ", "\nbatch ", "\nsegmented "})
    CHECK_THAT(end.out, Catch::Contains(mode));
  const auto json = boost::json::parse(udpbench::test::slurp(file.path()));
  CHECK_THAT(std::string(json.at("context").at("command").as_string()),
             Catch::Contains("list --measure"));
  const auto& senders = json.at("senders").as_array();
  CHECK(senders.size() == 6);
  CHECK(senders.at(0).at("send") == "single");
  CHECK(senders.at(0).at("sent_per_second").to_number<double>() > 0);
  CHECK(run(program + "list --measur").code == 2);
}
