// Two receivers compared in code, with blocks, a control and a verdict, and the result printed:
//   compare_in_code [BLOCKS]
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/report/text.hpp>
#include <udpbench/udpbench.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>

using namespace udpbench;

namespace {

// A receiver joins a catalogue with `measure::ledger` as its sink. A memory that counts gives the column "hook requests".
experiment::catalogue known() {
  using counted = memory::counting<memory::recycling>;
  experiment::catalogue all;
  all.add<sync_server<measure::ledger>>("sync", "synchronous");
  all.add<async_server<measure::ledger, take::batch<>, counted>>("async+batch", "recvmmsg");
  return all;
}

record::run compare(std::uint64_t blocks) {
  experiment::plan plan;
  plan.receivers = {"sync", "async+batch"}; // The first is the baseline.
  plan.loads = {{.what = experiment::load_kind::backlog}};
  plan.blocks = blocks; // Below six there is no interval and no verdict.
  return experiment::compare(plan, known());
}

bool measured(const record::run& run) {
  const auto valid = [](const record::round& r) { return r.valid; };
  return std::any_of(run.results.begin(), run.results.end(), [&](const record::result& r) {
    return std::any_of(r.rounds.begin(), r.rounds.end(), valid);
  });
}

} // namespace

int main(int argc, char** argv) {
  try {
    const record::run run = compare(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20);
    report::text(std::cout, run, {});
    if (!run.error.empty()) throw std::runtime_error(run.error);
    // The figures behind the text; what wasn't measured is empty.
    for (const record::comparison& c : run.comparisons)
      if (c.ratio)
        std::cout << '\n' << c.receiver << " / " << c.baseline << " = " << *c.ratio << '\n';
    return measured(run) ? 0 : 5; // As the program itself: no valid round remains.
  } catch (const std::exception& e) {
    std::cerr << "compare_in_code: " << e.what() << '\n';
    return 1;
  }
}
