// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "agreement.hpp"
#include "catch.hpp"

#include "../report/examples.hpp"
#include "../report/printed_table.hpp"

#include <udpbench/record/json.hpp>
#include <udpbench/report/csv.hpp>
#include <udpbench/report/number.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;
namespace record = udpbench::record;
using agreement::check_cell;

namespace {

/** Every figure of the file that the tables have a column for. */
void check_agreement(const record::run& run) {
  const json::value file = json::parse(record::write(run));
  const auto tables = printed::tables(printed::text(run, 200));
  const std::map<std::string, std::string> figures{{"time", "ns_per_datagram"},
                                                   {"mean time", "mean_ns_per_datagram"},
                                                   {"rate", "received_per_second"},
                                                   {"loss", "loss"},
                                                   {"CPU", "cpu_ns_per_datagram"},
                                                   {"running", "cpu_share"},
                                                   {"hook requests", "hook_requests_per_datagram"},
                                                   {"allocations", "allocations_per_datagram"}};
  std::size_t checked = 0;
  const auto table_of = [&](const json::value& x) -> const printed::table& {
    return tables.at(
        x.at("load").as_string() == file.at("results").at(0).at("load").as_string() ? 0 : 1);
  };
  for (const json::value& result : file.at("results").as_array()) {
    const printed::table& table = table_of(result);
    const std::string row = result.at("control").as_bool()
                                ? "(control)"
                                : std::string{result.at("receiver").as_string()};
    INFO(row);
    REQUIRE(table.rows.count(row) == 1);
    for (const auto& [head, cell] : table.rows.at(row)) {
      const auto key = figures.find(head);
      if (key == figures.end()) continue;
      const auto unit = table.unit.find(head);
      check_cell(cell, unit == table.unit.end() ? "" : unit->second,
                 result.at("summary").at(key->second));
      ++checked;
    }
  }
  for (const json::value& c : file.at("comparisons").as_array()) {
    const auto& row = table_of(c).rows.at(std::string{c.at("receiver").as_string()});
    INFO(c.at("receiver").as_string());
    check_cell(row.at("ratio"), "", c.at("ratio"));
    const std::string& interval = row.at("95 % interval");
    const std::size_t to = interval.find(" to ");
    REQUIRE(to != interval.npos);
    check_cell(interval.substr(0, to), "", c.at("ci").at(0));
    check_cell(interval.substr(to + 4), "", c.at("ci").at(1));
    CHECK(row.at("verdict").starts_with(std::string{c.at("verdict").as_string()}));
    const auto& control = table_of(c).rows.at("(control)");
    check_cell(control.at("ratio"), "", c.at("control").at("ratio"));
    checked += 4;
  }
  CHECK(checked >= 80);
}

} // namespace

TEST_CASE("text and file show the same figures to the printed precision", "[record]") {
  check_agreement(examples::default_run());
}

TEST_CASE("text and file agree whatever the magnitude of the figures", "[record]") {
  std::mt19937_64 bits{11};
  const auto draw = [&](double least, double most) {
    return std::exp(std::uniform_real_distribution<double>{std::log(least), std::log(most)}(bits));
  };
  for (int i = 0; i < 30; ++i) {
    INFO("run " << i);
    record::run run = examples::default_run();
    for (record::result& r : run.results) {
      record::summary& s = r.summary;
      if (s.ns_per_datagram) s.ns_per_datagram = draw(1, 1e8);
      if (s.mean_ns_per_datagram) s.mean_ns_per_datagram = draw(1, 1e8);
      if (s.received_per_second) s.received_per_second = draw(1, 1e9);
      s.loss = draw(1e-9, 1);
      s.cpu_ns_per_datagram = draw(1, 1e8);
      if (s.hook_requests_per_datagram) s.hook_requests_per_datagram = draw(1e-6, 100);
      if (s.allocations_per_datagram) s.allocations_per_datagram = draw(1e-6, 100);
    }
    for (record::comparison& c : run.comparisons) {
      c.ratio = draw(0.001, 1000);
      c.ci = {{*c.ratio * 0.9, *c.ratio * 1.1}};
    }
    check_agreement(run);
  }
}

TEST_CASE("how many datagrams came together is the same in text and file", "[record]") {
  std::mt19937_64 bits{3};
  for (int i = 0; i < 20; ++i) {
    record::run run = examples::default_run();
    record::result& r = run.results.at(1);
    udpbench::measure::buckets wakeups;
    std::uint64_t datagrams = 0;
    for (std::uint64_t size = 1; size <= 64; size += 1 + bits() % 9) {
      wakeups.push_back({size, 1 + bits() % 1000});
      datagrams += size * wakeups.back()[1];
    }
    for (record::round& each : r.rounds) each.counted = 0;
    r.rounds.front().counted = datagrams;
    r.histograms.datagrams_per_wakeup = wakeups;

    const json::value file = json::parse(record::write(run));
    const auto& told = file.at("results").at(1).at("histograms").at("datagrams_per_wakeup");
    std::uint64_t times = 0;
    std::uint64_t sum = 0;
    for (const json::value& each : told.as_array()) {
      times += each.at(1).to_number<std::uint64_t>();
      sum += each.at(0).to_number<std::uint64_t>() * each.at(1).to_number<std::uint64_t>();
    }
    const std::string text = printed::text(run, 200);
    const std::string head = "Datagrams per wake-up: ";
    const auto at = text.find(head);
    REQUIRE(at != text.npos);
    const auto of = [&](std::uint64_t part) {
      return static_cast<double>(part) / static_cast<double>(times);
    };
    using udpbench::report::count;
    using udpbench::report::percent;
    CHECK(text.substr(at).starts_with(
        head + udpbench::report::shown(of(sum), 1) + " for " + r.receiver + " (1 in " +
        percent(of(told.at(0).at(1).to_number<std::uint64_t>())) + ", at most " +
        count(told.as_array().back().at(0).to_number<std::uint64_t>()) + ")."));
  }
}

TEST_CASE("out of order and duplicates are the same in text, JSON and CSV", "[record]") {
  record::run run = examples::shared_cpu_run();
  std::uint64_t planted = 0;
  for (record::result& result : run.results) {
    record::round& round = result.rounds.at(1);
    round.reordered = result.control ? 0 : 1000 + planted;
    round.duplicate = result.control ? 0 : 2000 + planted;
    ++planted;
  }

  const json::value file = json::parse(record::write(run));
  const auto sum_of = [&](const char* key) {
    std::uint64_t sum = 0;
    for (const json::value& result : file.at("results").as_array())
      for (const json::value& round : result.at("rounds").as_array())
        sum += round.at(key).to_number<std::uint64_t>();
    return sum;
  };
  using udpbench::report::count;
  const std::string text = printed::text(run, 200);
  REQUIRE(sum_of("reordered") >= 1000);
  CHECK(text.find("Out of order: " + count(sum_of("reordered")) + ";") != text.npos);
  CHECK(text.find("Duplicates: " + count(sum_of("duplicate")) + ";") != text.npos);

  std::ostringstream csv;
  udpbench::report::csv(csv, run);
  std::istringstream lines(csv.str());
  std::map<std::string, std::uint64_t> sums;
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    if (names.empty()) {
      names = row;
      continue;
    }
    for (std::size_t i = 0; i < row.size(); ++i)
      if (names[i] == "reordered" || names[i] == "duplicate") sums[names[i]] += std::stoull(row[i]);
  }
  CHECK(sums["reordered"] == sum_of("reordered"));
  CHECK(sums["duplicate"] == sum_of("duplicate"));
}
