// `udpbench serve` and `--to` between two network namespaces, as between two hosts.
#include "catch.hpp"
#include "namespaces.hpp"
#include "program.hpp"
#include "served_here.hpp"
#include "skip.hpp"
#include "the_program.hpp"

#include <udpbench/record/json.hpp>

#include <fstream>
#include <string>

#include <sys/stat.h>

using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::serving_program;
using udpbench::test::temporary_file;
using udpbench::test::two_hosts;

namespace {

const std::string executable = "'" UDPBENCH_EXECUTABLE "' ";

/** A key that both sides may read. */
struct common_key {
  common_key() {
    std::ofstream(file.path()) << "0123456789abcdef0123456789abcdef\n";
    ::chmod(file.path().c_str(), 0600);
  }
  std::string words() const { return " --key-file " + file.path() + " "; }

  temporary_file file;
};

/** Two hosts, of which one serves at all its addresses. */
struct served_hosts {
  explicit served_hosts(const std::string& words = "")
      : server("--listen [::]:0 " + words + key.words(), hosts.on_server() + executable) {}

  /** A comparison on the client, to an address of the server. */
  finished compare(const std::string& address, const std::string& words) const {
    return run(hosts.on_client() + executable +
               "compare sync async --rounds 1 --count 4000 --quiet " + words + key.words() +
               "--to " + address + server.port());
  }

  two_hosts hosts;
  common_key key;
  serving_program server;
};

void check_ledgers(const finished& end) {
  INFO(end.err);
  REQUIRE((end.code == 0 || end.code == 5));
  const auto record = udpbench::record::read(end.out);
  REQUIRE_FALSE(record.results.empty());
  for (const auto& result : record.results) {
    INFO(result.receiver << ' ' << result.load << ' ' << result.failure);
    CHECK(result.failure.empty());
    CHECK_FALSE(result.rounds.empty());
    for (const auto& round : result.rounds) {
      CHECK(round.sent > 0);
      CHECK(round.unique > 0);
      CHECK(round.foreign == 0);
      // Nothing is lost on a pair of veth but what the sender's side refuses, which is not sent, and what its backlog has no room for.
      CHECK(round.unexplained >= 0);
      CHECK(static_cast<std::int64_t>(round.sent) ==
            static_cast<std::int64_t>(round.unique + round.unread +
                                      round.kernel_dropped.value_or(0)) +
                round.unexplained);
    }
  }
}

} // namespace

#define NEED_NAMESPACES()                                                                          \
  if (const auto why = udpbench::test::why_no_namespaces(); !why.empty()) SKIP(why)

TEST_CASE("between two hosts every ledger balances, over IPv4, IPv6 and a link-local address",
          "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  for (const std::string address : {"10.57.1.1", "[fd57::1]", "[fe80::1%cli0]"}) {
    CAPTURE(address);
    const finished end =
        both.compare(address, "--load backlog,flood,pause:32/1ms,rate:20k --json -");
    check_ledgers(end);
    const auto record = udpbench::record::read(end.out);
    REQUIRE(record.other_host);
    CHECK_THAT(address, Catch::Contains(record.other_host->address));
    CHECK(record.other_host->same_machine);
  }
}

TEST_CASE("in reverse between two hosts every ledger balances, too", "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  for (const std::string address : {"10.57.1.1", "[fd57::1]", "[fe80::1%cli0]"}) {
    CAPTURE(address);
    check_ledgers(both.compare(address, "--reverse --load flood,pause:32/1ms,rate:20k --json -"));
  }
}

TEST_CASE("in reverse a client's firewall that lets in what was asked for is no hindrance",
          "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  const finished rules =
      run(both.hosts.on_client() +
          "nft 'table inet t { chain c { type filter hook input priority 0; iifname cli0 meta "
          "l4proto udp ct state != established drop; }; }'");
  if (rules.code != 0) SKIP("nftables can't be used here: " + rules.err);
  check_ledgers(both.compare("10.57.1.1", "--reverse --load rate:5k --json -"));
  check_ledgers(both.compare("10.57.1.1", "--reverse --load rate:5k --sockets 3 --json -"));
}

TEST_CASE("a client whose firewall lets no datagram in is told so", "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  const finished rules = run(both.hosts.on_client() +
                             "nft 'table inet t { chain c { type filter hook input priority 0; "
                             "iifname cli0 meta l4proto udp drop; }; }'");
  if (rules.code != 0) SKIP("nftables can't be used here: " + rules.err);
  const finished end = both.compare("10.57.1.1", "--reverse --load rate:5k");
  CHECK(end.code != 0);
  CHECK_THAT(end.err + end.out,
             Catch::Contains("no datagram arrived") && Catch::Contains("firewall"));
}

TEST_CASE("payloads up to and above the MTU of the path arrive, and fragments are reported",
          "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  const finished end =
      both.compare("10.57.1.1", "--load flood,rate:5k --size 1472,1473,8000 --json -");
  check_ledgers(end);
  CHECK(udpbench::record::read(end.out).plan.path_mtu == 1500u);
  const finished text = both.compare("10.57.1.1", "--load rate:5k --size 1472,1473");
  CHECK_THAT(text.out, Catch::Contains("fragments"));
  const finished refused =
      both.compare("10.57.1.1", "--load rate:5k --size 1472,1473 --no-fragment");
  CHECK(refused.code == 1);
  CHECK_THAT(refused.err, Catch::Contains("--no-fragment '1473'") && Catch::Contains("1472 bytes"));
}

TEST_CASE("a client whose datagrams a firewall stops is told so", "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  const finished rules =
      run(both.hosts.on_server() + "nft 'table inet t { chain c { type filter hook input priority "
                                   "0; meta l4proto udp drop; }; }'");
  if (rules.code != 0) SKIP("nftables can't be used here: " + rules.err);
  const finished end = both.compare("10.57.1.1", "--load flood");
  CHECK(end.code == 1);
  CHECK_THAT(end.err, Catch::Contains("the connection works") &&
                          Catch::Contains("none has arrived") && Catch::Contains("firewall"));
}

TEST_CASE("what a firewall takes away on the way is the network's loss, and not the receiver's",
          "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  const finished rules =
      run(both.hosts.on_server() +
          "nft 'table inet t { chain c { type filter hook input priority 0; "
          "iifname srv0 udp length 108 counter numgen inc mod 20 0 counter drop; "
          "}; }'");
  if (rules.code != 0) SKIP("nftables can't be used here: " + rules.err);
  const finished end =
      both.compare("10.57.1.1", "--load rate:10k --size 100 --send single --json -");
  INFO(end.err);
  REQUIRE(end.code == 0);
  std::int64_t sent = 0;
  std::int64_t lost = 0;
  for (const auto& result : udpbench::record::read(end.out).results)
    for (const auto& round : result.rounds) {
      CHECK(round.valid);
      CHECK(round.sent == 4'000);
      // Every twentieth, of those that warmed the receiver up, too.
      CHECK(round.unexplained >= 199);
      CHECK(round.unexplained <= 201);
      sent += 4'000;
      lost += round.unexplained;
      INFO(round.cpu_share.value_or(-1)
           << " of the time running, " << *round.kernel_dropped << " dropped");
      // One that was kept from its cpu may have been the limit itself.
      if (*round.cpu_share < 0.9 && *round.kernel_dropped == 0)
        CHECK(round.limited_by == udpbench::record::limit::network);
    }
  const std::string counted = run(both.hosts.on_server() + "nft list table inet t").out;
  const auto seen = counted.find("packets ");
  const auto taken = counted.find("packets ", seen + 1);
  REQUIRE(taken != std::string::npos);
  const auto warmed_up = std::stoll(counted.substr(seen + 8)) - sent;
  const auto lost_before = std::stoll(counted.substr(taken + 8)) - lost;
  CHECK(lost_before >= warmed_up / 20);
  CHECK(lost_before <= (warmed_up + 19) / 20);
}

TEST_CASE("a host that can't be reached is named, with why", "[app]") {
  NEED_NAMESPACES();
  const served_hosts both;
  const finished nowhere = both.compare("192.0.2.1", "--load flood");
  CHECK(nowhere.code == 1);
  CHECK_THAT(nowhere.err, Catch::Contains("192.0.2.1") && Catch::Contains("can't be reached"));
  const finished unknown = run(both.hosts.on_client() + executable +
                               "compare sync --load flood --quiet --to no.such.host.invalid");
  CHECK(unknown.code == 1);
  CHECK_THAT(unknown.err, Catch::Contains("--to 'no.such.host.invalid': this host isn't known"));
}

TEST_CASE("a client whose host is cut off makes room for the next", "[app]") {
  NEED_NAMESPACES();
  served_hosts both;
  const finished end = run(both.hosts.on_client() + executable +
                               "compare sync async --rounds 10000 --load backlog --quiet" +
                               both.key.words() + "--to 10.57.1.1" + both.server.port(),
                           [&](pid_t) {
                             CHECK(both.server.says("is served"));
                             run(both.hosts.on_server() + "ip link set srv0 down");
                           });
  CHECK(end.code == 1);
  CHECK_THAT(end.err + end.out,
             Catch::Contains("can't be reached any more") || Catch::Contains("no answer for"));
  // The server notices by itself, and the network comes back.
  CHECK(both.server.says("has gone"));
  run(both.hosts.on_server() + "ip link set srv0 up");
  finished next;
  for (int i = 0; i < 100; ++i) {
    next = both.compare("10.57.1.1", "--load flood");
    if (next.err.find("No route to host") == std::string::npos) break;
  }
  INFO(next.err << both.server.said());
  CHECK((next.code == 0 || next.code == 5));
}
