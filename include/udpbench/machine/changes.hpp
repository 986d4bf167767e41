/** @file
    What changed on a machine while something was measured on it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/state.hpp>
#include <udpbench/machine/words.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::machine {

/** From these on a change is told. */
struct change_limits {
  double frequency = 0.05;  ///< Part of the frequency before.
  double others_cpus = 0.1; ///< Cpus' worth of time that others took.
  double steal = 0.01;      ///< Part of all cpus' time, for `disturbances` only.
};

namespace detail {

inline void add_governors(const state& before, const state& after, std::vector<std::string>& out) {
  for (const auto& [cpu, governor] : before.governors)
    if (const auto now = after.governors.find(cpu);
        now != after.governors.end() && now->second != governor)
      out.push_back("The governor of cpu " + std::to_string(cpu) + " changed from " + governor +
                    " to " + now->second + ".");
}

inline void add_frequencies(const state& before, const state& after, double least,
                            std::vector<std::string>& out) {
  for (const auto& [cpu, mhz] : before.mhz)
    if (const auto now = after.mhz.find(cpu);
        now != after.mhz.end() && mhz > 0 && std::abs(now->second - mhz) > least * mhz)
      out.push_back("The frequency of cpu " + std::to_string(cpu) + " changed from " +
                    decimal(mhz, 0) + " to " + decimal(now->second, 0) + " MHz.");
}

/** Steal, and the time of other processes. Counters that run backwards, as after a migration of the guest, tell nothing. */
inline void add_times(const state& before, const state& after, double least,
                      std::vector<std::string>& out) {
  if (!before.ticks || !after.ticks || after.ticks->total <= before.ticks->total) return;
  const auto since = [](std::uint64_t then, std::uint64_t now) {
    return now > then ? static_cast<double>(now - then) : 0;
  };
  const double total = since(before.ticks->total, after.ticks->total);
  const double stolen = since(before.ticks->steal, after.ticks->steal);
  if (stolen > 0)
    out.push_back("The host took " + decimal(stolen / after.ticks_per_second, 2) +
                  " s of cpu time meanwhile (steal), " + decimal(100 * stolen / total, 2) +
                  " % of all cpus' time.");
  if (!before.own_ticks || !after.own_ticks || after.cpus == 0) return;
  const double others =
      since(before.ticks->busy, after.ticks->busy) - since(*before.own_ticks, *after.own_ticks);
  const double cpus = others * after.cpus / total;
  if (cpus > least)
    out.push_back("Other processes took the time of " + decimal(cpus, 2) + " cpus meanwhile.");
}

} // namespace detail

/** What changed, a sentence each; none where nothing did or where it isn't shown. Both states are of the same process and cpus.
    Threads: any. */
inline std::vector<std::string> changes(const state& before, const state& after,
                                        const change_limits& limits = {}) {
  std::vector<std::string> out;
  detail::add_governors(before, after, out);
  detail::add_frequencies(before, after, limits.frequency, out);
  if (before.turbo && after.turbo && *before.turbo != *after.turbo)
    out.push_back(std::string("Frequencies above the base frequency were turned ") +
                  (*after.turbo ? "on." : "off."));
  if (before.clock_source && after.clock_source && *before.clock_source != *after.clock_source)
    out.push_back("The clock source changed from " + *before.clock_source + " to " +
                  *after.clock_source + ".");
  if (before.allowed_cpus && after.allowed_cpus && *before.allowed_cpus != *after.allowed_cpus)
    out.push_back("The process could use " + cpu_words(*before.allowed_cpus) + ", and then " +
                  cpu_words(*after.allowed_cpus) + ".");
  detail::add_times(before, after, limits.others_cpus, out);
  return out;
}

/** Those changes that speak against figures measured meanwhile: not the time of other processes, and steal only above its limit.
    Threads: any. */
inline std::vector<std::string> disturbances(const state& before, const state& after,
                                             change_limits limits = {}) {
  state seen = after;
  if (before.ticks && seen.ticks && seen.ticks->steal > before.ticks->steal &&
      static_cast<double>(seen.ticks->steal - before.ticks->steal) <
          limits.steal * static_cast<double>(seen.ticks->total - before.ticks->total))
    seen.ticks->steal = before.ticks->steal;
  limits.others_cpus = std::numeric_limits<double>::infinity();
  return changes(before, seen, limits);
}

/** Subjects of findings that say how something is set, and nothing of what goes on: where one differs, somebody has changed it. The rest of
    what is set is in a `state`. */
inline constexpr std::array<std::string_view, 8> settings{
    "SMT",     "cpu quota", "isolation", "receive buffer", "loopback steering",
    "softirq", "busy poll", "io_uring"};

/** Settings that are not what they were, a sentence or two each.
    @param before  all findings, as `findings` gives them.
    @param after  the same, of the same process, later.
    Threads: any. */
inline std::vector<std::string> changed_settings(const std::vector<finding>& before,
                                                 const std::vector<finding>& after) {
  std::vector<std::string> out;
  for (const finding& f : before) {
    const auto now = std::find_if(after.begin(), after.end(),
                                  [&f](const finding& g) { return g.subject == f.subject; });
    if (now == after.end() || now->found == f.found) continue;
    if (std::find(settings.begin(), settings.end(), f.subject) != settings.end())
      out.push_back(f.subject + " changed. Before: " + f.found + " After: " + now->found);
  }
  return out;
}

} // namespace udpbench::machine
