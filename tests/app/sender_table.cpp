// How fast this machine sends.
#include "catch.hpp"
#include "program.hpp"
#include "the_program.hpp"

#include <udpbench/app/sender_table.hpp>

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
  udpbench::app::print_senders(out,
                               {{send_mode::single, 64, 250'000, 240'000},
                                {send_mode::single, 1024, 200'000, 199'000},
                                {send_mode::segmented, 64, {}, {}},
                                {send_mode::segmented, 1024, 1'600'000, 800'000}},
                               {});
  const std::string text = out.str();
  INFO(text);
  CHECK_THAT(text, Catch::Contains("sent 64 B  received 64 B  sent 1024 B  received 1024 B"));
  CHECK_THAT(text,
             Catch::Contains("single           250            240          200              199"));
  CHECK_THAT(text,
             Catch::Contains("segmented          –              –        1,600              800"));
}

TEST_CASE("list --measure shows every kind of sender, and a wrong word is refused", "[app]") {
  const finished end = run(program + "list --measure");
  INFO(end.out << end.err);
  CHECK(end.code == 0);
  for (const char* mode : {"\nsingle ", "\nbatch ", "\nsegmented "})
    CHECK_THAT(end.out, Catch::Contains(mode));
  CHECK(run(program + "list --measur").code == 2);
}
