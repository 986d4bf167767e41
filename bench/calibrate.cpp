// Tries the comparison itself: the same receiver under two names, and one with 2, 5 and 10 % of planted cost per datagram, again and
// again; prints how often each was called what.   calibrate [RUNS]
// Exit code: 0 all as it should be, 1 not, 2 usage, 130 interrupted.
#include "tally.hpp"

#include <udpbench/app/interrupt.hpp>
#include <udpbench/app/units.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/app/with_sink.hpp>
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/sync_server.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace udpbench;

namespace {

/** Turns of a loop that cost a hundredth of receiving a datagram. */
double turns_per_percent = 0;

void spin(std::uint64_t turns) noexcept {
  for (std::uint64_t i = 0; i < turns; ++i) asm volatile("" ::"r"(i) : "memory");
}

template <int Percent>
struct planted {
  void operator()(const datagram&) noexcept {
    spin(static_cast<std::uint64_t>(turns_per_percent * Percent));
  }
};

template <int Percent>
using costlier =
    app::with_sink<planted<Percent>, sync_server<app::before_ledger<planted<Percent>>>>;

experiment::catalogue known() {
  experiment::catalogue all;
  all.add<costlier<0>>("baseline", "synchronous");
  all.add<costlier<0>>("equal", "the same");
  all.add<costlier<2>>("2%", "2 % more work");
  all.add<costlier<5>>("5%", "5 % more work");
  all.add<costlier<10>>("10%", "10 % more work");
  return all;
}

record::run compare(std::vector<std::string> receivers, const experiment::watcher& watch) {
  experiment::plan plan;
  plan.receivers = std::move(receivers);
  plan.loads = {{.what = experiment::load_kind::backlog}};
  const auto cpus = net::allowed_cpus();
  plan.pin = {.sender = cpus.front(), .receiver = cpus.back()};
  auto run = experiment::compare(plan, known(), watch);
  if (!run.error.empty()) throw std::runtime_error(run.error);
  return run;
}

/** How many turns of the loop cost as much as one hundredth of what receiving a datagram does. */
double measure_turns(const experiment::watcher& watch) {
  const auto run = compare({"baseline", "equal"}, watch);
  if (run.results.empty() || !run.results.front().summary.ns_per_datagram)
    throw std::runtime_error("no valid block to calibrate by: the machine is too busy");
  constexpr std::uint64_t many = 100'000'000;
  const auto begin = measure::monotonic_clock::now();
  spin(many);
  const std::chrono::duration<double, std::nano> took = measure::monotonic_clock::now() - begin;
  return *run.results.front().summary.ns_per_datagram / 100 / (took.count() / many);
}

void print(const std::vector<std::pair<std::string, calibration::tally>>& all) {
  using statistics::verdict;
  std::cout << "planted  equivalent  slower  faster  inconclusive  none  ratio  half-width, % "
               "(median, largest)\n";
  std::cout << std::fixed;
  for (const auto& [name, t] : all) {
    const auto& widths = t.half_widths();
    std::cout << std::setw(7) << name << std::setw(12) << t.called(verdict::equivalent)
              << std::setw(8) << t.called(verdict::slower) << std::setw(8)
              << t.called(verdict::faster) << std::setw(14) << t.called(verdict::inconclusive)
              << std::setw(6) << t.without() << std::setw(7) << std::setprecision(3)
              << t.median_ratio();
    if (!widths.empty())
      std::cout << std::setw(12) << std::setprecision(2) << statistics::median(widths) * 100
                << std::setw(6) << *std::max_element(widths.begin(), widths.end()) * 100;
    std::cout << '\n';
  }
}

int calibrate(std::uint64_t runs) {
  const app::interrupt_guard interrupt;
  const experiment::watcher watch{.progress = {}, .interrupted = &interrupt.flag()};
  turns_per_percent = measure_turns(watch);
  std::vector<std::pair<std::string, calibration::tally>> all{
      {"equal", {}}, {"2%", {}}, {"5%", {}}, {"10%", {}}};
  for (std::uint64_t i = 0; i < runs && !watch.stop(); ++i) {
    const auto run = compare({"baseline", "equal", "2%", "5%", "10%"}, watch);
    if (!run.complete) break;
    for (const auto& c : run.comparisons)
      for (auto& [name, t] : all)
        if (name == c.receiver) t.add(c);
  }
  print(all);
  if (watch.stop()) return 130;
  const auto wrong = calibration::shortcomings(all[0].second, all[2].second);
  for (const auto& each : wrong) std::cout << each << '\n';
  return wrong.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 2) throw app::usage_error("argument", argv[2], "one number of runs is all");
    return calibrate(argc > 1 ? app::parse_count("runs", argv[1], {1, 10'000}) : 20);
  } catch (const app::usage_error& e) {
    std::cerr << "calibrate: " << e.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "calibrate: " << e.what() << '\n';
    return 1;
  }
}
