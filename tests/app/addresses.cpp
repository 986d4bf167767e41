// Addresses and sizes of packets, through the program.
#include "catch.hpp"
#include "every_receiver.hpp"
#include "loopback.hpp"
#include "program.hpp"

#include <udpbench/experiment/sender.hpp>

#include <boost/json.hpp>

#include <string>

using udpbench::test::finished;
using udpbench::test::run;

namespace {

const std::string executable = "'" UDPBENCH_EXECUTABLE "' ";

/** Each datagram that was sent is accounted for, whole, and some arrived. */
void check_ledgers(const finished& end, std::size_t results) {
  INFO(end.err);
  REQUIRE((end.code == 0 || end.code == 5));
  const auto file = boost::json::parse(end.out).as_object();
  CHECK(file.at("results").as_array().size() == results);
  for (const auto& result : file.at("results").as_array()) {
    INFO(result.at("receiver") << ' ' << result.at("load") << ' ' << result.at("size"));
    const auto size = result.at("size").to_number<std::uint64_t>();
    CHECK_FALSE(result.at("rounds").as_array().empty());
    for (const auto& round : result.at("rounds").as_array()) {
      const auto unique = round.at("unique").to_number<std::uint64_t>();
      CHECK(unique > 0);
      CHECK(round.at("sent") == round.at("intended"));
      CHECK(round.at("unexplained") == 0);
      CHECK(round.at("truncated") == 0);
      CHECK(round.at("bytes").to_number<std::uint64_t>() == unique * size);
    }
  }
}

/** Starts what follows in a network of its own, whose loopback has the MTU of an Ethernet. */
const std::string own_network = "exec unshare -rn sh -c \"ip link set lo mtu 1500 up && exec ";

bool has_own_network() { return run(own_network + "true\"").code == 0; }

} // namespace

TEST_CASE("::1 works for every receiver, in every mode of sending", "[app]") {
  if (!support::usable(support::v6())) {
    WARN("skipped: this host has no ::1");
    return;
  }
  std::string all;
  std::size_t receivers = 0;
  const auto known = support::every_receiver();
  for (const auto& entry : known.entries()) {
    all += entry.name + ' ';
    ++receivers;
  }
  const auto check = [&](const std::string& load, std::size_t loads) {
    check_ledgers(run("exec " + executable + "compare " + all +
                      "--address ::1 --rounds 1 --count 500 --json - --load " + load),
                  loads * (receivers + 1));
  };
  check("backlog,flood", 2);
  check("flood --send single", 1);
  check("flood --send batch", 1);
  if (udpbench::experiment::mode_works(udpbench::experiment::send_mode::segmented,
                                       support::v6().address(), 1024))
    check("flood --send segmented", 1);
}

TEST_CASE("the address of ::1 is echoed as it was typed", "[app]") {
  if (!support::usable(support::v6())) {
    WARN("skipped: this host has no ::1");
    return;
  }
  const finished end =
      run("exec " + executable + "compare sync --load backlog --address ::1 --rounds 1 --json -");
  CHECK(boost::json::parse(end.out).at("plan").at("address") == "::1");
}

TEST_CASE("a payload above an MTU of 1500 arrives whole, and where segments can't it says so",
          "[app]") {
  if (!has_own_network()) {
    WARN("skipped: no network of one's own here (unshare, ip)");
    return;
  }
  const std::string words = "compare sync async+batch --rounds 1 --count 300 --json - ";
  // With 28 bytes of headers, the last of these that is one packet is the first; with 48, over IPv6, none is.
  for (const char* address : {"127.0.0.1", "::1"})
    check_ledgers(run(own_network + executable + words + "--size 1472,1473,9000,65507 --address " +
                      address + "\""),
                  2 * 4 * 3);
  const finished end =
      run(own_network + executable + words + "--load flood --send segmented --size 9000\"");
  CHECK(end.code == 1);
  CHECK_THAT(end.err, Catch::Contains("segmented sends of 9000 bytes don't work here"));
}
