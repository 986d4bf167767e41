// Child processes that hang without dying. The deadlines only end them: whatever the machine is busy with, they give no answer before.
#include <udpbench/app/child.hpp>
#include <udpbench/app/processes.hpp>
#include <udpbench/app/served_process.hpp>

#include "catch.hpp"
#include "manual_clock.hpp"
#include "program.hpp"
#include "the_program.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>

using namespace std::chrono_literals;
using namespace udpbench;
using app::child_end;
using app::child_patience;
using test::program;
using test::run;

namespace {

const std::atomic<bool> nobody_interrupts{false};

/** A shell in the place of the program. */
child_end run_stub(const std::string& script, const child_patience& patience,
                   const std::atomic<bool>& stop = nobody_interrupts) {
  return app::run_child({"-c", script}, stop, patience, "/bin/sh");
}

/** What a process of a comparison writes, as short as can be. */
child_end good_end() {
  record::run part;
  part.experiment = "compare";
  return {.output = record::write(part), .how = "exit code 0", .id = 4'711};
}

/** A comparison in six processes, of which `one` tells how each ends. */
template <class One>
record::run compare_by(One one) {
  app::compare_words words;
  words.processes = "6";
  app::progress_line line(false);
  std::uint64_t so_far = 0;
  return app::compare_in_processes(words, experiment::plan(), line, nobody_interrupts,
                                   [&](const auto&) { return one(++so_far); });
}

} // namespace

TEST_CASE("a child that answers nothing is ended, and its end says for how long it was silent",
          "[app]") {
  const child_end end = run_stub("exec tail -f /dev/null", {.running = 20ms});
  CHECK(end.output.empty());
  CHECK(end.how == "signal 9, since nothing was heard of it for 20ms");
  CHECK(end.id > 0);
}

TEST_CASE("a child that was stopped is ended", "[app]") {
  CHECK(run_stub("kill -STOP $$", {.running = 20ms}).how ==
        "signal 9, since nothing was heard of it for 20ms");
}

TEST_CASE("a child that has closed its output and stays is ended, and what it wrote is kept",
          "[app]") {
  const child_end end = run_stub("echo all; exec >&- 3>&-; kill -STOP $$", {.running = 200ms});
  CHECK(end.how == "signal 9, since nothing was heard of it for 200ms");
  CHECK((end.output == "all\n" || end.output.empty())); // Empty: it had no cpu for so long.
}

TEST_CASE("a child that doesn't end after an interrupt is ended", "[app]") {
  const std::atomic<bool> interrupted{true};
  CHECK(run_stub("exec tail -f /dev/null", {.running = 1h, .interrupted = 20ms}, interrupted).how ==
        "signal 9, since nothing was heard of it for 20ms");
}

TEST_CASE("a child that ends by itself is waited for", "[app]") {
  const child_end end = run_stub("echo a record; exit 3", {.running = 1h});
  CHECK(end.output == "a record\n");
  CHECK(end.how == "exit code 3");
}

TEST_CASE("silence ends with a sign of life, and doesn't grow while nobody looks", "[app]") {
  const int ms = 1'000'000;
  app::silence<support::scripted_clock> quiet(
      {{0, 100 * ms, 300 * ms, 400 * ms, 450 * ms, 2'100 * ms}});
  CHECK(quiet.look(false) == 100ms);
  CHECK(quiet.look(false) == 300ms);
  CHECK(quiet.look(true) == 0ms);
  CHECK(quiet.look(false) == 50ms);
  // As after Ctrl-Z: the child was stopped, too.
  CHECK(quiet.look(false) == 50ms + quiet.longest_pause);
}

TEST_CASE("a comparison gives signs of life to the process that started it", "[app]") {
  const test::temporary_file life;
  const auto end = run(program +
                       "compare raw --load flood --rounds 1 --count 2000 --quiet "
                       "--life-descriptor 7 7>" +
                       life.path());
  INFO(end.err);
  CHECK((end.code == 0 || end.code == 5)); // 5: the machine was too busy for a single valid round.
  CHECK_FALSE(test::slurp(life.path()).empty());
}

TEST_CASE("a process that writes no record is named, with its number and how it ended", "[app]") {
  CHECK_THROWS_WITH(
      compare_by([](auto) { return child_end{.output = "", .how = "signal 9", .id = 4'711}; }),
      Catch::Contains("process '1 of 6'") && Catch::Contains("pid 4711") &&
          Catch::Contains("ended with signal 9"));
}

TEST_CASE("what earlier processes measured is kept when a later one writes no record", "[app]") {
  const record::run run = compare_by([](auto i) {
    return i < 3 ? good_end() : child_end{.output = "", .how = "exit code 1", .id = 4'712};
  });
  CHECK_FALSE(run.complete);
  CHECK(run.plan.processes == 6);
  CHECK_THAT(run.error, Catch::Contains("process '3 of 6'") && Catch::Contains("pid 4712"));
  CHECK(compare_by([](auto) { return good_end(); }).complete);
}

TEST_CASE("a program of receivers that gives no greeting is ended, and named", "[app]") {
  const test::temporary_file stub;
  std::ofstream(stub.path()) << "#!/bin/sh\nexec tail -f /dev/null\n";
  REQUIRE(::chmod(stub.path().c_str(), 0700) == 0);
  CHECK_THROWS_WITH(app::served_process(stub.path(), {}, "io_uring", 20ms),
                    Catch::Contains("process ") && Catch::Contains(stub.path()) &&
                        Catch::Contains("no answer for 20 ms"));
}
