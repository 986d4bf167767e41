#include "catch.hpp"

#include <udpbench/report/csv.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace udpbench;

namespace {

/** Cells of a line without quoted commas. */
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      all.emplace_back();
    else
      all.back() += c;
  }
  return all;
}

std::vector<std::string> lines_of(const record::run& run) {
  std::ostringstream out;
  report::csv(out, run);
  std::istringstream in(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

record::run one_round() {
  record::run run;
  record::result r;
  r.receiver = "async";
  r.load = "flood";
  r.size = 1024;
  r.rounds.resize(1);
  r.rounds[0].sent = 100;
  r.rounds[0].ns_per_datagram = 871.5;
  run.results = {r};
  return run;
}

std::map<std::string, std::string> row_of(const record::run& run) {
  const auto lines = lines_of(run);
  REQUIRE(lines.size() == 2);
  const auto names = cells(lines[0]);
  const auto values = cells(lines[1]);
  REQUIRE(names.size() == values.size());
  std::map<std::string, std::string> row;
  for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
  CHECK(row.size() == names.size());
  return row;
}

} // namespace

TEST_CASE("a CSV has a header and a row a round, and every row as many cells", "[report]") {
  auto run = one_round();
  run.results[0].rounds.resize(3);
  run.results.push_back(run.results[0]);
  const auto lines = lines_of(run);
  REQUIRE(lines.size() == 7);
  for (const auto& line : lines) CHECK(cells(line).size() == cells(lines[0]).size());
}

TEST_CASE("a cell stands under its name, and what is absent is empty", "[report]") {
  const auto row = row_of(one_round());
  CHECK(row.at("receiver") == "async");
  CHECK(row.at("control") == "false");
  CHECK(row.at("size") == "1024");
  CHECK(row.at("sent") == "100");
  CHECK(row.at("ns_per_datagram") == "871.5");
  CHECK(row.at("kernel_dropped").empty());
  CHECK(row.at("limited_by").empty());
  CHECK(row.at("udp_in_errors").empty());
}

TEST_CASE("counters of the system have columns of their own", "[report]") {
  auto run = one_round();
  run.results[0].rounds[0].system_counters.emplace().udp_in_errors = 7;
  const auto row = row_of(run);
  CHECK(row.at("udp_in_errors") == "7");
  CHECK(row.at("softnet_dropped").empty());
}

TEST_CASE("what each of several threads received stands in one cell", "[report]") {
  auto run = one_round();
  CHECK(row_of(run).at("per_thread").empty());
  run.results[0].rounds[0].per_thread = {60, 0, 40};
  CHECK(row_of(run).at("per_thread") == "60 0 40");
}

TEST_CASE("a text with commas, quotes or line ends stays one cell", "[report]") {
  auto run = one_round();
  run.results[0].rounds[0].reason = "one, \"two\"";
  CHECK_THAT(lines_of(run)[1], Catch::Contains(R"("one, ""two""")"));
  CHECK(cells(lines_of(run)[1]).size() == cells(lines_of(run)[0]).size());
}

TEST_CASE("a CSV holds no NaN and no infinity", "[report]") {
  auto run = one_round();
  run.results[0].rounds[0].ns_per_datagram = std::numeric_limits<double>::quiet_NaN();
  run.results[0].rounds[0].cpu_share = std::numeric_limits<double>::infinity();
  const auto row = row_of(run);
  CHECK(row.at("ns_per_datagram").empty());
  CHECK(row.at("cpu_share").empty());
}
