/** @file
    Running a tool: small shell scripts stand in for those that behave, hang, fail and print garbage.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/peer/ports.hpp"
#include "../../bench/peer/run.hpp"

#include "catch.hpp"
#include "program.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>

using namespace peers;
using namespace std::chrono_literals;

namespace {

const std::atomic<bool> go_on{false};

/** A server that does nothing with its port. A shell has no sockets; perl is on every Debian.
    @param first  what it does before. */
std::string serve(const std::string& first = "") {
  return "exec perl -MIO::Socket::INET -e '" + first +
         "$s = IO::Socket::INET->new(LocalAddr => \"127.0.0.1:$ARGV[0]\", Listen => 1) or die; "
         "sleep 600' $1";
}

/** As nuttcp prints. */
const std::string good_words = "echo ' real_seconds=2 drop=25 pkt=100'";

/** A tool of two scripts, which get port and size. */
peer stand_in(const std::string& server, const std::string& client, int end_by = SIGTERM) {
  return {.name = "stand-in",
          .version = {"sh", "-c", "echo no digits; echo stand-in 1.2; echo 3"},
          .server = [server](const setting& s) -> command_line {
            return {"bash", "-c", server, "bash", std::to_string(s.port)};
          },
          .client = [client](const setting& s) -> command_line {
            return {"bash", "-c", client, "bash", std::to_string(s.size)};
          },
          .end_server_by = end_by,
          .read = read_nuttcp};
}

std::string why(const peer& tool, const patience& p = {}) {
  try {
    run(tool, 64, 0s, {}, go_on, p);
  } catch (const run_error& e) {
    return e.what();
  }
  return "it ran";
}

/** Processes whose command line has this word. */
std::string left_with(const std::string& mark) {
  return udpbench::test::run("ps -eo args | grep -F " + mark + " | grep -v grep || true").out;
}

} // namespace

TEST_CASE("a port is known as served once somebody listens on it, and not before", "[bench]") {
  boost::asio::io_context context;
  const boost::asio::ip::tcp::acceptor somebody(context,
                                                {boost::asio::ip::address_v4::loopback(), 0});
  CHECK(is_served(somebody.local_endpoint().port()));
  CHECK_FALSE(is_served(free_port()));
}

TEST_CASE("the kernel's tables tell a listening socket from a connected one", "[bench]") {
  const std::string table =
      "  sl  local_address rem_address   st\n"
      "   0: 0100007F:61A9 00000000:0000 0A 0\n"
      "   1: 0100007F:61AA 0100007F:1234 01 0\n"
      "   2: 00000000000000000000000000000000:61AB 00000000000000000000000000000000:0000 0A\n"
      "damaged\n";
  CHECK(has_server(table, 0x61A9, true));
  CHECK(has_server(table, 0x61AB, true));
  CHECK_FALSE(has_server(table, 0x61AA, true));
  CHECK(has_server(table, 0x61AA, false));
  CHECK_FALSE(has_server(table, 0x1234, false));
}

TEST_CASE("a server that ends before it serves is named with its last words", "[bench]") {
  CHECK(why(stand_in("echo one; echo 'no such device' >&2; exit 3", good_words)) ==
        "has a server that ended with exit code 3: no such device");
  CHECK(why(stand_in("kill -9 $$", good_words)) == "has a server that ended with signal 9");
}

TEST_CASE("a program that can't be started is named", "[bench]") {
  auto tool = stand_in("", "");
  tool.server = [](const setting&) -> command_line { return {"/nowhere/at-all"}; };
  CHECK_THAT(why(tool),
             Catch::Contains("process '/nowhere/at-all': can't be started: No such file"));
  tool.version = {"/nowhere/at-all"};
  CHECK(version_of(tool, go_on).empty());
}

TEST_CASE("a server that never serves is given up, and nothing of it is left", "[bench]") {
  const std::string mark = "stand-in-that-hangs-" + std::to_string(::getpid());
  CHECK(why(stand_in("trap '' TERM INT; (exec -a " + mark + " sleep 600) & wait # " + mark,
                     good_words),
            {.start = 100ms, .further = 1s, .end = 1s}) ==
        "has a server that served nobody within 0.1 s");
  CHECK(left_with(mark).empty());
}

TEST_CASE("a tool that behaves gives figures by its counts and by both CPU times", "[bench]") {
  const auto f = run(stand_in(serve(), good_words), 64, 0s, {}, go_on);
  CHECK(f.received_per_second == Approx(37.5));
  CHECK(*f.loss == Approx(0.25));
  CHECK(*f.receiver_cpu_ns > 0);
  CHECK(*f.sender_cpu_ns > 0);
  CHECK(f.limited_by == limit::neither);
}

TEST_CASE("a client that fails, hangs or prints garbage is named, and ended by its deadline",
          "[bench]") {
  CHECK(why(stand_in(serve(), "echo 'no route' >&2; exit 1")) ==
        "has a client that ended with exit code 1: no route");
  CHECK_THAT(why(stand_in(serve(), "echo what")), Catch::StartsWith("didn't print a number after"));
  const std::string mark = "stand-in-client-" + std::to_string(::getpid());
  CHECK(
      why(stand_in(serve(), "trap '' TERM INT; (exec -a " + mark + " sleep 600) & wait # " + mark),
          {.further = 100ms}) == "has a client that had not ended after 0.1 s");
  CHECK(left_with(mark).empty());
}

TEST_CASE("a server that doesn't end when it is told to is named", "[bench]") {
  CHECK(why(stand_in(serve("$SIG{TERM} = \"IGNORE\"; "), good_words), {.end = 100ms}) ==
        "has a server that had not ended 0.1 s after its client");
}

TEST_CASE("counts and CPU times come to rates, shares and a limit", "[bench]") {
  const counts c{.received = 1'000, .sent = 2'000, .seconds = 2};
  const auto f = figures_of(c, 1900ms, 1s, false);
  CHECK(f.received_per_second == Approx(500));
  CHECK(*f.loss == Approx(0.5));
  CHECK(*f.receiver_cpu_ns == Approx(1e6));
  CHECK(*f.sender_cpu_ns == Approx(0.95e6));
  CHECK(*f.receiver_share == Approx(0.5));
  CHECK(*f.sender_share == Approx(0.95));
  CHECK(f.limited_by == limit::sender);
  CHECK(figures_of(c, 1s, 1900ms, false).limited_by == limit::receiver);
  CHECK(figures_of(c, 1s, 1s, false).limited_by == limit::neither);
  CHECK(figures_of(c, 1s, 1s, true).limited_by == limit::shared_cpu);
  const auto silent = figures_of({.received = 1, .sent = {}, .seconds = 1}, 1s, 1s, false);
  CHECK_FALSE(silent.loss);
  CHECK_FALSE(silent.sender_cpu_ns);
}

TEST_CASE("a process that prints without end is ended by the size of its output", "[bench]") {
  process endless({"sh", "-c", "exec yes"}, {});
  REQUIRE(endless.wait(clock::now() + 30s, go_on));
  const auto end = endless.reap();
  CHECK_FALSE(end.good);
  CHECK(endless.output().size() <= (16u << 20));
}

TEST_CASE("both streams of a process are kept apart, and its CPU time is told", "[bench]") {
  process p(
      {"sh", "-c", "echo out; echo err >&2; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"}, {});
  REQUIRE(p.wait(clock::now() + 30s, go_on));
  const auto end = p.reap();
  CHECK(end.good);
  CHECK(end.cpu > 0ns);
  CHECK(p.output() == "out\n");
  CHECK(p.errors() == "err\n");
}

TEST_CASE("an interrupt ends the wait for a process, and the process", "[bench]") {
  const std::string mark = "stand-in-interrupted-" + std::to_string(::getpid());
  const std::atomic<bool> stop{true};
  {
    process p({"bash", "-c", "exec -a " + mark + " sleep 600"}, {});
    CHECK_THROWS_AS(p.wait(clock::now() + 30s, stop), interrupted);
  }
  CHECK(left_with(mark).empty());
}

TEST_CASE("the version is the first line that has a digit", "[bench]") {
  CHECK(version_of(stand_in("", ""), go_on) == "stand-in 1.2");
}
