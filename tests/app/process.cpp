/** @file
    Another process: how it is started, waited for and ended.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"

#include <udpbench/app/process.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/net/descriptor.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using udpbench::app::process;
using udpbench::net::descriptor;

namespace {

/** A shell that runs a script. */
std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

process::clock::time_point in(std::chrono::seconds time) { return process::clock::now() + time; }

/** All that a script writes to a descriptor of that number. */
std::string written(const std::string& script, int number) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const descriptor from(ends[0]);
  descriptor to(ends[1]);
  process p("sh", shell(script), {.descriptors = {{to.get(), number}}});
  to.reset();
  std::string all;
  std::array<char, 256> part{};
  for (;;) {
    const auto length = ::read(from.get(), part.data(), part.size());
    if (length <= 0) break;
    all.append(part.data(), static_cast<std::size_t>(length));
  }
  CHECK(p.wait().good);
  return all;
}

} // namespace

TEST_CASE("a process tells how it ended, by itself or by a signal", "[app]") {
  process zero("sh", shell("exit 0"));
  CHECK(zero.wait().good);
  CHECK(zero.wait().how == "exit code 0");
  process three("sh", shell("exit 3"));
  CHECK_FALSE(three.wait().good);
  CHECK(three.wait().how == "exit code 3");
  process itself("sh", shell("kill -9 $$"));
  CHECK_FALSE(itself.wait().good);
  CHECK(itself.wait().how == "signal 9");
}

TEST_CASE("a process ends well by the signal that it was sent from here", "[app]") {
  process p("sleep", {"sleep", "600"});
  CHECK(p.wait_until(process::clock::now()) == nullptr);
  p.signal(SIGTERM);
  const auto* end = p.wait_until(in(std::chrono::seconds(30)));
  REQUIRE(end != nullptr);
  CHECK(end->good);
  CHECK(end->how == "signal 15");
}

TEST_CASE("a process that is ended by force did not end well", "[app]") {
  process p("sleep", {"sleep", "600"});
  CHECK_FALSE(p.end().good);
  CHECK(p.end().how == "signal 9");
}

TEST_CASE("a program that isn't there is named with the reason", "[app]") {
  CHECK_THROWS_WITH(process("/nowhere/at-all", {"at-all"}),
                    "process '/nowhere/at-all': can't be started: No such file or directory");
  CHECK_THROWS_AS(process("no-such-program-anywhere", {"it"}), udpbench::app::machine_error);
}

TEST_CASE("a process has its own name, the descriptors that it is handed and an empty input",
          "[app]") {
  CHECK(written("echo out", STDOUT_FILENO) == "out\n");
  CHECK(written("echo three >&3", 3) == "three\n");
  CHECK(written("cat; echo end", STDOUT_FILENO) == "end\n");
}

TEST_CASE("nothing is left of a process with a group of its own, even what it has left behind",
          "[app]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const descriptor from(ends[0]);
  descriptor to(ends[1]);
  process p("sh", shell("sleep 600 & exit 0"),
            {.descriptors = {{to.get(), STDOUT_FILENO}}, .own_group = true});
  to.reset();
  CHECK(p.wait().good);
  // Whoever still had the other end would keep this from ending.
  char byte = 0;
  CHECK(::read(from.get(), &byte, 1) == 0);
}

TEST_CASE("a process may write no more than it is allowed", "[app]") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  process p("sh", shell("exec yes"),
            {.descriptors = {{::fileno(file), STDOUT_FILENO}}, .largest_file = 65'536});
  CHECK(p.wait().how == "signal " + std::to_string(SIGXFSZ));
  std::fclose(file);
}
