// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"

#include <udpbench/record/json.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <string>
#include <vector>

namespace json = boost::json;
namespace record = udpbench::record;

namespace {

/** What reading says about `file`; empty if it says nothing. */
std::string complaint(const std::string& file) {
  try {
    record::read(file);
  } catch (const record::format_error& e) {
    return e.what();
  }
  return {};
}

/** A file that is right. */
json::value file() {
  record::run run;
  run.results.resize(2);
  run.results[1].rounds.resize(3);
  run.comparisons.emplace_back().ci = {{1.0, 2.0}};
  return record::to_json(run);
}

std::string complaint(const json::value& v) { return complaint(json::serialize(v)); }

} // namespace

TEST_CASE("a right file gives no error", "[record]") { CHECK(complaint(file()).empty()); }

TEST_CASE("an unknown word names its key path and the words that are allowed", "[record]") {
  json::value v = file();
  v.at("results").at(1).at("rounds").at(2).as_object()["limited_by"] = "luck";
  CHECK(complaint(v) == "results[1].rounds[2].limited_by: found \"luck\", allowed: "
                        "\"receiver\", \"sender\", \"network\", \"shared_cpu\" or null");
  v = file();
  v.at("comparisons").at(0).as_object()["verdict"] = "better";
  CHECK(complaint(v) == "comparisons[0].verdict: found \"better\", allowed: "
                        "\"equivalent\", \"slower\", \"faster\", \"inconclusive\" or null");
  v = file();
  v.at("comparisons").at(0).as_object()["qualifier"] = nullptr;
  CHECK(complaint(v).find("comparisons[0].qualifier: found null, allowed: \"none\", ") == 0);
  CHECK(complaint(v).find("or null") == std::string::npos);
}

TEST_CASE("a value of a wrong type names its key path and what was found", "[record]") {
  json::value v = file();
  v.at("results").at(0).as_object()["receiver"] = 5;
  CHECK(complaint(v) == "results[0].receiver: found 5, allowed: a string");
  v = file();
  v.as_object()["complete"] = "yes";
  CHECK(complaint(v) == "complete: found \"yes\", allowed: true or false");
  v = file();
  v.as_object()["results"] = json::object{};
  CHECK(complaint(v) == "results: found an object, allowed: an array");
  v = file();
  v.as_object()["context"] = json::array{1, 2};
  CHECK(complaint(v) == "context: found an array of 2, allowed: an object");
  v = file();
  v.at("comparisons").at(0).as_object()["ci"] = json::array{1, 2, 3};
  CHECK(complaint(v) == "comparisons[0].ci: found an array of 3, allowed: an array of 2 or null");
  v = file();
  v.at("comparisons").at(0).as_object()["ci"] = json::array{1, "x"};
  CHECK(complaint(v) == "comparisons[0].ci[1]: found \"x\", allowed: a number or null");
  v = file();
  v.at("results").at(0).at("summary").as_object()["loss"] = "0";
  CHECK(complaint(v).find("results[0].summary.loss: found \"0\", allowed: a number or null") == 0);
}

TEST_CASE("a count that is negative, broken or too large is refused", "[record]") {
  json::value v = file();
  v.at("results").at(0).as_object()["size"] = -1;
  CHECK(complaint(v) ==
        "results[0].size: found -1, allowed: an integer from 0 to 18446744073709551615");
  v.at("results").at(0).as_object()["size"] = 0.5;
  CHECK(complaint(v).find("results[0].size: found 0.5, allowed: an integer") == 0);
  v = file();
  v.at("context").as_object()["cpus"] = 4294967296;
  CHECK(complaint(v) == "context.cpus: found 4294967296, allowed: an integer from 0 to 4294967295");
}

TEST_CASE("a missing key of the contract is named", "[record]") {
  json::value v = file();
  v.at("results").at(1).at("rounds").at(0).as_object().erase("sent");
  CHECK(complaint(v).find("results[1].rounds[0].sent: found nothing") == 0);
  v = file();
  v.at("plan").as_object().erase("pin");
  CHECK(complaint(v).find("plan.pin: found nothing") == 0);
  v = file();
  v.as_object().erase("schema");
  CHECK(complaint(v).find("schema: found nothing") == 0);
}

TEST_CASE("another schema is refused by name, whatever else the file holds", "[record]") {
  CHECK(complaint(std::string{R"({"schema": "udpbench/2"})"}) ==
        "schema: found \"udpbench/2\", allowed: \"udpbench/1\"");
  CHECK(complaint(std::string{"[]"}) == "the document: found an array of 0, allowed: an object");
}

TEST_CASE("what is no JSON is refused with line and column", "[record]") {
  CHECK(complaint(std::string{"{\"schema\":\n  nul}"}).find("line 2, column ") == 0);
  CHECK(complaint(std::string{"{} {}"}).find("line 1, column 4: found extra data") == 0);
  for (const char* bad : {"", "{", "{\"a\": NaN}", "{\"a\": Infinity}", "{\"a\": 1e999}",
                          "{'a': 1}", "// x\n{}", "{\"a\": \"\xFF\"}", "{\"a\": 1,}"}) {
    INFO(bad);
    CHECK(complaint(std::string{bad}).find("line ") == 0);
  }
}

TEST_CASE("a file that nests without end is refused, not followed", "[record]") {
  const std::string deep(100'000, '[');
  CHECK(complaint(deep).find("line 1, column ") == 0);
  CHECK(complaint(deep).find("deep") != std::string::npos);
}

TEST_CASE("an error quotes no more than a part of a long value", "[record]") {
  json::value v = file();
  v.as_object()["complete"] = std::string(10'000, 'x');
  CHECK(complaint(v).size() < 200);
}
