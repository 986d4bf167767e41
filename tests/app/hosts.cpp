// `udpbench serve` and `--to`, over loopback.
#include "catch.hpp"
#include "program.hpp"
#include "sanitized.hpp"
#include "served_here.hpp"
#include "the_program.hpp"

#include <udpbench/app/far_host.hpp>
#include <udpbench/record/json.hpp>

#include <boost/thread/scoped_thread.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <sys/stat.h>

using udpbench::test::compare_briefly;
using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::ran;
using udpbench::test::run;
using udpbench::test::serving_program;
using udpbench::test::temporary_file;

namespace {

const std::string for_long = program + "compare sync async --count 4000 --rounds 10000 --quiet ";

std::string key_in(const temporary_file& file, const std::string& key) {
  std::ofstream(file.path()) << key << '\n';
  ::chmod(file.path().c_str(), 0600);
  return " --key-file " + file.path() + " ";
}

/** What a process holds: descriptors. */
std::ptrdiff_t descriptors_of(pid_t process) {
  std::filesystem::directory_iterator all("/proc/" + std::to_string(process) + "/fd");
  return std::distance(begin(all), end(all));
}

} // namespace

TEST_CASE("receivers of a server are compared under every load, and every ledger balances",
          "[app]") {
  const serving_program server;
  const finished end =
      run(compare_briefly + "--load backlog,flood,pause:32/1ms,rate:20k --json - --to " +
          server.endpoint());
  INFO(end.err << server.said());
  REQUIRE(ran(end));
  const auto record = udpbench::record::read(end.out);
  REQUIRE(record.other_host);
  CHECK(record.other_host->address == "127.0.0.1");
  CHECK(record.other_host->has == "receivers");
  CHECK(record.other_host->same_machine);
  CHECK(record.other_host->round_trip_ns > 0);
  CHECK(record.other_host->context.kernel == record.context.kernel);
  CHECK(record.results.size() == 12);
  for (const auto& result : record.results)
    for (const auto& round : result.rounds) {
      INFO(result.receiver << ' ' << result.load << ' ' << round.reason);
      CHECK(round.sent > 0);
      CHECK(round.unexplained == 0);
      CHECK(round.sent == round.unique + round.unread + round.kernel_dropped.value_or(0));
    }
}

TEST_CASE("in reverse the server sends, and every ledger balances", "[app]") {
  const serving_program server;
  const std::string what =
      GENERATE("--load backlog,flood,pause:32/1ms,rate:20k", "--load flood --sockets 3",
               "--load flood --threads 2", "--load flood --flows 3", "--load rate:5k --send batch");
  CAPTURE(what);
  const finished end =
      run(compare_briefly + what + " --reverse --json - --to " + server.endpoint());
  INFO(end.err << server.said());
  REQUIRE(ran(end));
  const auto record = udpbench::record::read(end.out);
  REQUIRE(record.other_host);
  CHECK(record.other_host->has == "sender");
  for (const auto& result : record.results) {
    CHECK(result.failure.empty());
    for (const auto& round : result.rounds) {
      INFO(result.receiver << ' ' << result.load << ' ' << round.reason);
      CHECK(round.sent > 0);
      CHECK(round.unexplained == 0);
      if (result.load == "rate:20k") CHECK(round.pacing);
    }
  }
}

TEST_CASE("a server with a rate sends no faster", "[app]") {
  const serving_program server("--listen 127.0.0.1:0 --max-rate 1000");
  const std::string to = "--reverse --to " + server.endpoint();
  const finished flood = run(compare_briefly + "--load flood " + to);
  CHECK(flood.code == 1);
  CHECK_THAT(flood.err + flood.out, Catch::Contains("this server allows only rate:R"));
  const finished fast = run(compare_briefly + "--load rate:2k " + to);
  CHECK(fast.code == 1);
  CHECK_THAT(fast.err + fast.out, Catch::Contains("rate 2000: this server"));
  CHECK(ran(run(program + "compare sync --load rate:1k --count 200 --rounds 1 --quiet " + to)));
}

TEST_CASE("the text says where the receivers are", "[app]") {
  const serving_program server;
  const finished end = run(compare_briefly + "--load flood --to " + server.endpoint());
  INFO(end.err);
  CHECK_THAT(
      end.out,
      Catch::Contains("server   127.0.0.1, where the receivers are; a question and its answer") &&
          Catch::Contains("the same machine"));
}

TEST_CASE("several sockets, threads and processes are had of a server, too", "[app]") {
  const serving_program server;
  const std::string to = " --json - --to " + server.endpoint();
  const std::string what =
      GENERATE("--sockets 3 --load flood", "--threads 2 --load flood", "--processes 6 --load flood",
               "--flows 3 --load flood", "--mixed-sizes --load flood,backlog",
               "--work 1us --load backlog --reverse",
               "--work 0,1us,touch,random:4KiB --load backlog", "--size 16,64 --load flood");
  CAPTURE(what);
  const finished end = run(compare_briefly + what + to);
  INFO(end.err << server.said());
  CHECK(ran(end));
  const auto record = udpbench::record::read(end.out);
  CHECK(record.complete);
  CHECK(record.error.empty());
  CHECK(record.other_host);
}

TEST_CASE("with a key on both sides a comparison runs, and without it, or with another, none",
          "[app]") {
  const temporary_file its;
  const temporary_file other;
  const std::string right = key_in(its, "0123456789abcdef0123456789abcdef");
  const std::string wrong = key_in(other, "fedcba9876543210fedcba9876543210");
  const serving_program server("--listen 127.0.0.1:0" + right);
  const std::string to = "--load flood --to " + server.endpoint();
  CHECK(ran(run(compare_briefly + to + right)));
  const finished none = run(compare_briefly + to);
  CHECK(none.code == 1);
  CHECK_THAT(none.err, Catch::Contains("--to '" + server.endpoint() + "'") &&
                           Catch::Contains("asks for a key: --key-file"));
  const finished another = run(compare_briefly + to + wrong);
  CHECK(another.code == 1);
  CHECK_THAT(another.err, Catch::Contains("it has another key"));
  // It is still served.
  CHECK(ran(run(compare_briefly + to + right)));
}

TEST_CASE("a server listens on IPv6, and its receivers are there", "[app]") {
  const serving_program server("--listen [::1]:0");
  const finished end = run(compare_briefly + "--load flood --json - --to " + server.endpoint());
  INFO(end.err);
  CHECK(ran(end));
  CHECK(udpbench::record::read(end.out).other_host->address == "::1");
}

TEST_CASE("receivers have the ports that the server was told", "[app]") {
  // Of a range that the system doesn't choose from, so that nobody has them by chance.
  const serving_program server("--listen 127.0.0.1:0 --data-ports 21573-21579");
  CHECK(ran(run(compare_briefly + "--load flood --to " + server.endpoint())));
  // A backlog of seven receivers and a control needs one more than there are.
  const finished end = run(program +
                           "compare raw sync async coroutine sync+batch async+batch "
                           "coroutine+batch --load backlog --rounds 1 --quiet --to " +
                           server.endpoint());
  CHECK(end.code == 1);
  CHECK_THAT(end.out + end.err, Catch::Contains("of the ports 21573"));
}

TEST_CASE("a server for one client ends after it, with 0", "[app]") {
  serving_program server("--listen 127.0.0.1:0 --once");
  CHECK(ran(run(compare_briefly + "--load flood --to " + server.endpoint())));
  CHECK(server.end(0) == 0);
  CHECK_THAT(server.said(), Catch::Contains("is served") && Catch::Contains("has gone"));
}

TEST_CASE("a server that dies in the middle of a run is named by its client, which ends", "[app]") {
  serving_program server;
  const finished end = run(for_long + "--load backlog,flood --to " + server.endpoint(), [&](pid_t) {
    while (server.said().find("is served") == std::string::npos) {
    }
    server.end(SIGKILL);
  });
  CHECK(end.code == 1);
  CHECK_THAT(end.err + end.out, Catch::Contains("the other end has closed the connection") ||
                                    Catch::Contains("without a word"));
}

TEST_CASE("a client that is interrupted writes what it has, and the server serves the next",
          "[app]") {
  const serving_program server;
  const finished end =
      run(for_long + "--load flood --json - --to " + server.endpoint(), [&](pid_t client) {
        CHECK(server.says("is served"));
        ::kill(client, SIGINT);
      });
  CHECK(end.code == 130);
  const finished next = run(compare_briefly + "--load flood --to " + server.endpoint());
  INFO(next.err);
  CHECK(ran(next));
}

TEST_CASE("after 50 clients that are killed at any moment the next is served, and nothing is left "
          "of them",
          "[app]") {
  const serving_program server;
  const std::string to = "--to " + server.endpoint();
  CHECK(ran(run(compare_briefly + "--load flood " + to)));
  const auto before = descriptors_of(server.id());
  std::minstd_rand random(20051204);
  for (int i = 0; i < 50; ++i)
    run(for_long + "--load backlog,flood " + to, [&](pid_t client) {
      ::usleep(static_cast<useconds_t>(random() % 60'000));
      ::kill(client, SIGKILL);
    });
  // The last of them may have to be noticed first.
  finished next;
  for (int i = 0; i < 100; ++i) {
    next = run(compare_briefly + "--load flood " + to);
    if (ran(next)) break;
  }
  INFO(next.err);
  CHECK(ran(next));
  CHECK(descriptors_of(server.id()) <= before);
}

TEST_CASE("ten thousand callers that are no clients don't end a session, nor stay", "[app]") {
  const serving_program server;
  const auto where = udpbench::app::parse_host("--to", server.endpoint());
  const udpbench::net::stream_endpoint at(boost::asio::ip::make_address(where.host), where.port);
  const finished end =
      run(for_long + "--load flood --json - --to " + server.endpoint(), [&](pid_t client) {
        CHECK(server.says("is served"));
        std::vector<udpbench::net::descriptor> some;
        for (int i = 0; i < 10'000; ++i) {
          auto fd = udpbench::net::connect_stream(at, std::chrono::seconds(30));
          ::send(fd.get(), "GET / HTTP/1.1\r\n\r\n", i % 19, MSG_NOSIGNAL);
          some.push_back(std::move(fd));
          if (some.size() == 100) some.clear();
        }
        ::kill(client, SIGINT);
      });
  CHECK(end.code == 130);
  const auto record = udpbench::record::read(end.out);
  CHECK(record.error.empty());
  for (const auto& result : record.results)
    for (const auto& round : result.rounds) CHECK(round.unexplained == 0);
#ifndef UDPBENCH_TEST_SANITIZED // It has memory of its own.
  const std::string status =
      udpbench::test::slurp("/proc/" + std::to_string(server.id()) + "/status");
  const auto peak = status.find("VmHWM:");
  REQUIRE(peak != std::string::npos);
  CHECK(std::stoll(status.substr(peak + 6)) < 64 * 1024);
#endif
}
