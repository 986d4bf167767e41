/** @file
    A figure that is no number reaches nobody.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../report/examples.hpp"
#include "../report/printed_table.hpp"
#include "catch.hpp"

#include <udpbench/record/json.hpp>
#include <udpbench/report/csv.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace json = boost::json;
namespace record = udpbench::record;

namespace {

/** Makes the `which`th figure of a record one that is no number, or says how many figures there are. */
class spoiler {
 public:
  spoiler(std::size_t which, double bad) : which_(which), bad_(bad) {}

  template <class T>
  void visit(T& x) {
    if constexpr (std::is_same_v<T, double>)
      spoil(x);
    else if constexpr (std::is_same_v<T, std::optional<double>>)
      spoil(x);
    else if constexpr (record::structure<T>)
      record::fields([this](record::key, auto& member) { this->visit(member); }, x);
    else
      visit_inside(x);
  }

  std::size_t seen() const { return seen_; }

 private:
  template <class T>
  void spoil(T& x) {
    if (seen_++ == which_) x = bad_;
  }
  template <class T>
  void visit_inside(std::optional<T>& x) {
    if (x) visit(*x);
  }
  template <class T>
  void visit_inside(std::vector<T>& x) {
    for (T& each : x) visit(each);
  }
  template <class T, std::size_t N>
  void visit_inside(std::array<T, N>& x) {
    for (T& each : x) visit(each);
  }
  template <class T>
  void visit_inside(T&) {}

  std::size_t which_;
  double bad_;
  std::size_t seen_ = 0;
};

/** Of every kind that a table, its notes and what follows it are made of. */
record::run run_with_everything() {
  record::run run = examples::default_run();
  for (record::result& r : run.results) {
    r.rounds.resize(2);
    r.rounds.front().pacing.emplace();
    r.without_work.emplace();
    r.work_ns = 20;
    r.work = "20ns";
    r.system_calls = {{"recvfrom", 1.0}};
  }
  examples::add_series(run);
  return run;
}

} // namespace

TEST_CASE("whichever figure is no number, none is in file, table or text", "[record]") {
  record::run whole = run_with_everything();
  spoiler count(SIZE_MAX, 0);
  count.visit(whole);
  REQUIRE(count.seen() > 300);
  static const std::regex no_number("(^|[^a-z])-?(nan|inf)([^a-z]|$)");
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < count.seen() * 3; ++i) {
    record::run run = run_with_everything();
    spoiler(i / 3, bad[i % 3]).visit(run);
    INFO("figure " << i / 3 << " as " << bad[i % 3]);
    const std::string file = record::write(run);
    const bool parsed = json::parse(file).is_object(); // knows neither NaN nor Infinity
    CHECK(parsed);
    std::ostringstream csv;
    udpbench::report::csv(csv, run);
    for (const std::string& text : {csv.str(), printed::text(run)}) {
      std::smatch found;
      const bool any = std::regex_search(text, found, no_number);
      if (any) UNSCOPED_INFO(text.substr(std::max<std::ptrdiff_t>(found.position() - 60, 0), 100));
      CHECK_FALSE(any);
    }
  }
}
