/** @file
    From facts to what there is to say of the kernel and of this build.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/machine/findings.hpp>

#include "catch.hpp"
#include "finding_of.hpp"

#include <cerrno>

namespace machine = udpbench::machine;
using machine::level;
using udpbench::test::of;

TEST_CASE("a receive buffer above rmem_max is a warning unless this process may exceed it",
          "[machine]") {
  machine::facts f;
  f.network.rmem_max = 212'992;
  CHECK(of("receive buffer", f).level == level::ok);
  CHECK(of("receive buffer", f, {.receive_buffer_bytes = 212'992}).level == level::ok);
  const auto found = of("receive buffer", f, {.receive_buffer_bytes = 212'993});
  CHECK(found.level == level::warning);
  CHECK_THAT(found.change, Catch::Contains("net.core.rmem_max=212993"));
  f.limits.net_admin = true;
  CHECK(of("receive buffer", f, {.receive_buffer_bytes = 212'993}).level == level::note);
}

TEST_CASE("UDP's memory must hold two full queues, each of twice what is asked for", "[machine]") {
  machine::facts f;
  f.network.udp_limit_bytes = 5'000;
  f.network.udp_in_use_bytes = 1'000;
  CHECK(of("UDP memory", f, {.receive_buffer_bytes = 1'000}).level == level::ok);
  CHECK(of("UDP memory", f, {.receive_buffer_bytes = 1'001}).level == level::warning);
  f.network.udp_in_use_bytes = 6'000;
  CHECK(of("UDP memory", f).level == level::warning);
}

TEST_CASE("steering, short softirq queues and busy polling are told from the kernel's own settings",
          "[machine]") {
  machine::facts f;
  f.network = {
      .loopback_rps = "0", .max_backlog = 1000, .budget = 300, .busy_read = 0, .busy_poll = 0};
  for (const char* subject : {"loopback steering", "softirq", "busy poll"})
    CHECK(of(subject, f).level == level::ok);
  f.network.loopback_rps = "2";
  f.network.max_backlog = 999;
  f.network.busy_poll = 50;
  CHECK(of("loopback steering", f).level == level::warning);
  CHECK(of("softirq", f).level == level::warning);
  CHECK(of("busy poll", f).level == level::note);
}

TEST_CASE("connection tracking is a note while it has room and a warning when nearly full",
          "[machine]") {
  machine::facts f;
  f.firewall.tracked = 0;
  f.firewall.tracked_most = 1'000;
  CHECK(of("firewall", f).level == level::ok);
  f.firewall.tracked = 899;
  CHECK(of("firewall", f).level == level::note);
  f.firewall.tracked = 900;
  CHECK(of("firewall", f).level == level::warning);
}

TEST_CASE("a build with assertions, without optimisation or with a sanitizer is a warning",
          "[machine]") {
  machine::facts f;
  CHECK(of("build", f).level == level::ok);
  f.build = {.asserts = true};
  CHECK_THAT(of("build", f).found, Catch::Contains("NDEBUG"));
  CHECK(of("build", f).level == level::warning);
  f.build = {.optimised = false};
  CHECK(of("build", f).level == level::warning);
  f.build = {.flags = "-O2 -fsanitize=undefined"};
  CHECK(of("build", f).level == level::warning);
  f.build = {.sanitizer = true};
  CHECK(of("build", f).level == level::warning);
}

TEST_CASE("why io_uring can't be had is told apart", "[machine]") {
  machine::facts f;
  f.tried.io_uring_error = 0;
  CHECK(of("io_uring", f).level == level::ok);
  f.tried.io_uring_error = ENOSYS;
  CHECK_THAT(of("io_uring", f).found, Catch::Contains("ENOSYS"));
  f.tried.io_uring_error = EPERM;
  CHECK_THAT(of("io_uring", f).change, Catch::Contains("seccomp"));
  f.limits.io_uring_disabled = 2;
  CHECK_THAT(of("io_uring", f).change, Catch::Contains("io_uring_disabled=0"));
  CHECK(of("io_uring", f).level == level::note);
}
