/** @file
    The figures of notes and sentences are those of the file.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../report/examples.hpp"
#include "../report/printed_table.hpp"
#include "../report/threads_example.hpp"
#include "agreement.hpp"
#include "catch.hpp"

#include <udpbench/record/json.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace json = boost::json;
namespace record = udpbench::record;

namespace {

/** Magnitudes as they come. */
class drawn {
 public:
  double operator()(double least, double most) {
    return std::exp(std::uniform_real_distribution<double>{std::log(least), std::log(most)}(bits_));
  }

 private:
  std::mt19937_64 bits_{23};
};

/** The words of a text from `head` on, which must be there, up to `end`. */
std::string between(const std::string& text, const std::string& head, const std::string& end) {
  INFO(head);
  const auto at = text.find(head);
  REQUIRE(at != text.npos);
  const auto from = at + head.size();
  const auto to = text.find(end, from);
  REQUIRE(to != text.npos);
  return text.substr(from, to - from);
}

/** "195 ns" against a value. */
void check_words(const std::string& words, const json::value& value) {
  const auto space = words.find(' ');
  REQUIRE(space != words.npos);
  agreement::check_cell(words.substr(0, space), words.substr(space + 1), value);
}

} // namespace

TEST_CASE("break-evens and crossings have the figures of the file", "[record]") {
  drawn draw;
  for (int i = 0; i < 20; ++i) {
    record::run run = examples::default_run();
    examples::add_series(run);
    record::break_even& b = run.break_evens.front();
    b.surcharge_ns = draw(1, 1e5);
    b.surcharge_ci = {{b.surcharge_ns * draw(0.5, 1), b.surcharge_ns * draw(1, 2)}};
    b.work_ns = draw(10, 1e7);
    b.equivalent_from_ns = draw(10, 1e7);
    for (auto& point : run.crossings.front().points)
      if (point.ratio) point.ratio = draw(0.01, 100);
    const json::value file = json::parse(record::write(run));
    const std::string whole = printed::flat(printed::text(run, 200));
    const std::string text = whole.substr(std::min(whole.find("From how much work"), whole.size()));

    const auto& even = file.at("break_evens").at(0);
    check_words(between(text, "async costs ", " ("), even.at("surcharge_ns"));
    check_words(between(text, " (", " to "), even.at("surcharge_ci").at(0));
    check_words(between(text, " to ", ") more than"), even.at("surcharge_ci").at(1));
    check_words(between(text, " beside ", " of work"), even.at("work_ns"));
    check_words(between(text, "from the work touch (", ") on"), even.at("equivalent_from_ns"));
    const auto& points = file.at("crossings").at(0).at("points");
    agreement::check_cell(between(text, "Ratios: 2: ", ", 4"), "", points.at(0).at("ratio"));
    agreement::check_cell(between(text, ", 8: ", ". "), "", points.at(2).at("ratio"));
  }
}

TEST_CASE("how a schedule was kept has the figures of the file", "[record]") {
  drawn draw;
  for (int i = 0; i < 20; ++i) {
    record::run run = examples::scheduled_run();
    const double gap = draw(100, 1e6);
    const double share = draw(0.001, 1);
    for (record::result& r : run.results)
      for (record::round& each : r.rounds) {
        each.pacing->mean_gap_ns = gap;
        each.sender_cpu_share = share;
      }
    const json::value round =
        json::parse(record::write(run)).at("results").at(0).at("rounds").at(0);
    const std::string text = printed::flat(printed::text(run, 200));
    check_words(between(text, "mean gap was ", "; its thread"),
                round.at("pacing").at("mean_gap_ns"));
    check_words(between(text, "its thread ran for ", " of the time"), round.at("sender_cpu_share"));
  }
}

TEST_CASE("the control has the interval of the file, and what is suspect its reasons", "[record]") {
  drawn draw;
  for (int i = 0; i < 20; ++i) {
    record::run run = examples::default_run();
    const double ratio = draw(0.5, 2);
    for (record::comparison& c : run.comparisons) {
      c.control.ratio = ratio;
      c.control.ci = {{ratio * 0.9, ratio * 1.1}};
    }
    run.suspect.push_back(
        {.load = {}, .size = 0, .work = {}, .reason = "reason number " + std::to_string(i)});
    const json::value file = json::parse(record::write(run));
    const std::string text = printed::text(run, 200);
    const auto tables = printed::tables(text);
    const auto& row = tables.at(0).rows.at("(control)");
    const auto& told = file.at("comparisons").at(0).at("control");
    const std::string& interval = row.at("95 % interval");
    agreement::check_cell(row.at("ratio"), "", told.at("ratio"));
    agreement::check_cell(interval.substr(0, interval.find(" to ")), "", told.at("ci").at(0));
    agreement::check_cell(interval.substr(interval.find(" to ") + 4), "", told.at("ci").at(1));
    for (const json::value& each : file.at("suspect").as_array())
      CHECK(text.find(std::string{each.at("reason").as_string()}) != text.npos);
  }
}

TEST_CASE("losses are compared by the figures of the file", "[record]") {
  drawn draw;
  for (int i = 0; i < 20; ++i) {
    record::run run = examples::default_run();
    bool more = i % 2 == 0;
    for (record::result& r : run.results) r.summary.loss = draw(1e-3, 1);
    for (record::comparison& c : run.comparisons) {
      using udpbench::statistics::loss_verdict;
      more = !more;
      const double by = draw(0.005, 1);
      c.loss = {.median = more ? by : -by,
                .ci = {},
                .verdict = more ? loss_verdict::more : loss_verdict::less};
    }
    const json::value file = json::parse(record::write(run));
    const std::string whole = printed::flat(printed::text(run, 200));
    const std::string text = whole.substr(std::min(whole.find("sync lost "), whole.size()));
    const auto in_flood = [&](const char* list, const std::string& receiver) -> const json::value& {
      const auto& all = file.at(list).as_array();
      const auto found = std::find_if(all.begin(), all.end(), [&](const json::value& x) {
        const auto* control = x.as_object().if_contains("control");
        return x.at("load") == "flood" && x.at("receiver").as_string() == receiver &&
               (control == nullptr || !control->is_bool() || !control->as_bool());
      });
      REQUIRE(found != all.end());
      return *found;
    };
    check_words(between(text, "sync lost ", " of what was sent"),
                in_flood("results", "sync").at("summary").at("loss"));
    std::string head = " of what was sent, ";
    for (const std::string name : {"async", "coroutine", "async+drain", "async+batch"}) {
      INFO(name);
      // The unit stands with the first of them alone.
      const std::string unit = name == "async" ? " percentage points " : " ";
      const std::string words = between(text, head + name + ' ', ")");
      const auto bracket = words.find(" (");
      REQUIRE(bracket != words.npos);
      check_words(words.substr(0, bracket), in_flood("results", name).at("summary").at("loss"));
      const double by = in_flood("comparisons", name).at("loss").at("median").to_number<double>();
      const std::string points =
          words.substr(bracket + 2, words.find(' ', bracket + 2) - bracket - 2);
      agreement::check_cell(points, "%", json::value(std::abs(by)));
      CHECK(words.substr(bracket + 2 + points.size()) == unit + (by > 0 ? "more" : "fewer"));
      head = name == "async+drain" ? ") and " : "), ";
    }
  }
}

TEST_CASE("the spread over threads is that of the file's rounds", "[record]") {
  drawn draw;
  for (int i = 0; i < 20; ++i) {
    record::run run = examples::threads_run();
    for (record::round& each : run.results.front().rounds) {
      for (std::uint64_t& n : each.per_thread) n = static_cast<std::uint64_t>(draw(1e3, 1e6));
      each.valid = &each - run.results.front().rounds.data() != i;
    }
    std::vector<double> busiest;
    std::vector<double> idlest;
    const json::value file = json::parse(record::write(run));
    for (const json::value& round : file.at("results").at(0).at("rounds").as_array()) {
      if (!round.at("valid").as_bool()) continue;
      std::vector<double> of;
      for (const json::value& n : round.at("per_thread").as_array())
        of.push_back(n.to_number<double>());
      const double all = of.at(0) + of.at(1);
      busiest.push_back(std::max(of[0], of[1]) / all);
      idlest.push_back(std::min(of[0], of[1]) / all);
    }
    REQUIRE(busiest.size() == 19);
    const auto middle = [](std::vector<double>& x) {
      std::sort(x.begin(), x.end());
      return json::value(x[x.size() / 2]);
    };
    const std::string words = between(printed::flat(printed::text(run, 200)),
                                      "of an even 50.0 %: sync ", " (medians of the rounds)");
    const auto and_at = words.find(" and ");
    REQUIRE(and_at != words.npos);
    check_words(words.substr(0, and_at), middle(busiest));
    check_words(words.substr(and_at + 5), middle(idlest));
  }
}
