/** @file
    What there is to say of whom the machine serves besides, and of its clock.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/machine/facts.hpp>
#include <udpbench/machine/finding.hpp>
#include <udpbench/machine/parse.hpp>
#include <udpbench/machine/virtualised.hpp>
#include <udpbench/machine/words.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::machine {

/** Whether others run here at the same time. */
inline finding find_load(const facts& f) {
  finding out{.subject = "load"};
  if (!f.now.load) {
    out.found = "The kernel doesn't show its load.";
    return out;
  }
  const double load = *f.now.load;
  const double cpus = f.now.cpus;
  out.found =
      "Load " + decimal(load, 2) + " over the last minute" +
      (f.now.cpus > 0 ? ", on " + std::to_string(f.now.cpus) + (f.now.cpus == 1 ? " cpu" : " cpus")
                      : "") +
      ".";
  if (f.running && !f.running->empty()) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names(
        f.running->begin(),
        f.running->begin() + static_cast<std::ptrdiff_t>(std::min(most, f.running->size())));
    if (f.running->size() > most)
      names.push_back(std::to_string(f.running->size() - most) + " more");
    out.found += " At this moment there run besides: " + listed(names) + ".";
  }
  // The run keeps two cpus busy; a quarter of one is what an idle system with a desktop uses.
  constexpr double idle = 0.25;
  if (load <= idle) {
    out.level = level::ok;
    return out;
  }
  out.level = cpus - load >= 2 - idle ? level::note : level::warning;
  out.why = out.level == level::warning
                ? "A run keeps two cpus busy, and others would share them with it."
                : "There are cpus left for the run, but caches and frequency are shared.";
  out.change = "End what else runs, or wait; the load also counts what ended within the minute.";
  return out;
}

/** Whether this is a virtual machine. */
inline finding find_virtualisation(const facts& f) {
  finding out{.subject = "virtualisation"};
  const auto guest = virtualised(f.cpus);
  const std::string what = f.cpus.product ? " (" + *f.cpus.product + ")" : "";
  if (!guest) {
    out.found = "Whether this is a virtual machine can't be told" + what + ".";
    return out;
  }
  if (!*guest) {
    out.level = level::ok;
    out.found = "No hypervisor shows itself" + what + ".";
    return out;
  }
  out.level = level::note;
  out.found = "This is a virtual machine" + what + ".";
  out.why = "Other guests share its cores, caches and memory, system calls may cost more than on "
            "hardware, and ratios hold for guests like this one.";
  out.change = "Repeat the run at other times and compare, or use hardware of your own.";
  return out;
}

/** Whether the host takes cpu time away. */
inline finding find_steal(const facts& f) {
  finding out{.subject = "steal"};
  if (!f.now.ticks || f.now.ticks->total == 0) {
    out.found = "The kernel doesn't show how its cpus spend their time.";
    return out;
  }
  const double share =
      static_cast<double>(f.now.ticks->steal) / static_cast<double>(f.now.ticks->total);
  const bool guest = virtualised(f.cpus).value_or(false);
  if (f.now.ticks->steal == 0) {
    out.level = level::ok;
    out.found = "The host has taken no cpu time since boot (steal 0)";
    out.found += guest ? ", which not every host tells its guests." : ".";
    return out;
  }
  // Idle time is in the total, so that the share of a busy minute is larger.
  out.level = share >= 0.01 ? level::warning : level::note;
  out.found = "The host has taken " +
              (share < 0.0001 ? "less than 0.01" : decimal(share * 100, 2)) +
              " % of the cpus' time since boot (steal).";
  out.why =
      "Such time stands in the figures of whoever was running; backlog blocks that lose more than "
      "4 % of theirs are repeated.";
  out.change = "Use a guest with cores of its own, or repeat when the host is less busy.";
  return out;
}

/** Whether the clock is quick to read. */
inline finding find_clock(const facts& f) {
  finding out{.subject = "clock"};
  if (!f.now.clock_source) {
    out.found = "The kernel doesn't show its clock source.";
    return out;
  }
  const std::string& source = *f.now.clock_source;
  out.found = "Clock source " + source + ".";
  // Read without a system call (vDSO), in some 20 to 40 ns.
  for (const std::string_view quick :
       {"tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page"})
    if (source == quick) {
      out.level = level::ok;
      return out;
    }
  const bool slow = source == "hpet" || source == "acpi_pm" || source == "jiffies";
  out.level = slow ? level::warning : level::note;
  out.why = slow ? "Reading it takes a system call and up to microseconds, as much as a datagram."
                 : "Whether it is read without a system call isn't known here; each result's "
                   "context has what a reading costs.";
  if (f.cpus.clock_sources)
    out.change = "The kernel offers " + std::string(trimmed(*f.cpus.clock_sources)) +
                 "; boot with clocksource= and one of them (tsc, where it is offered).";
  return out;
}

} // namespace udpbench::machine
