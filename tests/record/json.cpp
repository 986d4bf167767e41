// Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0.
#include "catch.hpp"
#include "random_record.hpp"

#include <udpbench/record/json.hpp>

#include <boost/json/parse.hpp>
#include <boost/pfr/tuple_size.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;
namespace record = udpbench::record;

namespace {

// The contract: these keys, in this order. New ones may come between them.
constexpr std::string_view contract =
    R"({"schema": "udpbench/1", "experiment": "compare", "complete": true,
 "context": {"version": "0.1.0", "build_type": "Release", "boost": "1.81.0", "kernel": "", "cpu": "",
             "cpus": 2, "governor": null, "virtualised": true, "rmem_max": 4194304, "clock_resolution_ns": 1, "overhead_ns": 6.1, "seed": 42, "started": "2026-11-30T12:00:00Z"},
 "plan": {"receive_buffer": {"requested": 4194304, "granted": 8388608}, "pin": {"sender": 0, "receiver": 1}},
 "results": [{"receiver": "async", "control": false, "backend": "epoll", "compiler": "", "flags": "", "load": "backlog", "size": 1024, "sockets": 1, "threads": 1, "send": "single",
   "summary": {"ns_per_datagram": 871.0, "received_per_second": 1148105, "loss": 0.0, "cpu_ns_per_datagram": 868.0, "hook_requests_per_datagram": 1.0, "allocations_per_datagram": 0.0, "limited_by": "receiver"},
   "rounds": [{"block": 0, "valid": true, "elapsed_ns": 0, "intended": 0, "sent": 0, "unique": 0, "unread": 0, "duplicate": 0, "reordered": 0, "kernel_dropped": 0, "unexplained": 0,
               "foreign": 0, "late": 0, "truncated": 0, "cpu_user_ns": 0, "cpu_system_ns": 0, "hook_requests": 0, "allocations": 0, "voluntary_switches": 0, "involuntary_switches": 0, "limited_by": "receiver"}]}],
 "comparisons": [{"receiver": "async", "baseline": "sync", "load": "backlog", "size": 1024, "metric": "ns_per_datagram", "ratio": 1.41, "ci": [1.38, 1.44], "confidence": 0.95,
                  "blocks": 20, "verdict": "slower", "limited_by": "receiver", "control": {"ratio": 1.0, "ci": [0.99, 1.01], "verdict": "equivalent"}}]})";

/** Every key of the contract is in the file, in the contract's order, with the contract's value. */
void check_has(const json::value& file, const json::value& wanted, const std::string& path) {
  INFO(path);
  if (wanted.is_object()) {
    REQUIRE(file.is_object());
    std::vector<std::string_view> order;
    for (const auto& member : file.get_object()) order.push_back(member.key());
    auto from = order.begin();
    for (const auto& member : wanted.get_object()) {
      INFO(std::string{member.key()});
      from = std::find(from, order.end(), std::string_view{member.key()});
      REQUIRE(from != order.end());
      check_has(file.at(member.key()), member.value(), path + '.' + std::string{member.key()});
    }
  } else if (wanted.is_array()) {
    REQUIRE(file.is_array());
    REQUIRE(file.get_array().size() == wanted.get_array().size());
    for (std::size_t i = 0; i < wanted.get_array().size(); ++i) {
      check_has(file.at(i), wanted.at(i), path + '[' + std::to_string(i) + ']');
    }
  } else if (wanted.is_number()) {
    REQUIRE(file.is_number());
    CHECK(file.to_number<double>() == Approx(wanted.to_number<double>()));
  } else {
    CHECK(file == wanted);
  }
}

/** Does `fields` visit every member of T, once and in the order of the struct? */
template <class T>
bool visits_all() {
  T x{};
  std::vector<const void*> members;
  record::fields([&](record::key, const auto& member) { members.push_back(&member); }, x);
  const bool in_order =
      std::adjacent_find(members.begin(), members.end(), std::greater_equal<>{}) == members.end();
  return in_order && members.size() == boost::pfr::tuple_size_v<T>;
}

} // namespace

TEST_CASE("the contract's own example is read and its keys and values are written again in order",
          "[record]") {
  check_has(json::parse(record::write(record::read(contract))), json::parse(contract), "");
}

TEST_CASE("no key of the contract may be missing", "[record]") {
  const json::value whole = json::parse(contract);
  std::size_t removed = 0;
  for (const char* at :
       {"", "/context", "/plan", "/plan/receive_buffer", "/plan/pin", "/results/0",
        "/results/0/summary", "/results/0/rounds/0", "/comparisons/0", "/comparisons/0/control"}) {
    for (const auto& member : whole.at_pointer(at).as_object()) {
      json::value without = whole;
      without.at_pointer(at).as_object().erase(member.key());
      INFO(at << " without " << std::string{member.key()});
      std::string complaint;
      try {
        record::from_json(without);
      } catch (const record::format_error& e) {
        complaint = e.what();
      }
      CHECK(complaint.find(std::string{member.key()} + ": found nothing: the key is missing") !=
            std::string::npos);
      ++removed;
    }
  }
  CHECK(removed > 70);
}

TEST_CASE("a record that lacks every further key keeps the defaults for them", "[record]") {
  const record::run run = record::read(contract);
  CHECK(run.plan.processes == 1);
  CHECK(run.results.at(0).sequenced);
  CHECK_FALSE(run.plan.precision);
  CHECK(run.comparisons.at(0).qualifier == udpbench::statistics::qualifier::none);
}

TEST_CASE("every member of every struct has one key", "[record]") {
  CHECK(visits_all<record::context>());
  CHECK(visits_all<record::receive_buffer>());
  CHECK(visits_all<record::pin>());
  CHECK(visits_all<record::plan>());
  CHECK(visits_all<record::system_counters>());
  CHECK(visits_all<record::way_losses>());
  CHECK(visits_all<record::other_host>());
  CHECK(visits_all<record::round>());
  CHECK(visits_all<record::summary>());
  CHECK(visits_all<record::histograms>());
  CHECK(visits_all<record::without_work>());
  CHECK(visits_all<record::result>());
  CHECK(visits_all<record::control>());
  CHECK(visits_all<record::comparison>());
  CHECK(visits_all<record::run>());
}

TEST_CASE("a key that no reader knows is passed over", "[record]") {
  json::value file = json::parse(contract);
  file.as_object()["of_a_later_version"] = 1;
  file.at("results").at(0).at("rounds").at(0).as_object()["too"] = json::object{{"x", nullptr}};
  CHECK(record::write(record::from_json(file)) == record::write(record::read(contract)));
}

TEST_CASE("random records come back to the last bit and are written alike again", "[record]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    random_record random{seed};
    const record::run run = random.make();
    const std::string once = record::write(run);
    const record::run back = record::read(once);
    CHECK(record::write(back) == once);
    CHECK(equal_records(run, back));
  }
}

TEST_CASE("every double comes back from its text to the last bit", "[record]") {
  random_record random{7};
  record::run run;
  record::result& result = run.results.emplace_back();
  for (int i = 0; i < 2000; ++i) {
    result.rounds.emplace_back().ns_per_datagram = random.real();
  }
  result.rounds.emplace_back().ns_per_datagram = std::numeric_limits<double>::max();
  result.rounds.emplace_back().ns_per_datagram = std::numeric_limits<double>::denorm_min();
  result.rounds.emplace_back().ns_per_datagram = 18446744073709551616.0;
  const record::run back = record::read(record::write(run));
  for (std::size_t i = 0; i < result.rounds.size(); ++i) {
    INFO(i);
    CHECK(*back.results[0].rounds[i].ns_per_datagram == *result.rounds[i].ns_per_datagram);
  }
}

TEST_CASE("counts keep all their 64 bits", "[record]") {
  record::run run;
  record::round& round = run.results.emplace_back().rounds.emplace_back();
  round.sent = std::numeric_limits<std::uint64_t>::max();
  round.unexplained = std::numeric_limits<std::int64_t>::min();
  const std::string text = record::write(run);
  CHECK(text.find("\"sent\": 18446744073709551615,") != text.npos);
  CHECK(text.find("\"unexplained\": -9223372036854775808,") != text.npos);
  CHECK(record::read(text).results[0].rounds[0].sent == round.sent);
  CHECK(record::read(text).results[0].rounds[0].unexplained == round.unexplained);
}

TEST_CASE("numbers are written by their shortest digits", "[record]") {
  record::run run;
  run.context.clock_resolution_ns = 1;
  run.context.overhead_ns = 0.1;
  run.comparisons.emplace_back().ci = {{871.25, 1148105.5}};
  const std::string text = record::write(run);
  CHECK(text.find("\"clock_resolution_ns\": 1,") != text.npos);
  CHECK(text.find("\"overhead_ns\": 0.1,") != text.npos);
  CHECK(text.find("\"ci\": [871.25, 1148105.5],") != text.npos);
}

TEST_CASE("a histogram stands on one line, as pairs of the smallest value and the count",
          "[record]") {
  record::run run;
  run.results.emplace_back().histograms.lag_ns = {{0, 3}, {512, 1}};
  run.results.front().histograms.gap_ns.emplace();
  const std::string text = record::write(run);
  CHECK(text.find("\"lag_ns\": [[0, 3], [512, 1]],\n") != text.npos);
  CHECK(text.find("\"gap_ns\": [],\n") != text.npos);
  CHECK(text.find("\"datagrams_per_wakeup\": null\n") != text.npos);
}

TEST_CASE("a negative zero is written as zero", "[record]") {
  record::run run;
  run.context.overhead_ns = -0.0;
  CHECK(record::write(run).find("\"overhead_ns\": 0,") != std::string::npos);
}

TEST_CASE("each member of a round stands under its own key", "[record]") {
  record::run run;
  record::round& r = run.results.emplace_back().rounds.emplace_back();
  r = {0,
       1,
       false,
       "why",
       2,
       3,
       4,
       44,
       5.5,
       6.5,
       6.75,
       6.875,
       7,
       8,
       31,
       32,
       33,
       45,
       9,
       10,
       11,
       12,
       13,
       113,
       -14,
       15,
       16,
       17,
       18,
       19,
       20,
       21,
       22,
       0.5,
       23,
       24,
       41,
       {42, 43},
       25,
       26,
       record::limit::network,
       record::pacing{31.5, 32.5, 33, 34, 35, 36, 37, 38, std::nullopt},
       record::system_counters{27, 28, 29, 30, std::nullopt},
       record::way_losses{46, 47, 48, std::nullopt, -49}};
  CHECK(
      record::write(run).find(
          R"({"process": 0, "block": 1, "valid": false, "reason": "why", "elapsed_ns": 2, "timed": 3, "observed": 4, "counted": 44, )"
          R"("ns_per_datagram": 5.5, "received_per_second": 6.5, "offered_per_second": 6.75, "sender_cpu_share": 6.875, )"
          R"("intended": 7, "sent": 8, )"
          R"("send_refused": 31, "send_full": 32, "send_failed": 33, "send_calls": 45, "unique": 9, )"
          R"("unread": 10, "duplicate": 11, "reordered": 12, "kernel_dropped": 13, "queue_peak_bytes": 113, "unexplained": -14, )"
          R"("foreign": 15, "late": 16, "old": 17, "truncated": 18, "bytes": 19, "cpu_ns": 20, )"
          R"("cpu_user_ns": 21, "cpu_system_ns": 22, "cpu_share": 0.5, "hook_requests": 23, )"
          R"("allocations": 24, "receive_calls": 41, "per_thread": [42, 43], "voluntary_switches": 25, "involuntary_switches": 26, )"
          R"("limited_by": "network", "pacing": {"period_ns": 31.5, "mean_gap_ns": 32.5, "lag_p50_ns": 33, )"
          R"("lag_p99_ns": 34, "lag_max_ns": 35, "gap_p50_ns": 36, "gap_p99_ns": 37, "gap_max_ns": 38, )"
          R"("waited_share": null}, "system_counters": {"udp_in_errors": 27, )"
          R"("udp_receive_buffer_errors": 28, "udp_memory_errors": 29, "udp_checksum_errors": 30, )"
          R"("softnet_dropped": null}, "lost_on_the_way": {"sending_device": 46, "receiving_device": 47, )"
          R"("backlog": 48, "udp": null, "remainder": -49}})") != std::string::npos);
}

TEST_CASE("an absent figure is null and never 0", "[record]") {
  record::run run;
  run.results.emplace_back().rounds.emplace_back();
  const json::value file = json::parse(record::write(run));
  CHECK(file.at("results").at(0).at("summary").at("loss").is_null());
  CHECK(file.at("results").at(0).at("rounds").at(0).at("hook_requests").is_null());
  CHECK(file.at("context").at("overhead_ns").is_null());
}

TEST_CASE("what is not a finite number leaves as null and the file can be read", "[record]") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    record::run run;
    run.context.clock_resolution_ns = bad; // not an optional
    run.context.overhead_ns = bad;
    run.comparisons.emplace_back().ci = {{0.5, bad}};
    run.comparisons.front().ratio = bad;
    CHECK(record::to_json(run).at("context").at("overhead_ns").is_null());
    const std::string text = record::write(run);
    const json::value file = json::parse(text); // knows neither NaN nor Infinity
    CHECK(file.at("context").at("clock_resolution_ns").is_null());
    CHECK(file.at("context").at("overhead_ns").is_null());
    CHECK(file.at("comparisons").at(0).at("ci").is_null());
    CHECK(file.at("comparisons").at(0).at("ratio").is_null());
    CHECK(record::write(record::read(text)) == text);
  }
}

TEST_CASE("bytes that are not UTF-8 are replaced and the rest of the text stays", "[record]") {
  record::run run;
  run.context.cpu = "a\xFFz";
  CHECK(record::read(record::write(run)).context.cpu == "a\uFFFDz");
  run.context.cpu =
      "\xC0\xAF|\xED\xA0\x80|\xF4\x90\x80\x80|\xE2\x82"; // overlong, surrogate, too large, cut short
  const std::string found = record::read(record::write(run)).context.cpu;
  CHECK(found.find_first_of("\xC0\xED\xF4\xE2") == found.npos);
  CHECK(std::count(found.begin(), found.end(), '|') == 3);
  run.context.cpu = "\" \\ \n \x01 \x7F µ × – \U0001F4E6";
  CHECK(record::read(record::write(run)).context.cpu == run.context.cpu);
}

TEST_CASE("each round stands on a line of its own and the file ends with a newline", "[record]") {
  record::run run;
  run.results.resize(2);
  for (record::result& r : run.results) r.rounds.resize(3);
  const std::string text = record::write(run);
  std::size_t rounds = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != text.npos);
    const std::string line = text.substr(at, end - at);
    const auto starts = line.find("{\"process\": ");
    if (starts != line.npos) {
      ++rounds;
      CHECK(line.find_first_not_of(' ') == starts);
      CHECK(line.find("\"limited_by\"") != line.npos);
      CHECK(line.find("\"process\"", starts + 2) == line.npos);
    }
    at = end + 1;
  }
  CHECK(rounds == 6);
}
