// Variants of drivers, as a command line names them.
#include "catch.hpp"
#include "every_receiver.hpp"

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/builtin.hpp>
#include <udpbench/app/listing.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/report/receiver_name.hpp>

#include <string>
#include <vector>

using namespace udpbench;
using app::compare_words;
using experiment::catalogue;

namespace {

void plan_of(const std::string& receiver, const catalogue& known) {
  compare_words words;
  words.receivers = {receiver};
  words.pin = "none";
  app::make_plan(words, known);
}

std::vector<std::string> variants_of(const catalogue& known) {
  std::vector<std::string> names;
  for (const auto& e : known.entries())
    if (!report::receiver_name(e.name).variants.empty()) names.push_back(e.name);
  return names;
}

} // namespace

TEST_CASE("every variant can be named, is made, and has a line in the list", "[app]") {
  const catalogue known = support::every_receiver();
  const auto names = variants_of(known);
  CHECK(names.size() >= 17);
  const std::string list = app::listing(known);
  for (const auto& name : names) {
    INFO(name);
    plan_of(name, known);
    measure::ledger ledger;
    CHECK(known.find(name)->make(ledger).native_handle() == -1);
    CHECK_THAT(list, Catch::Contains("\n  " + name + " "));
  }
}

TEST_CASE("an unknown variant is refused with those that are known of its driver", "[app]") {
  const catalogue known = support::every_receiver();
  CHECK_THROWS_AS(plan_of("async.x9", known), app::usage_error);
  CHECK_THROWS_WITH(plan_of("async.x9", known),
                    Catch::Contains("'async.x9'") && Catch::Contains("async.x8") &&
                        Catch::Contains("async.unsafe") && !Catch::Contains("sync.busypoll"));
  CHECK_THROWS_WITH(plan_of("sync.spin+drain", known), Catch::Contains("sync.spin+batch"));
  CHECK_THROWS_AS(plan_of("sync.x8", known), app::usage_error);
}

TEST_CASE("a receiver that a build lacks is refused with the reason, and listed with it", "[app]") {
  catalogue known = support::every_receiver();
  known.leave_out("async.faster", "it takes a newer world");
  CHECK_THROWS_AS(plan_of("async.faster", known), app::machine_error);
  CHECK_THROWS_WITH(plan_of("async.faster", known),
                    Catch::Contains("'async.faster'") && Catch::Contains("a newer world"));
  const std::string list = app::listing(known);
  const auto at = list.find("Lacking here");
  REQUIRE(at != std::string::npos);
  CHECK_THAT(list.substr(at), Catch::Contains("async.faster") && Catch::Contains("a newer world"));
}

TEST_CASE("immediate completions are a receiver or lacking, as Boost has them", "[app]") {
  const catalogue known = support::every_receiver();
  CHECK((known.find("async.immediate") != nullptr) == net::features::immediate_completion);
  if (net::features::immediate_completion) return;
  CHECK_THROWS_WITH(plan_of("async.immediate", known), Catch::Contains("Boost 1.82"));
}
