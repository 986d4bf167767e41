/** @file
    The command doctor, on a machine of files and on this one.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/app/doctor.hpp>

#include "catch.hpp"
#include "machine_fixture.hpp"
#include "program.hpp"
#include "skip.hpp"
#include "the_program.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>

namespace app = udpbench::app;
namespace machine = udpbench::machine;
using udpbench::test::finished;
using udpbench::test::fixture;
using udpbench::test::program;
using udpbench::test::run;
using udpbench::test::slurp;
using udpbench::test::temporary_file;

namespace {

/** Takes what is written to standard output meanwhile. */
class captured {
 public:
  captured() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  captured(const captured&) = delete;
  captured& operator=(const captured&) = delete;
  ~captured() { std::cout.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

/** What the command prints about a machine of files. */
std::string printed(const app::doctor_words& words, const fixture& files) {
  const captured out;
  const int code = app::doctor(words, {}, files.files());
  return code == 0 ? out.text() : "exit code " + std::to_string(code);
}

/** A machine that could be tuned in many places. */
void fill(fixture& files) {
  files.put("/proc/thread-self/status", "Cpus_allowed_list:\t0-1\nCapEff:\t0000000000000000\n")
      .put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
      .put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n")
      .put("/sys/devices/system/cpu/cpufreq/boost", "1\n")
      .put("/proc/sys/net/core/rmem_max", "212992\n")
      .put("/proc/sys/net/core/busy_read", "50\n")
      .put("/proc/sys/net/core/busy_poll", "50\n")
      .put("/sys/class/net/lo/queues/rx-0/rps_cpus", "3\n");
}

std::map<std::string, std::string> contents(const std::string& root) {
  std::map<std::string, std::string> all;
  for (const auto& each : std::filesystem::recursive_directory_iterator(root))
    if (each.is_regular_file()) all[each.path().string()] = slurp(each.path().string());
  return all;
}

boost::json::array findings_of(const std::string& text) {
  return boost::json::parse(text).as_array();
}

} // namespace

TEST_CASE("a tool that tunes the machine leaves it slow: the doctor only reads", "[app]") {
  fixture files;
  fill(files);
  const auto before = contents(files.root());
  REQUIRE(before.size() == 8);
  const std::string text = printed({.receive_buffer = "4MiB"}, files);
  CHECK_THAT(text, Catch::Contains("powersave") && Catch::Contains("rmem_max=4194304") &&
                       Catch::Contains("mask 3"));
  CHECK(contents(files.root()) == before);
}

TEST_CASE("doctor opens no file for writing and sets nothing", "[app]") {
  const temporary_file calls;
  // LeakSanitizer doesn't work under a tracer.
  const std::string strace = "ASAN_OPTIONS=detect_leaks=0 strace -f -o " + calls.path() + " ";
  if (udpbench::net::features::sanitizer) SKIP("a sanitizer opens files of its own");
  if (run(strace + "true").code != 0) SKIP("no strace, or it may not trace");
  const finished end = run(strace + "'" UDPBENCH_EXECUTABLE "' doctor");
  REQUIRE(end.code == 0);
  const std::string all = slurp(calls.path());
  REQUIRE_THAT(all, Catch::Contains("rmem_max") && Catch::Contains("scaling_governor"));
  for (const char* writing : {"O_WRONLY", "O_RDWR", "O_CREAT", "unlink", "rename(", "mkdir",
                              "chmod", "sched_setaffinity", "sched_setscheduler", "setpriority"}) {
    INFO(writing);
    CHECK_THAT(all, !Catch::Contains(writing));
  }
}

TEST_CASE("a governor check that warns where there is none: doctor says unknown", "[app]") {
  fixture files;
  files.put("/proc/thread-self/status", "Cpus_allowed_list:\t0\n");
  const temporary_file file;
  printed({.json = file.path()}, files);
  for (const auto& each : findings_of(slurp(file.path())))
    if (each.at("subject") == "governor") CHECK(each.at("level") == "unknown");
}

TEST_CASE("doctor ends with 0 whatever it finds, and says in the end that nothing was changed",
          "[app]") {
  const finished end = run(program + "doctor --receive-buffer 1000MiB");
  CHECK(end.code == 0);
  CHECK(end.err.empty());
  CHECK_THAT(end.out, Catch::Contains("governor:") && Catch::Contains("io_uring:") &&
                          Catch::Contains("Nothing was changed"));
}

TEST_CASE("doctor's text has no colour in a pipe, and none of it is needed", "[app]") {
  const std::string plain = run(program + "doctor").out;
  CHECK_THAT(plain, !Catch::Contains("\x1b"));
  CHECK_THAT(run(program + "doctor --color always").out, Catch::Contains("\x1b["));
}

TEST_CASE("doctor --json - is one array of findings and nothing else", "[app]") {
  const finished end = run(program + "doctor --json -");
  CHECK(end.code == 0);
  const auto all = findings_of(end.out);
  CHECK(all.size() == 20);
  for (const auto& each : all) {
    INFO(each.at("subject").as_string());
    CHECK(each.as_object().size() == 5);
    CHECK_FALSE(each.at("found").as_string().empty());
    CHECK(each.at("why").is_string());
    CHECK(each.at("change").is_string());
  }
}

TEST_CASE("doctor --json FILE fills the file, and standard output has the text", "[app]") {
  const temporary_file file;
  const finished end = run(program + "doctor --json " + file.path());
  CHECK(findings_of(slurp(file.path())).size() == 20);
  CHECK_THAT(end.out, Catch::Contains("Nothing was changed"));
}

TEST_CASE("doctor's bad words end with 2, what this machine lacks with 1", "[app]") {
  CHECK(run(program + "doctor --receive-buffer 0").code == 2);
  CHECK(run(program + "doctor --pin x").code == 2);
  CHECK(run(program + "doctor --color red").code == 2);
  CHECK(run(program + "doctor sync").code == 2);
  CHECK(run(program + "doctor --pin 0,100000").code == 1);
  CHECK(run(program + "doctor --json /nonexistent/x").code == 1);
}

TEST_CASE("a machine whose files can't be read is an error, not one without faults", "[app]") {
  const fixture empty;
  CHECK_THROWS_AS(printed({}, empty), app::machine_error);
}
