// Tries the comparison itself: the same receiver under two names, and one with 2, 5 and 10 % of planted cost per datagram, again and
// again; prints how often each was called what. `help` in calibrate_words.hpp has its options and exit codes.
#include "calibrate_words.hpp"
#include "planted.hpp"
#include "tally.hpp"
#include "tally_table.hpp"

#include <udpbench/app/child.hpp>
#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/interrupt.hpp>
#include <udpbench/app/output.hpp>
#include <udpbench/app/progress.hpp>
#include <udpbench/app/signs_of_life.hpp>
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/measure/spin.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/record/json.hpp>

#include <exception>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace udpbench;
using namespace calibration;

namespace {

/** The first is the baseline. */
const std::vector<std::string> contestants{"baseline", "equal", "2%", "5%", "10%"};

experiment::catalogue known() {
  experiment::catalogue all;
  all.add<costlier<0>>("baseline", "synchronous");
  // The same type: two instances of a template have two layouts, and that would be a difference.
  all.add<costlier<0>>("equal", "the same");
  all.add<costlier<2>>("2%", "2 % more work");
  all.add<costlier<5>>("5%", "5 % more work");
  all.add<costlier<10>>("10%", "10 % more work");
  return all;
}

void plant(std::uint64_t whole) {
  planted<2>::turns = share(whole, 2);
  planted<5>::turns = share(whole, 5);
  planted<10>::turns = share(whole, 10);
}

experiment::pinning pinned() {
  const auto cpus = net::allowed_cpus();
  return {.sender = cpus.front(), .receiver = cpus.back()};
}

record::run compare(std::vector<std::string> receivers, const words& w,
                    const experiment::watcher& watch) {
  experiment::plan plan;
  plan.receivers = std::move(receivers);
  plan.loads = {{.what = experiment::load_kind::backlog}};
  if (w.quick) plan.blocks = quick_blocks;
  plan.pin = pinned();
  return experiment::compare(plan, known(), watch);
}

/** Adds runs to what is shown, one after the other, until an interrupt. */
class series {
 public:
  series(const words& w, const std::atomic<bool>& interrupted)
      : words_(w), interrupted_(interrupted) {}

  /** The turns that cost as much as receiving one datagram does; empty if no block was valid, or after an interrupt. */
  std::optional<std::uint64_t> measure_whole() {
    line_.say("how long a datagram takes");
    const auto run = here({"baseline", "equal"});
    line_.clear();
    if (run.results.empty() || !run.results.front().summary.ns_per_datagram) return {};
    const net::scoped_affinity as_receivers(pinned().receiver);
    return measure::spin_turns(*run.results.front().summary.ns_per_datagram);
  }

  /** Runs the runs; each gets its record from `one`. Errors: throws where one fails. */
  template <class One>
  tallies repeat(One one) {
    tallies all({contestants.begin() + 1, contestants.end()});
    for (std::uint64_t i = 0; i < words_.runs && !interrupted_; ++i) {
      line_.say("run " + std::to_string(i + 1) + " of " + std::to_string(words_.runs));
      const record::run run = one();
      if (interrupted_) break;
      if (!run.error.empty()) throw std::runtime_error(run.error);
      if (!run.complete) throw std::runtime_error("a run ended before its time");
      all.add(run);
    }
    line_.clear();
    return all;
  }

  record::run here(const std::vector<std::string>& receivers = contestants) {
    std::function<void()> alive;
    if (words_.one_run) alive = app::signs_of_life(app::life_descriptor);
    return compare(receivers, words_,
                   {.progress = {}, .alive = alive, .interrupted = &interrupted_});
  }

  record::run in_a_process(std::uint64_t whole) {
    std::vector<std::string> all{"--one-run", std::to_string(whole)};
    if (words_.quick) all.emplace_back("--quick");
    const auto end = app::run_child(all, interrupted_);
    try {
      return record::read(end.output);
    } catch (const record::format_error&) {
      if (interrupted_) return {};
      throw std::runtime_error("a process wrote no record and ended with " + end.how);
    }
  }

 private:
  words words_;
  const std::atomic<bool>& interrupted_;
  app::progress_line line_{true};
};

/** Shows them; true if they are as they should be. */
bool show(const std::string& title, const tallies& all, const std::vector<row>& rows,
          const words& w) {
  std::ostringstream text;
  text << all.runs() << (all.runs() == 1 ? " run" : " runs") << title;
  if (const auto ns = all.baseline_ns())
    text << "; a datagram takes the baseline " << static_cast<int>(*ns) << " ns";
  text << '\n';
  print(text, all, rows);
  const auto wrong =
      w.quick ? std::vector<std::string>{} : shortcomings(all.of("equal"), all.of("5%"));
  for (const auto& each : wrong) text << each << '\n';
  app::output("-").write(text.str());
  return wrong.empty();
}

/** What is planted, by the clock. */
std::vector<row> measure_rows() {
  const net::scoped_affinity as_receivers(pinned().receiver);
  return {{"equal", 0},
          {"2%", cost_ns(planted<2>::turns)},
          {"5%", cost_ns(planted<5>::turns)},
          {"10%", cost_ns(planted<10>::turns)}};
}

/** Says it before the runs, which take their time. */
void announce(const std::vector<row>& rows) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << "Planted for each datagram, measured alone:";
  for (const row& r : rows)
    if (r.cost_ns > 0) text << ' ' << r.cost_ns << " ns (" << r.receiver << ')';
  app::output("-").write(text.str() + "\n\n");
}

int calibrate(const words& w) {
  const app::interrupt_guard interrupt;
  series runs(w, interrupt.flag());
  const auto whole = w.one_run ? w.one_run : runs.measure_whole();
  if (interrupt.flag()) return app::interrupted;
  if (!whole) {
    std::cerr << "calibrate: no valid block to start from: the machine is too busy\n";
    return app::no_round;
  }
  plant(*whole);
  if (w.one_run) {
    const auto run = runs.here();
    app::output("-").write(record::write(run));
    return app::code_of(run);
  }
  const auto rows = measure_rows();
  announce(rows);
  bool good = show(" in one process", runs.repeat([&] { return runs.here(); }), rows, w);
  if (w.processes && !interrupt.flag()) {
    std::cout << '\n';
    const auto all = runs.repeat([&] { return runs.in_a_process(*whole); });
    good = show(", each in a process of its own", all, rows, w) && good;
  }
  if (interrupt.flag()) return app::interrupted;
  if (w.quick) app::output("-").write("Nothing is judged by so few blocks.\n");
  return good ? app::done : app::failed;
}

} // namespace

int main(int argc, char** argv) {
  try {
    const words w = parse({argv + 1, argv + argc});
    if (w.help) {
      app::output("-").write(help);
      return app::done;
    }
    return calibrate(w);
  } catch (const app::usage_error& e) {
    std::cerr << "calibrate: " << e.what() << '\n';
    return app::usage;
  } catch (const std::exception& e) {
    std::cerr << "calibrate: " << e.what() << '\n';
    return app::failed;
  }
}
