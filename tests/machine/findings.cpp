/** @file
    From facts to what there is to say of cpus and host.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/machine/findings.hpp>
#include <udpbench/machine/read.hpp>

#include "catch.hpp"
#include "finding_of.hpp"
#include "machine_fixture.hpp"

#include <cerrno>
#include <limits>
#include <set>
#include <string>
#include <utility>

namespace machine = udpbench::machine;
using machine::level;
using udpbench::test::fixture;
using udpbench::test::of;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/** Four cpus on two cores: 0 and 2, 1 and 3. */
machine::facts two_cores() {
  machine::facts f;
  f.cpus.online = {0, 1, 2, 3};
  f.cpus.siblings = {{0, {0, 2}}, {1, {1, 3}}, {2, {0, 2}}, {3, {1, 3}}};
  f.now.allowed_cpus = {0, 1, 2, 3};
  return f;
}

} // namespace

TEST_CASE("a governor check that warns where there is none: it is unknown, and no warning",
          "[machine]") {
  const fixture files;
  const auto found = of("governor", machine::read(files.files()), {.sender = 0, .receiver = 1});
  CHECK(found.level == level::unknown);
  CHECK_FALSE(found.found.empty());
}

TEST_CASE("where nothing can be read nothing is a warning, but for what the build is",
          "[machine]") {
  const fixture files;
  auto facts = machine::read(files.files());
  facts.build = {.type = "Release", .counts_allocations = true};
  for (const auto& each : machine::findings(facts)) {
    INFO(each.subject);
    const bool about_build = each.subject == "build" || each.subject == "allocations";
    CHECK(each.level == (about_build ? level::ok : level::unknown));
  }
}

TEST_CASE("every finding has a subject of its own, and all but what is in order a reason and a way",
          "[machine]") {
  machine::facts bad = two_cores();
  bad.now.governors = {{0, "powersave"}};
  bad.now.turbo = true;
  bad.now.load = 3;
  bad.now.cpus = 4;
  bad.now.ticks = {.busy = 1, .steal = 50, .total = 100};
  bad.now.clock_source = "hpet";
  bad.cpus.clock_sources = "hpet acpi_pm ";
  bad.cpus.isolated = std::vector<unsigned>{};
  bad.cpus.hypervisor = true;
  bad.network = {.rmem_max = 212'992,
                 .rmem_default = 212'992,
                 .udp_limit_bytes = 1'000'000,
                 .udp_in_use_bytes = 999'999,
                 .loopback_rps = "3",
                 .max_backlog = 10,
                 .budget = 300,
                 .busy_read = 50,
                 .busy_poll = 0};
  bad.firewall = {.modules = {{"nf_tables"}}};
  bad.limits = {.net_admin = false, .cpu_quota = 1, .io_uring_disabled = 2};
  bad.build = {.asserts = true};
  bad.tried.gro = false;
  bad.tried.io_uring_error = EPERM;
  std::set<std::string> subjects;
  for (const auto& each :
       machine::findings(bad, {.receive_buffer_bytes = 4'194'304, .sender = 0, .receiver = 2})) {
    INFO(each.subject);
    CHECK(subjects.insert(each.subject).second);
    CHECK_FALSE(each.found.empty());
    if (each.subject == "cpus") continue;
    CHECK((each.level == level::warning || each.level == level::note));
    CHECK_FALSE(each.why.empty());
    CHECK_FALSE(each.change.empty());
  }
}

TEST_CASE("a governor other than performance on a cpu of the run is a warning that names the cpu",
          "[machine]") {
  machine::facts f;
  f.now.governors = {{0, "performance"}, {1, "powersave"}, {2, "schedutil"}};
  const auto found = of("governor", f, {.sender = 0, .receiver = 1});
  CHECK(found.level == level::warning);
  CHECK_THAT(found.found, Catch::Contains("powersave on cpu 1") && !Catch::Contains("schedutil"));
  CHECK(of("governor", f, {.sender = 0, .receiver = 0}).level == level::ok);
}

TEST_CASE("halves of one core are a warning that names cpus of two cores", "[machine]") {
  const auto found = of("SMT", two_cores(), {.sender = 0, .receiver = 2});
  CHECK(found.level == level::warning);
  CHECK_THAT(found.change, Catch::Contains("--pin 0,1"));
}

TEST_CASE("other halves are to be kept idle", "[machine]") {
  const auto found = of("SMT", two_cores(), {.sender = 0, .receiver = 1});
  CHECK(found.level == level::note);
  CHECK_THAT(found.change, Catch::Contains("cpus 2 and 3"));
}

TEST_CASE("cores of their own are in order", "[machine]") {
  machine::facts f;
  f.cpus.siblings = {{0, {0}}, {1, {1}}};
  CHECK(of("SMT", f, {.sender = 0, .receiver = 1}).level == level::ok);
}

TEST_CASE("both ends on one cpu are a warning, bound so or for want of another", "[machine]") {
  machine::facts f = two_cores();
  CHECK(of("cpus", f).level == level::ok);
  CHECK(of("cpus", f, {.sender = 1, .receiver = 1}).level == level::warning);
  f.now.allowed_cpus = {3};
  const auto found = of("cpus", f, {.sender = 3, .receiver = 3});
  CHECK(found.level == level::warning);
  CHECK_THAT(found.found, Catch::Contains("cpu 3, of 4"));
}

TEST_CASE("a load is a warning only where it leaves fewer than two cpus idle", "[machine]") {
  machine::facts f;
  f.now.cpus = 2;
  f.now.load = 0.25;
  CHECK(of("load", f).level == level::ok);
  f.now.load = 0.3;
  CHECK(of("load", f).level == level::warning);
  f.now.cpus = 16;
  f.now.load = 8;
  f.running = {{"cc1plus"}};
  CHECK(of("load", f).level == level::note);
  CHECK_THAT(of("load", f).found, Catch::Contains("cc1plus"));
}

TEST_CASE("a guest is known by the cpu's flag, else by its product, else not at all", "[machine]") {
  machine::facts f;
  f.cpus.product = "QEMU Standard PC";
  CHECK(of("virtualisation", f).level == level::note);
  f.cpus.hypervisor = false;
  CHECK(of("virtualisation", f).level == level::ok);
  f.cpus = {};
  f.cpus.product = "Raspberry Pi";
  CHECK(of("virtualisation", f).level == level::unknown);
}

TEST_CASE("steal is a note, from one percent on a warning, and 0 in a guest is not trusted",
          "[machine]") {
  machine::facts f;
  f.now.ticks = {.busy = 0, .steal = 9, .total = 1'000};
  CHECK(of("steal", f).level == level::note);
  f.now.ticks = {.busy = 0, .steal = 10, .total = 1'000};
  CHECK(of("steal", f).level == level::warning);
  f.now.ticks = {.busy = 0, .steal = 0, .total = 1'000};
  CHECK_THAT(of("steal", f).found, !Catch::Contains("not every host"));
  f.cpus.hypervisor = true;
  CHECK_THAT(of("steal", f).found, Catch::Contains("not every host"));
}

TEST_CASE("a clock that takes a system call is a warning, an unheard-of one a note", "[machine]") {
  machine::facts f;
  for (const auto& [source, expected] : {std::pair{"tsc", level::ok},
                                         {"kvm-clock", level::ok},
                                         {"hpet", level::warning},
                                         {"acpi_pm", level::warning},
                                         {"mips-gic", level::note}}) {
    INFO(source);
    f.now.clock_source = source;
    CHECK(of("clock", f).level == expected);
  }
}

TEST_CASE("a quota below two cpus is a warning, none is in order", "[machine]") {
  machine::facts f;
  f.limits.cpu_quota = infinite;
  CHECK(of("cpu quota", f).level == level::ok);
  f.limits.cpu_quota = 2;
  CHECK(of("cpu quota", f).level == level::note);
  f.limits.cpu_quota = 1.99;
  CHECK(of("cpu quota", f).level == level::warning);
}

TEST_CASE("isolated cpus are in order if the run uses them alone", "[machine]") {
  machine::facts f;
  f.cpus.isolated = {2, 3};
  CHECK(of("isolation", f, {.sender = 2, .receiver = 3}).level == level::ok);
  const auto found = of("isolation", f, {.sender = 1, .receiver = 3});
  CHECK(found.level == level::note);
  CHECK_THAT(found.found, Catch::Contains("not cpu 1,"));
}
