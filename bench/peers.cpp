// Other tools that measure UDP, and udpbench's own receivers between them, in one table. `help` in peer/words.hpp has its options and
// exit codes.
#include "peer/contest.hpp"
#include "peer/json.hpp"
#include "peer/own.hpp"
#include "peer/peer.hpp"
#include "peer/run.hpp"
#include "peer/table.hpp"
#include "peer/words.hpp"

#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/interrupt.hpp>
#include <udpbench/app/output.hpp>
#include <udpbench/app/progress.hpp>
#include <udpbench/experiment/machine.hpp>
#include <udpbench/net/affinity.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace peers;
namespace app = udpbench::app;

namespace {

/** As udpbench itself chooses them. */
cpus chosen() {
  const auto allowed = udpbench::net::allowed_cpus();
  if (allowed.empty()) return {};
  return {.sender = allowed.front(), .receiver = allowed.size() > 1 ? allowed[1] : allowed[0]};
}

std::vector<peer> wanted(const request& r, bool installed) {
  std::vector<peer> out;
  for (auto& p : known_peers())
    if (r.wants(p.name) && is_installed(p.name) == installed) out.push_back(std::move(p));
  return out;
}

std::vector<entrant> entrants(const request& r, const std::vector<peer>& tools, const cpus& where,
                              const std::atomic<bool>& stop) {
  std::vector<entrant> all;
  for (const auto& tool : tools)
    all.push_back({tool.name, "single", true, [=, &stop](std::size_t size) {
                     return run(tool, size, r.seconds, where, stop);
                   }});
  for (const auto& o : own_receivers())
    if (r.wants(o.receiver))
      all.push_back({o.receiver, o.send, false, [=, &stop](std::size_t size) {
                       return own_runs(UDPBENCH_EXECUTABLE, o)(size, r.seconds, where, stop);
                     }});
  return all;
}

std::string joined(const std::vector<peer>& tools) {
  std::string out;
  for (const auto& t : tools) out += (out.empty() ? "" : " ") + t.name;
  return out;
}

/** Where it runs and how, over the table. */
std::string head(const circumstances& c) {
  const auto cpu = [](std::optional<unsigned> n) {
    return n ? std::to_string(*n) : std::string("any");
  };
  std::ostringstream out;
  out << c.machine.kernel << ", " << c.machine.cpu << ", " << c.machine.cpus
      << " cpus; sender on cpu " << cpu(c.sender) << ", receiver on cpu " << cpu(c.receiver) << '\n'
      << c.rounds << (c.rounds == 1 ? " round of " : " rounds of ") << c.seconds
      << " s for each, seed " << c.machine.seed << '\n';
  for (const auto& [name, version] : c.tools) out << name << ": " << version << '\n';
  return out.str() + '\n';
}

void show(const request& r, const circumstances& c, const outcome& o) {
  const udpbench::report::text_style style{.colour = app::wants_colour("auto"),
                                           .width = app::terminal_width()};
  std::ostringstream text;
  if (!o.complete) text << "Interrupted: this is what was measured by then.\n\n";
  print_table(text, o.fields, style);
  text << '\n';
  print_notes(text, o.fields, style);
  if (r.json != "-") app::output("-").write(head(c) + text.str());
}

bool lacks_figures(const outcome& o) {
  const auto empty = [](const entry& e) {
    return std::none_of(e.rounds.begin(), e.rounds.end(),
                        [](const auto& f) { return f.has_value(); });
  };
  return std::any_of(o.fields.begin(), o.fields.end(), [&](const field& at) {
    return std::any_of(at.entries.begin(), at.entries.end(), empty);
  });
}

int compare(const request& r, const std::string& command) {
  const auto tools = wanted(r, true);
  const auto missing = wanted(r, false);
  if (!missing.empty())
    std::cerr << "peers: not installed: " << joined(missing)
              << ". To have them: bench/peers --install, or apt-get install " << joined(missing)
              << '\n';
  if (tools.empty()) {
    std::cerr << "peers: no tool to compare with is installed\n";
    return app::failed;
  }
  std::optional<app::output> json;
  if (!r.json.empty()) json.emplace(r.json);

  const app::interrupt_guard interrupt;
  const auto where = chosen();
  circumstances c{.machine = udpbench::experiment::read_machine(),
                  .rounds = r.rounds,
                  .seconds = r.seconds.count(),
                  .sender = where.sender,
                  .receiver = where.receiver,
                  .tools = {},
                  .missing = {}};
  c.machine.command = command;
  c.machine.seed = r.seed ? *r.seed : std::random_device{}();
  outcome o{.fields = {}, .complete = false};
  app::progress_line line(true);
  try {
    for (const auto& t : tools) c.tools.emplace_back(t.name, version_of(t, interrupt.flag()));
    for (const auto& t : missing) c.missing.push_back(t.name);
    o = contest(entrants(r, tools, where, interrupt.flag()), r.sizes, r.rounds, c.machine.seed,
                [&](const entry& e, std::size_t size, std::uint64_t round) {
                  line.say(udpbench::report::bytes(size) + ", round " + std::to_string(round + 1) +
                           " of " + std::to_string(r.rounds) + ": " + e.name + ", " + e.send);
                });
  } catch (const interrupted&) {
    return app::interrupted;
  }
  line.clear();
  show(r, c, o);
  if (json) json->write(to_json(c, o));
  if (!o.complete) return app::interrupted;
  return lacks_figures(o) ? app::failed : app::done;
}

} // namespace

int main(int argc, char** argv) {
  try {
    const request r = parse({argv + 1, argv + argc});
    if (r.help) {
      app::output("-").write(help);
      return app::done;
    }
    if (r.missing) {
      for (const auto& p : wanted(r, false)) std::cout << p.name << '\n';
      return app::done;
    }
    std::string command = "bench/peers";
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    return compare(r, command);
  } catch (const app::usage_error& e) {
    std::cerr << "peers: " << e.what() << '\n';
    return app::usage;
  } catch (const std::exception& e) {
    std::cerr << "peers: " << e.what() << '\n';
    return app::failed;
  }
}
