/** @file
    What there is to say of which cpus a run has.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/chosen_cpus.hpp>
#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/words.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::machine {

namespace detail {

inline bool holds(const std::vector<unsigned>& cpus, unsigned cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

/** Two allowed cpus of different cores, each the first of its core. */
inline std::optional<std::pair<unsigned, unsigned>> separate_cores(const facts& f) {
  const auto allowed = f.now.allowed_cpus.value_or(std::vector<unsigned>{});
  for (const unsigned a : allowed)
    for (const unsigned b : allowed) {
      const auto core = f.cpus.siblings.find(a);
      if (core != f.cpus.siblings.end() && a < b && !holds(core->second, b)) return {{a, b}};
    }
  return {};
}

} // namespace detail

/** Whether this process may use the cpus that a run wants, and enough of them. */
inline finding find_allowed(const facts& f, const asked& a) {
  finding out{.subject = "cpus"};
  if (!f.now.allowed_cpus) {
    out.found = "The kernel doesn't show which cpus this process may use.";
    return out;
  }
  const auto& allowed = *f.now.allowed_cpus;
  const std::size_t online = f.cpus.online ? f.cpus.online->size() : allowed.size();
  out.level = level::ok;
  out.found = "This process may use " + cpu_words(allowed) +
              (allowed.size() < online ? ", of " + std::to_string(online) + " that run" : "") + ".";
  if (a.sender && a.sender == a.receiver) {
    out.level = level::warning;
    out.found += " Sender and receiver share cpu " + std::to_string(*a.sender) + ".";
  } else if (allowed.size() < 2) {
    out.level = level::warning;
  }
  if (out.level == level::warning) {
    out.why = "With both ends on one cpu the loads other than backlog measure the scheduler as "
              "much as the receivers.";
    out.change = allowed.size() < 2
                     ? "Give the process a second cpu, or measure with --load backlog."
                     : "Name two cpus by --pin, or measure with --load backlog.";
  }
  return out;
}

/** Whether sender and receiver get a core each. */
inline finding find_siblings(const facts& f, const asked& a) {
  finding out{.subject = "SMT"};
  const auto cpus = chosen_cpus(f, a);
  const bool bound = a.sender || a.receiver;
  bool known = false;
  std::vector<unsigned> others;
  for (const unsigned cpu : cpus) {
    const auto core = f.cpus.siblings.find(cpu);
    if (core == f.cpus.siblings.end()) continue;
    known = true;
    for (const unsigned sibling : core->second)
      if (sibling != cpu) others.push_back(sibling);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  if (!known) {
    out.found = "The kernel doesn't show which cpus share a core.";
    return out;
  }
  if (others.empty()) {
    out.level = level::ok;
    out.found = cpu_words(cpus) + (cpus.size() == 1 ? " has its" : " have each their") +
                " core to " + (cpus.size() == 1 ? "itself" : "themselves") +
                ", as far as this kernel is told.";
    out.found[0] = 'C';
    return out;
  }
  const auto better = detail::separate_cores(f);
  if (bound && a.sender != a.receiver && a.receiver && detail::holds(others, *a.receiver)) {
    out.level = level::warning;
    out.found = "Sender and receiver, " + cpu_words(cpus) + ", are two halves of one core.";
    out.why = "What the sender does slows the receiver down, and differently for each receiver.";
    out.change = better ? "Use --pin " + std::to_string(better->first) + "," +
                              std::to_string(better->second) + ", which are different cores."
                        : "Give this process cpus of two cores.";
    return out;
  }
  out.level = level::note;
  out.found = bound ? "The other halves of the run's cores are " + cpu_words(others) + "."
                    : "Cpus share cores here, and the run isn't bound to any.";
  out.why = "Whoever runs on the other half takes up to half of the core, which no counter shows.";
  out.change = bound ? "Keep " + cpu_words(others) + " idle while it measures."
                     : "Name two cpus of different cores by --pin.";
  return out;
}

/** Whether the run's cpus are kept free of others. */
inline finding find_isolated(const facts& f, const asked& a) {
  finding out{.subject = "isolation"};
  if (!f.cpus.isolated) {
    out.found = "The kernel doesn't show which cpus are isolated.";
    return out;
  }
  std::vector<unsigned> open;
  for (const unsigned cpu : chosen_cpus(f, a))
    if (!detail::holds(*f.cpus.isolated, cpu)) open.push_back(cpu);
  if (open.empty()) {
    out.level = level::ok;
    out.found = "The scheduler leaves the run's cpus to it: they are isolated.";
    return out;
  }
  out.level = level::note;
  out.found = f.cpus.isolated->empty()
                  ? "No cpu is isolated from the scheduler."
                  : "Isolated are " + cpu_words(*f.cpus.isolated) + ", but not " + cpu_words(open) +
                        ", which the run uses.";
  out.why = "Others may be given the run's cpus while it measures; backlog blocks that lose more "
            "than 4 % "
            "of their time to that are repeated.";
  out.change = f.cpus.isolated->empty()
                   ? "For differences below 1 %, boot with isolcpus= and name those cpus by --pin."
                   : "Name isolated cpus by --pin.";
  return out;
}

/** Whether a limit of cpu time may halt the run. */
inline finding find_quota(const facts& f) {
  finding out{.subject = "cpu quota"};
  if (!f.limits.cpu_quota) {
    out.found = "The kernel doesn't show the control groups of this process.";
    return out;
  }
  const double cpus = *f.limits.cpu_quota;
  if (std::isinf(cpus)) {
    out.level = level::ok;
    out.found = "No control group that can be seen limits this process's cpu time.";
    return out;
  }
  out.level = cpus < 2 ? level::warning : level::note;
  out.found = "A control group limits this process to the time of " + decimal(cpus, 2) + " cpus.";
  out.why = cpus < 2 ? "A sender and a receiver that are always busy need 2, and whoever has used "
                       "up the quota stands still for the rest of its period."
                     : "Enough for one sender and one receiver, but not for more threads at once.";
  out.change = "Raise or remove cpu.max of the group: with docker or podman the option --cpus, in "
               "Kubernetes limits.cpu.";
  return out;
}

} // namespace udpbench::machine
