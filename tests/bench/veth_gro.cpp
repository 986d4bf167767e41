/** @file
    The passage between two namespaces: it prints what it should, and leaves nothing behind.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "namespaces.hpp"
#include "program.hpp"
#include "skip.hpp"

#include <string>

#include <signal.h>
#include <unistd.h>

using udpbench::test::finished;
using udpbench::test::run;

namespace {

const std::string script = "exec '" UDPBENCH_SOURCE "/bench/veth-gro' ";
const std::string with_program = "UDPBENCH_VETH_GRO='" UDPBENCH_VETH_GRO "' " + script;

/** Namespaces and interfaces of the script's, by their names. */
std::string left_behind() {
  return run("ip netns list | grep -o 'udpbench-[rs]-[0-9]*' || true").out;
}

/** Why it can't run here; empty if it can. */
std::string obstacle() {
  if (run("command -v ethtool").code != 0) return "ethtool isn't installed";
  return udpbench::test::why_no_namespaces();
}

} // namespace

TEST_CASE("bench/veth-gro shows trains where the receiving end joins, and removes what it made",
          "[bench]") {
  if (const auto why = obstacle(); !why.empty()) SKIP(why);
  const auto before = left_behind();
  const finished end = run(with_program + "2000");
  INFO(end.err);
  if (end.code == 1 && end.err.find("this kernel doesn't allow") != end.err.npos) SKIP(end.err);
  CHECK(end.code == 0);
  for (const char* name : {"raw+gro", "async+gro", "sync", "async"})
    CHECK_THAT(end.out, Catch::Contains(name));
  CHECK_THAT(end.out, Catch::Contains("mixed"));
  CHECK(end.err.empty());
  CHECK(left_behind() == before);
}

TEST_CASE("bench/veth-gro leaves nothing behind when it is ended", "[bench]") {
  if (const auto why = obstacle(); !why.empty()) SKIP(why);
  const auto before = left_behind();
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    // As from a terminal, where nobody ignores an interrupt.
    const finished end = run("UDPBENCH_VETH_GRO='" UDPBENCH_VETH_GRO
                             "' exec setsid '" UDPBENCH_SOURCE "/bench/veth-gro' 1000000000",
                             [&](pid_t shell) {
                               for (int i = 0; i < 2000 && left_behind() == before; ++i) {
                               }
                               ::kill(shell, signal);
                             });
    INFO(signal << ": " << end.err);
    if (end.code == 1) SKIP(end.err);
    CHECK(end.code == 128 + signal);
    CHECK(left_behind() == before);
  }
}

TEST_CASE("bench/veth-gro says what it lacks and what it doesn't understand", "[bench]") {
  const finished odd = run(with_program + "many");
  CHECK(odd.code == 2);
  CHECK_THAT(odd.err, Catch::Contains("usage: bench/veth-gro [COUNT]"));
  // A path with what the script itself needs, and no more.
  const finished bare =
      run("d=$(mktemp -d); ln -s \"$(command -v bash)\" \"$(command -v dirname)\" "
          "\"$(command -v id)\" $d; PATH=$d '" UDPBENCH_SOURCE
          "/bench/veth-gro' 5; s=$?; rm -r $d; exit $s");
  CHECK(bare.code == 1);
  CHECK_THAT(bare.err, Catch::Contains("iproute2") && Catch::Contains("ethtool"));
}
