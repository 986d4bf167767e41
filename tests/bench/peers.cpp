/** @file
    The command line of the comparison with other tools, and the program and script as their users meet them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/peer/words.hpp"

#include "catch.hpp"
#include "program.hpp"

#include <boost/json/parse.hpp>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/stat.h>

using namespace peers;
using udpbench::app::usage_error;

TEST_CASE("without words everybody runs at two sizes, in six rounds", "[bench]") {
  const auto r = parse({});
  CHECK(r.rounds == 6);
  CHECK(r.seconds.count() == 3);
  CHECK(r.sizes == std::vector<std::size_t>{64, 1024});
  CHECK(r.wants("qperf"));
  CHECK_FALSE(r.seed);
}

TEST_CASE("the words of bench/peers are taken in any order", "[bench]") {
  const auto r = parse({"--json", "-", "--only", "async+gro,iperf", "--size", "1KiB", "--seed", "9",
                        "--seconds", "2", "--rounds", "8"});
  CHECK(r.json == "-");
  CHECK(r.only == std::vector<std::string>{"async+gro", "iperf"});
  CHECK_FALSE(r.wants("sync"));
  CHECK(r.sizes == std::vector<std::size_t>{1024});
  CHECK(r.seed == 9u);
  CHECK(r.seconds.count() == 2);
  CHECK(r.rounds == 8);
}

TEST_CASE("a wrong word of bench/peers is named, with what is allowed", "[bench]") {
  struct wrong {
    std::vector<std::string> words;
    const char* named;
  };
  for (const auto& [words, named] :
       {wrong{{"--rounds"}, "'--rounds': a value has to follow"},
        wrong{{"--rounds", "0"}, "--rounds '0'"}, wrong{{"--seconds", "61"}, "--seconds '61'"},
        wrong{{"--size", "63"}, "--size '63'"}, wrong{{"--size", "64,64"}, "named twice"},
        wrong{{"--size", ""}, "--size ''"},
        wrong{{"--only", "netperf"}, "'netperf': known are iperf3"},
        wrong{{"--only", "sync"}, "has to be a tool: iperf3"}, wrong{{"--json", ""}, "--json ''"},
        wrong{{"--seed", "-1"}, "--seed '-1'"},
        wrong{{"--fast"}, "'--fast': known are --rounds N"}})
    CHECK_THROWS_WITH(parse(words), Catch::Contains(named));
}

#ifdef UDPBENCH_PEERS
namespace {

/** A folder with the programs that it is given as shell scripts; PATH leads there and to what they need. */
class fake_tools {
 public:
  fake_tools() {
    path_ = udpbench::test::run("mktemp -d").out;
    path_.pop_back();
  }
  fake_tools(const fake_tools&) = delete;
  fake_tools& operator=(const fake_tools&) = delete;
  ~fake_tools() { udpbench::test::run("rm -r '" + path_ + "'"); }

  void add(const std::string& name, const std::string& script) const {
    std::ofstream(path_ + '/' + name) << "#!/bin/bash\n" << script;
    ::chmod((path_ + '/' + name).c_str(), 0755);
  }

  /** Runs the program with them as the only ones. */
  udpbench::test::finished run(const std::string& words,
                               const std::function<void(pid_t)>& meanwhile = {}) const {
    return udpbench::test::run("PATH='" + path_ + "' exec '" UDPBENCH_PEERS "' " + words,
                               meanwhile);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

} // namespace

TEST_CASE("with no tool installed the program says which are missing and ends with 1", "[bench]") {
  const fake_tools none;
  const auto end = none.run("");
  CHECK(end.code == 1);
  CHECK(end.out.empty());
  CHECK_THAT(end.err, Catch::Contains("apt-get install iperf3 iperf sockperf nuttcp qperf") &&
                          Catch::Contains("no tool to compare with is installed"));
  CHECK(none.run("--missing").out == "iperf3\niperf\nsockperf\nnuttcp\nqperf\n");
  CHECK(none.run("--missing --only iperf").out == "iperf\n");
}

TEST_CASE("a tool that fails is named with its reason, and one round of it is no reason to stop",
          "[bench]") {
  const fake_tools tools;
  tools.add("qperf", "echo 'no such luck' >&2; exit 4");
  tools.add("iperf", "[[ $1 == -v ]] && echo 'iperf 9.9' && exit; echo garbage; exit 5");
  const auto end = tools.run("--only qperf,iperf --rounds 1 --seconds 1 --size 64 --json -");
  CHECK(end.code == 1);
  const auto file = boost::json::parse(end.out);
  REQUIRE(file.at("results").as_array().size() == 2);
  CHECK(file.at("tools").at(0).at("version").as_string() == "iperf 9.9");
  CHECK(file.at("results").at(0).at("failures").at(0).at("reason").as_string() ==
        "has a server that ended with exit code 5: garbage");
  CHECK(file.at("results").at(1).at("failures").at(0).at("reason").as_string() ==
        "has a server that ended with exit code 4: no such luck");
}

TEST_CASE("a wrong word ends bench/peers with 2, and --help with 0", "[bench]") {
  const fake_tools none;
  const auto wrong = none.run("--size tiny");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("'tiny'"));
  const auto help = none.run("--help");
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Catch::Contains("--seconds T"));
}

TEST_CASE("an interrupt ends bench/peers and the tool that it runs", "[bench]") {
  const fake_tools tools;
  const std::string pid = tools.path() + "/pid";
  tools.add("iperf3", "[[ $1 == --version ]] && exit; echo $$ > '" + pid + ".new'; /bin/mv '" +
                          pid + ".new' '" + pid +
                          "'; trap '' INT TERM; while :; do /bin/sleep 1; done");
  const auto end = tools.run("--only iperf3", [&](pid_t program) {
    const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (udpbench::test::slurp(pid).empty() && std::chrono::steady_clock::now() < last) {
    }
    ::kill(program, SIGINT);
  });
  CHECK(end.code == 130);
  const auto server = std::stoi("0" + udpbench::test::slurp(pid));
  REQUIRE(server > 0);
  CHECK(::kill(server, 0) == -1);
}

TEST_CASE("bench/peers gives its words to the program, and installs nothing that is there",
          "[bench]") {
  const std::string script =
      "UDPBENCH_PEERS='" UDPBENCH_PEERS "' exec '" UDPBENCH_SOURCE "/bench/peers' ";
  CHECK_THAT(udpbench::test::run(script + "--help").out, Catch::Contains("usage: bench/peers"));
  CHECK(udpbench::test::run(script + "--size tiny").code == 2);
  const fake_tools tools;
  tools.add("iperf", "exit 5");
  // apt-get would be asked by an installation, and isn't there.
  const auto end = udpbench::test::run("PATH='" + tools.path() + "':/usr/bin:/bin; " + script +
                                       "--install --only iperf --rounds 1 --seconds 1 --size 64");
  CHECK(end.code == 1);
  CHECK_THAT(end.out, Catch::Contains("a server that ended with exit code 5"));
}
#endif
