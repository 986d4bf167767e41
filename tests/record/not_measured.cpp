/** @file
    What a record lacks, it has a reason for.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../report/examples.hpp"
#include "../report/printed_table.hpp"
#include "catch.hpp"

#include <udpbench/experiment/absences.hpp>
#include <udpbench/record/json.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;
namespace record = udpbench::record;
using udpbench::experiment::note_absences;

namespace {

record::run noted(record::run run) {
  note_absences(run);
  return run;
}

/** The reason that an entry of a file has for what it lacks; empty without one. */
std::string why(const json::value& of, const std::string& what) {
  for (const json::value& each : of.at("not_measured").as_array())
    if (each.at("what").as_string() == what) return std::string{each.at("why").as_string()};
  return {};
}

/** Whether a valid round of a result lacks the figure of that key. */
bool round_lacks(const json::value& result, std::string_view key) {
  const json::array& rounds = result.at("rounds").as_array();
  return std::any_of(rounds.begin(), rounds.end(), [&](const json::value& round) {
    const json::value* figure = round.as_object().if_contains(key);
    return round.at("valid").as_bool() && figure && figure->is_null();
  });
}

/** Each figure of `of` that is null has a reason in `entry`, and no other has. */
void check_reasons(const json::value& entry, const json::value& of) {
  for (const auto& [key, value] : of.as_object()) {
    INFO(std::string{key});
    CHECK(value.is_null() == !why(entry, std::string{key}).empty());
  }
}

} // namespace

TEST_CASE("every figure of a summary that is null has a reason in the file", "[record]") {
  for (const record::run& run :
       {examples::default_run(), examples::sender_limited_run(), examples::scheduled_run(),
        examples::shared_cpu_run(), examples::interrupted_run()}) {
    const json::value file = json::parse(record::write(noted(run)));
    for (const json::value& result : file.at("results").as_array())
      for (const auto& [key, value] : result.at("summary").as_object()) {
        INFO(std::string{key});
        // Its rounds have the same reason, even where the summary is of those that have the figure.
        CHECK((value.is_null() || round_lacks(result, key)) ==
              !why(result, std::string{key}).empty());
      }
    for (const json::value& c : file.at("comparisons").as_array()) {
      CHECK(c.at("ratio").is_null() == !why(c, "ratio").empty());
      CHECK((!c.at("ratio").is_null() && c.at("ci").is_null()) == !why(c, "ci").empty());
      CHECK(c.at("loss").at("median").is_null() == !why(c, "loss").empty());
    }
  }
}

TEST_CASE("every figure of a valid round, its pacing and the machine that is null has a reason in "
          "the file",
          "[record]") {
  for (record::run run : {examples::default_run(), examples::sender_limited_run(),
                          examples::scheduled_run(), examples::shared_cpu_run()}) {
    run.context.governor.reset();
    const json::value file = json::parse(record::write(noted(run)));
    check_reasons(file.at("context"), file.at("context"));
    for (const json::value& result : file.at("results").as_array())
      for (const json::value& round : result.at("rounds").as_array()) {
        if (!round.at("valid").as_bool()) continue;
        for (const auto& [key, value] : round.as_object()) {
          INFO(std::string{key});
          if (value.is_null()) CHECK_FALSE(why(result, std::string{key}).empty());
        }
        if (!round.at("pacing").is_object()) continue;
        for (const auto& [key, value] : round.at("pacing").as_object())
          CHECK(value.is_null() == !why(result, "pacing." + std::string{key}).empty());
      }
  }
}

TEST_CASE("over a network a joining socket's drops have another reason to be missing", "[record]") {
  record::run run = examples::default_run();
  record::result& flood = run.results.at(7);
  flood.rounds.at(0).kernel_dropped.reset();
  flood.rounds.at(0).lost_on_the_way.emplace();
  const json::value file = json::parse(record::write(noted(run)));
  CHECK_THAT(why(file.at("results").at(7), "kernel_dropped"), Catch::Contains("trains"));
}

TEST_CASE("a result without a valid round lacks all for one reason", "[record]") {
  record::run run = examples::invalid_run();
  record::result& none = run.results.back();
  const auto entries = [&] { return noted(run).results.back().not_measured; };
  REQUIRE(entries().size() == 1);
  CHECK(entries().front().what == "summary");
  CHECK(entries().front().why == "no valid round");
  none.failure = "it broke";
  CHECK(entries().front().why == "it broke");
  CHECK(noted(run).comparisons.back().not_measured.front().why == "no valid block");
}

TEST_CASE("what the kernel dropped, and what needs sequence numbers, has reasons of its own",
          "[record]") {
  record::run run = examples::default_run();
  record::result& flood = run.results.at(7);
  REQUIRE(flood.load == "flood");
  flood.rounds.at(3).valid = false;
  flood.rounds.at(3).kernel_dropped.reset();
  flood.rounds.at(5).duplicate.reset();
  flood.rounds.at(5).reordered.reset();
  const auto reason = [&](const char* what) {
    return why(json::parse(record::write(noted(run))).at("results").at(7), what);
  };
  CHECK(reason("kernel_dropped").empty()); // Of a round that counts nowhere.
  CHECK(reason("duplicate") == "datagrams too short for a sequence number");
  CHECK(reason("reordered") == reason("duplicate"));
  flood.rounds.at(4).kernel_dropped.reset();
  CHECK(reason("kernel_dropped") == "the kernel doesn't tell what a socket dropped (SO_MEMINFO)");
  CHECK(printed::has(printed::text(noted(run)), "Not measured: what the kernel dropped of " +
                                                    flood.receiver + " (the kernel doesn't tell"));
}

TEST_CASE("a table says why some of its receivers lack a figure, and nothing of one that all lack",
          "[record]") {
  record::run run = examples::default_run();
  const std::string sentence =
      "Not measured: hook requests and allocations of sync and (control) (no handler memory).";
  CHECK_FALSE(printed::has(printed::text(run), "Not measured")); // A file that says nothing of it.
  CHECK(printed::has(printed::text(noted(run)), sentence));
  for (record::result& r : run.results)
    r.summary.hook_requests_per_datagram = r.summary.allocations_per_datagram = {};
  CHECK_FALSE(printed::has(printed::text(noted(run)), "Not measured"));
}

TEST_CASE("a missing interval and a missing ratio have their reasons", "[record]") {
  record::run run = noted(examples::interrupted_run());
  REQUIRE_FALSE(run.comparisons.front().ci);
  CHECK(run.comparisons.front().not_measured.front().what == "ci");
  CHECK(run.comparisons.front().not_measured.front().why == "it takes at least 6 valid blocks");
  run.comparisons.front().processes = 2;
  note_absences(run);
  CHECK(run.comparisons.front().not_measured.front().why == "it takes at least 6 processes");
  run.comparisons.front().ratio.reset();
  run.comparisons.front().reason = "the sender was the limit";
  note_absences(run);
  CHECK(run.comparisons.front().not_measured.front().what == "ratio");
  CHECK(run.comparisons.front().not_measured.front().why == "the sender was the limit");
}
