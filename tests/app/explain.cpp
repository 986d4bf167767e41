// Why one receiver is dearer than another.
#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using udpbench::test::finished;
using udpbench::test::run;

namespace {

/** What a comparison explained. */
struct explained {
  /** How often a receiver makes a call for each datagram, by both names; with `N:` before the receiver's where it has N sockets. */
  std::map<std::string, std::map<std::string, double>> calls;
  std::vector<std::string> uncounted; ///< Warnings of that.

  /** Whether nothing may be traced here. */
  bool forbidden() const {
    return std::any_of(uncounted.begin(), uncounted.end(), [](const std::string& each) {
      return each.find("trace a process") != std::string::npos;
    });
  }
};

explained explain(const std::string& words) {
  const finished end =
      run("exec '" UDPBENCH_EXECUTABLE "' compare " + words + " --quiet --explain --json -");
  INFO(end.err);
  explained out;
  const auto record = boost::json::parse(end.out).as_object();
  for (const auto& each : record.at("results").as_array()) {
    const auto& result = each.as_object();
    const auto sockets = result.at("sockets").to_number<std::uint64_t>();
    auto& its = out.calls[(sockets > 1 ? std::to_string(sockets) + ':' : "") +
                          std::string(result.at("receiver").as_string())];
    for (const auto& call : result.at("system_calls").as_array())
      its[std::string(call.at("name").as_string())] = call.at("per_datagram").to_number<double>();
  }
  for (const auto& warning : record.at("warnings").as_array())
    if (warning.as_string().find("could not be counted") != std::string::npos)
      out.uncounted.emplace_back(warning.as_string());
  return out;
}

} // namespace

TEST_CASE("several sockets are explained, too, each beside what one asks for", "[app]") {
  auto [calls, uncounted] =
      explain("sync async --sockets 1,3 --load pause:30/1ms --count 300 --rounds 1");
  if (explained{calls, uncounted}.forbidden()) SKIP(uncounted.front());
  CHECK(uncounted == std::vector<std::string>{});
  CHECK(calls["sync"]["recvfrom"] == 1);
  CHECK(calls["3:sync"]["recvfrom"] == 1);
  CHECK(calls["3:sync"].size() == 1);
  // Whoever waits for any socket asks once in vain before it does.
  CHECK(calls["3:async"]["recvfrom"] > 1);
  CHECK(calls["3:async"]["epoll_wait"] > 0);
}

TEST_CASE("several threads are explained, and who can't be is named with the reason", "[app]") {
  auto [calls, uncounted] =
      explain("sync async.shared sync.spin --threads 2 --load pause:30/1ms --count 600 --rounds 1");
  if (explained{calls, uncounted}.forbidden()) SKIP(uncounted.front());
  CHECK(calls["sync"]["recvfrom"] == 1);
  CHECK(calls["async.shared"]["recvfrom"] >= 1);
  CHECK(calls["sync.spin"].empty());
  REQUIRE(uncounted.size() == 1);
  CHECK_THAT(uncounted.front(), Catch::Contains("sync.spin") && Catch::Contains("never sleep"));
}

TEST_CASE("the explanation tells the system calls of each receiver", "[app]") {
  auto [calls, uncounted] = explain("sync async sync+batch --load backlog --rounds 1");
  if (!uncounted.empty()) SKIP(uncounted.front());
  CHECK(calls["sync"]["recvfrom"] == 1);
  CHECK(calls["sync"].size() == 1);
  CHECK(calls["async"]["recvfrom"] == 1);
  CHECK(calls["async"]["epoll_wait"] >= 1);
  CHECK(calls["sync+batch"]["recvmmsg"] < 0.1);
  CHECK(calls["sync+batch"]["recvmmsg"] > 0);
  CHECK(calls["sync+batch"].count("recvfrom") == 0);
}
