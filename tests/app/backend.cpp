// Receivers on another backend, in a process of their own.
#include "catch.hpp"
#include "program.hpp"
#include "skip.hpp"
#include "the_program.hpp"

#include <udpbench/machine/why_no_io_uring.hpp>

#include <boost/json.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>

#include <unistd.h>

using udpbench::test::finished;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::slurp;

namespace {

/** Why there can be no such receiver here; empty if there can. */
std::string why_not() {
  if (::access(UDPBENCH_EXECUTABLE "-io_uring", X_OK) != 0) return "it wasn't built";
  return udpbench::machine::why_no_io_uring();
}

/** Waits for the process that `parent` starts, which never takes long; 0 if it doesn't come. */
pid_t child_of(pid_t parent) {
  const std::string children =
      "/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  pid_t child = 0;
  // Until it has become the program, it is a copy of its parent.
  while (std::chrono::steady_clock::now() < deadline)
    if (std::ifstream(children) >> child &&
        slurp("/proc/" + std::to_string(child) + "/cmdline").find("serve") != std::string::npos)
      return child;
  return 0;
}

bool gone(pid_t process) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < deadline) {
    const std::string status = slurp("/proc/" + std::to_string(process) + "/status");
    if (status.empty() || status.find("State:\tZ") != std::string::npos) return true;
  }
  return false;
}

} // namespace

TEST_CASE("receivers on io_uring are compared with those on epoll, and every ledger balances",
          "[app]") {
  if (const auto reason = why_not(); !reason.empty()) SKIP(reason);
  const finished end = run(program + "compare raw raw@io_uring async@io_uring --load "
                                     "backlog,window:16 --rounds 1 --count 2000 --quiet --json -");
  INFO(end.err);
  const auto record = boost::json::parse(end.out).as_object();
  const auto& results = record.at("results").as_array();
  REQUIRE(results.size() == 8);
  for (const auto& each : results) {
    const auto& result = each.as_object();
    const bool elsewhere = result.at("receiver").as_string().find("@io_uring") != std::string::npos;
    CHECK(result.at("backend").as_string() == (elsewhere ? "io_uring" : "epoll"));
    REQUIRE_FALSE(result.at("rounds").as_array().empty());
    for (const auto& r : result.at("rounds").as_array()) {
      const auto& round = r.as_object();
      CHECK(round.at("sent").to_number<int>() != 0);
      CHECK(round.at("unique") == round.at("sent"));
      CHECK(round.at("unexplained").to_number<int>() == 0);
    }
  }
}

TEST_CASE("on io_uring all that is sent is accounted for, of every size and under every load",
          "[app]") {
  if (const auto reason = why_not(); !reason.empty()) SKIP(reason);
  const finished end =
      run(program + "compare async@io_uring async.x8@io_uring coroutine@io_uring --load "
                    "backlog:4,window:8,pause:32/1ms,rate:20k --size 1,64,1472,9000 --count 500 "
                    "--rounds 1 --quiet --json -");
  INFO(end.err);
  const auto record = boost::json::parse(end.out).as_object();
  const auto& results = record.at("results").as_array();
  // Three receivers and the control, four loads, four sizes.
  REQUIRE(results.size() == 4 * 4 * 4);
  for (const auto& each : results) {
    const auto& result = each.as_object();
    INFO(result.at("receiver") << ' ' << result.at("load") << ' ' << result.at("size"));
    CHECK(result.at("backend").as_string() == "io_uring");
    REQUIRE_FALSE(result.at("rounds").as_array().empty());
    for (const auto& r : result.at("rounds").as_array()) {
      const auto& round = r.as_object();
      const auto count = [&](const char* what) { return round.at(what).to_number<long>(); };
      CHECK(count("sent") != 0);
      CHECK(count("unexplained") == 0);
      CHECK(count("unique") + count("unread") + count("kernel_dropped") == count("sent"));
      // Fewer are under way than the receive buffer holds.
      const auto& load = result.at("load").as_string();
      if (load.starts_with("backlog") || load.starts_with("window"))
        CHECK(count("unique") == count("sent"));
    }
  }
}

TEST_CASE("a wrong name behind the @ is refused, and one before it", "[app]") {
  const finished backend = run(program + "compare async@kqueue");
  CHECK(backend.code == 2);
  CHECK_THAT(backend.err, Catch::Contains("'async@kqueue'") && Catch::Contains("io_uring"));
  if (const auto reason = why_not(); !reason.empty()) SKIP(reason);
  const finished name = run(program + "compare async+sieve@io_uring");
  CHECK(name.code == 2);
  CHECK_THAT(name.err, Catch::Contains("'async+sieve@io_uring'") &&
                           Catch::Contains("async+batch@io_uring") && !Catch::Contains("async,"));
}

TEST_CASE("without the second executable, list and error name the file that is missing", "[app]") {
  char folder[] = "/tmp/udpbench-test-XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string alone = std::string(folder) + "/udpbench";
  REQUIRE(run("cp '" UDPBENCH_EXECUTABLE "' " + alone).code == 0);
  const finished compared = run(alone + " compare async@io_uring");
  const finished listed = run(alone + " list");
  const std::string program_itself = udpbench::machine::why_no_io_uring();
  run("rm -r " + std::string(folder));
  CHECK(compared.code == 1);
  CHECK(listed.code == 0);
  const std::string reason = program_itself.empty() ? alone + "-io_uring" : "io_uring";
  CHECK_THAT(compared.err, Catch::Contains("'async@io_uring'") && Catch::Contains(reason));
  CHECK_THAT(listed.out, Catch::Contains("@io_uring") && Catch::Contains(reason));
}

TEST_CASE("the process of a receiver is killed: the receiver fails, by name, and nothing else",
          "[app]") {
  if (const auto reason = why_not(); !reason.empty()) SKIP(reason);
  bool killed = false;
  const finished end =
      run(program + "compare raw raw@io_uring --load flood --rounds 3 --count 2000 --quiet",
          [&](pid_t parent) {
            const pid_t child = child_of(parent);
            killed = child != 0 && ::kill(child, SIGKILL) == 0;
          });
  REQUIRE(killed);
  CHECK_THAT(end.out + end.err, Catch::Contains("ended with signal 9"));
  CHECK(end.code != 0);
}

TEST_CASE("the process of a receiver ends when the one that started it dies", "[app]") {
  if (const auto reason = why_not(); !reason.empty()) SKIP(reason);
  pid_t child = 0;
  run(program + "compare raw raw@io_uring --load flood --rounds 1000 --quiet", [&](pid_t parent) {
    child = child_of(parent);
    ::kill(parent, SIGKILL);
  });
  REQUIRE(child != 0);
  CHECK(gone(child));
}

TEST_CASE("serve is for a process that has handed over its descriptors", "[app]") {
  const finished none = run(program + "serve --descriptor 77 --count-descriptor 78");
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Catch::Contains("--descriptor") && Catch::Contains("'77'"));
  const finished file = run(program + "serve --descriptor 3 --count-descriptor 4 3</dev/null");
  CHECK(file.code == 2);
  CHECK_THAT(file.err, Catch::Contains("--descriptor") && Catch::Contains("socket"));
  CHECK(run(program + "serve --descriptor 3").code == 2);
}
