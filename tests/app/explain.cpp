// Why one receiver is dearer than another.
#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"

#include <boost/json.hpp>

#include <map>
#include <string>

using udpbench::test::finished;
using udpbench::test::run;

TEST_CASE("the explanation tells the system calls of each receiver", "[app]") {
  const finished end =
      run("exec '" UDPBENCH_EXECUTABLE
          "' compare sync async sync+batch --load backlog --rounds 1 --quiet --explain --json -");
  INFO(end.err);
  const auto record = boost::json::parse(end.out).as_object();
  std::map<std::string, std::map<std::string, double>> calls;
  for (const auto& each : record.at("results").as_array()) {
    const auto& result = each.as_object();
    auto& its = calls[std::string(result.at("receiver").as_string())];
    for (const auto& call : result.at("system_calls").as_array())
      its[std::string(call.at("name").as_string())] = call.at("per_datagram").to_number<double>();
  }
  for (const auto& warning : record.at("warnings").as_array())
    if (warning.as_string().find("could not be counted") != std::string::npos)
      SKIP(std::string(warning.as_string()));
  CHECK(calls["sync"]["recvfrom"] == 1);
  CHECK(calls["sync"].size() == 1);
  CHECK(calls["async"]["recvfrom"] == 1);
  CHECK(calls["async"]["epoll_wait"] >= 1);
  CHECK(calls["sync+batch"]["recvmmsg"] < 0.1);
  CHECK(calls["sync+batch"]["recvmmsg"] > 0);
  CHECK(calls["sync+batch"].count("recvfrom") == 0);
}
