/** @file
    What each receiver asks of the kernel, and where it ran.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "catch.hpp"
#include "examples.hpp"
#include "printed_table.hpp"

#include <string>

using namespace examples;
using printed::has;
using printed::text;

TEST_CASE("system calls per datagram have a table where they were counted", "[report]") {
  record::run run = pair_run(1.04, 0.005, verdict::slower);
  CHECK_FALSE(has(text(run), "asks of the kernel"));
  for (auto& r : run.results) {
    r.summary.cpu_user_ns_per_datagram = 120;
    r.summary.cpu_system_ns_per_datagram = 480;
    r.summary.voluntary_switches_per_datagram = 0.25;
    if (r.receiver == "async")
      r.system_calls = {{.name = "recvfrom", .per_datagram = 1},
                        {.name = "epoll_wait", .per_datagram = 0.021739}};
  }
  const std::string out = text(run, 140);
  CHECK(has(out, "what each receiver asks of the kernel, per datagram"));
  CHECK(has(out, "1.000 recvfrom, 0.022 epoll_wait"));
  CHECK(has(out, "sleeps"));
  CHECK_FALSE(has(out, "preempted  "));
  CHECK(has(out, "System calls were counted once"));
}

TEST_CASE("why a backlog has no user and system time is told where it is explained, and only there",
          "[report]") {
  const char* why = "isn't divided into user and system time";
  record::run run = default_run();
  CHECK_FALSE(has(text(run), why));
  const auto explain = [&run](bool backlog) {
    for (auto& r : run.results)
      if (r.depth.has_value() == backlog)
        r.system_calls = {{.name = "recvfrom", .per_datagram = 1}};
  };
  explain(false);
  CHECK(has(text(run), "System calls were counted once"));
  CHECK_FALSE(has(text(run), why));
  explain(true);
  CHECK(has(text(run), why));
}

TEST_CASE("a receiver in another process is said to be there", "[report]") {
  const record::run run =
      renamed(pair_run(1.04, 0.005, verdict::slower), "async", "async@io_uring");
  CHECK(has(text(run), "async@io_uring ran in another process than the rest."));
  CHECK_FALSE(has(text(pair_run(1.04, 0.005, verdict::slower)), "another process than"));
}
