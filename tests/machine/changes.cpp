/** @file
    What changed between two looks at a machine.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/machine/changes.hpp>
#include <udpbench/machine/findings.hpp>

#include "catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace machine = udpbench::machine;
using sentences = std::vector<std::string>;

namespace {

/** One second of two cpus later than `before`: 200 ticks in all. */
machine::state second_later(machine::state s, machine::cpu_ticks more, std::uint64_t own) {
  s.ticks->busy += more.busy;
  s.ticks->steal += more.steal;
  s.ticks->total += 200;
  *s.own_ticks += own;
  return s;
}

machine::state quiet() {
  machine::state s;
  s.governors = {{0, "performance"}, {1, "performance"}};
  s.mhz = {{0, 2'000}, {1, 2'000}};
  s.turbo = true;
  s.clock_source = "tsc";
  s.ticks = {.busy = 1'000, .steal = 10, .total = 5'000};
  s.own_ticks = 100;
  s.cpus = 2;
  s.load = 0.1;
  s.allowed_cpus = {0, 1};
  return s;
}

} // namespace

TEST_CASE("of a machine that stays as it was there is nothing to say", "[machine]") {
  CHECK(machine::changes(quiet(), quiet()).empty());
  // The process's own work is no change, nor that it raises the load.
  auto after = second_later(quiet(), {.busy = 180}, 180);
  after.load = 1.9;
  CHECK(machine::changes(quiet(), after).empty());
}

TEST_CASE("what isn't shown, before or after, is no change", "[machine]") {
  CHECK(machine::changes({}, {}).empty());
  CHECK(machine::changes(quiet(), {}).empty());
  CHECK(machine::changes({}, quiet()).empty());
}

TEST_CASE("a changed governor is told with its cpu and both names", "[machine]") {
  auto after = quiet();
  after.governors[1] = "powersave";
  CHECK(machine::changes(quiet(), after) ==
        sentences{"The governor of cpu 1 changed from performance to powersave."});
}

TEST_CASE("a frequency is told from 5 % on, up or down", "[machine]") {
  auto after = quiet();
  after.mhz = {{0, 2'100}, {1, 1'900}};
  CHECK(machine::changes(quiet(), after).empty());
  after.mhz = {{0, 2'101}, {1, 1'899}};
  CHECK(machine::changes(quiet(), after) ==
        sentences{"The frequency of cpu 0 changed from 2000 to 2101 MHz.",
                  "The frequency of cpu 1 changed from 2000 to 1899 MHz."});
}

TEST_CASE("grown steal is told in seconds and as a share", "[machine]") {
  const auto after = second_later(quiet(), {.steal = 3}, 0);
  CHECK(machine::changes(quiet(), after) ==
        sentences{"The host took 0.03 s of cpu time meanwhile (steal), 1.50 % of all cpus' time."});
}

TEST_CASE("the time of other processes is told in cpus, without the process's own", "[machine]") {
  CHECK(machine::changes(quiet(), second_later(quiet(), {.busy = 110}, 100)).empty());
  CHECK(machine::changes(quiet(), second_later(quiet(), {.busy = 150}, 100)) ==
        sentences{"Other processes took the time of 0.50 cpus meanwhile."});
}

TEST_CASE("counters that run backwards tell nothing", "[machine]") {
  const auto later = second_later(quiet(), {.busy = 150, .steal = 9}, 10);
  CHECK(machine::changes(later, quiet()).empty());
  auto odd = later;
  odd.ticks->busy = 0;
  odd.ticks->steal = 0;
  CHECK(machine::changes(quiet(), odd).empty());
}

TEST_CASE("a setting that is another than before is told, what goes on isn't", "[machine]") {
  using machine::finding;
  const std::vector<finding> before{{.subject = "receive buffer", .found = "4 MiB."},
                                    {.subject = "load", .found = "0.1."},
                                    {.subject = "busy poll", .found = "Off."}};
  CHECK(machine::changed_settings(before, before).empty());
  auto after = before;
  after[0].found = "1 MiB.";
  after[1].found = "2.5.";
  CHECK(machine::changed_settings(before, after) ==
        sentences{"receive buffer changed. Before: 4 MiB. After: 1 MiB."});
  after.erase(after.begin());
  CHECK(machine::changed_settings(before, after).empty());
}

TEST_CASE("each setting that is watched is a subject of the doctor's", "[machine]") {
  const auto all = machine::findings({});
  for (const auto& subject : machine::settings)
    CHECK(std::any_of(all.begin(), all.end(),
                      [&](const machine::finding& f) { return f.subject == subject; }));
}

TEST_CASE("a changed clock source, turbo and set of cpus are told", "[machine]") {
  auto after = quiet();
  after.clock_source = "hpet";
  after.turbo = false;
  after.allowed_cpus = {1};
  CHECK(machine::changes(quiet(), after) ==
        sentences{"Frequencies above the base frequency were turned off.",
                  "The clock source changed from tsc to hpet.",
                  "The process could use cpus 0 and 1, and then cpu 1."});
}

TEST_CASE(
    "steal of one percent and a changed frequency disturb, less steal and others' time do not",
    "[machine]") {
  const auto little = second_later(quiet(), {.busy = 150, .steal = 1}, 100);
  CHECK_FALSE(machine::changes(quiet(), little).empty());
  CHECK(machine::disturbances(quiet(), little).empty());
  const auto much = second_later(quiet(), {.busy = 150, .steal = 3}, 100);
  CHECK(machine::disturbances(quiet(), much) ==
        sentences{"The host took 0.03 s of cpu time meanwhile (steal), 1.50 % of all cpus' time."});
  auto after = quiet();
  after.mhz = {{0, 3'000}};
  CHECK(machine::disturbances(quiet(), after) ==
        sentences{"The frequency of cpu 0 changed from 2000 to 3000 MHz."});
}
