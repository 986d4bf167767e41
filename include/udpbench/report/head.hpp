/** @file
    The head of a report: what ran, where, as planned how.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>
#include <udpbench/report/group.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/phrases.hpp>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace udpbench::report {

namespace detail {

inline std::string known_or(std::string_view text, std::string_view otherwise) {
  return std::string{text.empty() ? otherwise : text};
}

inline std::string machine_words(const record::context& c) {
  const std::string kernel =
      c.kernel.starts_with("Linux ") ? c.kernel : "kernel " + known_or(c.kernel, "unknown");
  std::string out = known_or(c.cpu, "unknown cpu") + ", " + counted(c.cpus, "cpu");
  if (c.virtualised) out += *c.virtualised ? ", virtualised" : ", not virtualised";
  return out + ", governor " + c.governor.value_or("unknown") + ", " + kernel;
}

inline std::string build_words(const record::run& run) {
  std::vector<std::string> compilers;
  for (const record::result& r : run.results) {
    if (!r.compiler.empty() &&
        std::find(compilers.begin(), compilers.end(), r.compiler) == compilers.end()) {
      compilers.push_back(r.compiler);
    }
  }
  return known_or(run.context.build_type, "unknown build type") + (compilers.empty() ? "" : ", ") +
         listed(compilers) + ", Boost " + known_or(run.context.boost, "unknown");
}

/** The works, unless there is none to be done. */
inline std::string worked(const std::vector<std::string>& works) {
  const bool some = std::any_of(works.begin(), works.end(), [](const auto& w) { return w != "0"; });
  return some ? "work " + listed(works, ", ") + "; " : "";
}

inline std::string plan_words(const record::plan& p) {
  std::vector<std::string> sizes;
  for (const std::uint64_t size : p.sizes)
    sizes.push_back(size_words(size, p.mixed_from.has_value()));
  std::string out =
      listed(p.loads, ", ") + (p.loads.empty() ? "" : "; ") + listed(sizes, ", ") +
      (sizes.empty() ? "" : "; ") + worked(p.works) + counted(p.blocks, "block") +
      (p.processes == 1 ? " in one process" : " in each of " + count(p.processes) + " processes");
  const auto sends = [](const std::string& load) { return !load.starts_with("backlog"); };
  if (p.count > 0 && std::any_of(p.loads.begin(), p.loads.end(), sends))
    out += ", " + counted(p.count, "datagram") + " a round";
  if (!p.fill.empty() && p.fill != "single") out += "; backlog filled by " + send_words(p.fill);
  out += "; margin " + (p.margin > 0 ? chosen_percent(p.margin) : std::string{absent});
  return out;
}

inline std::string socket_words(const record::plan& p) {
  std::string out = "receive buffer ";
  if (p.receive_buffer.requested) {
    out += bytes(*p.receive_buffer.requested) + " requested, " + bytes(p.receive_buffer.granted) +
           " granted";
  } else {
    out += bytes(p.receive_buffer.granted) + " (the kernel's own)";
  }
  if (p.shared_cpu) return out + "; sender and receiver share one cpu";
  const auto end = [&](std::string_view who, const std::optional<unsigned>& cpu) {
    out += "; " + std::string{who} + (cpu ? " on cpu " + std::to_string(*cpu) : " not pinned");
  };
  end("sender", p.pin.sender);
  if (p.pin.receivers.empty()) {
    end("receiver", p.pin.receiver);
  } else {
    std::vector<std::string> cpus;
    for (const unsigned cpu : p.pin.receivers) cpus.push_back(std::to_string(cpu));
    out += "; receiving threads on cpu" + std::string(cpus.size() > 1 ? "s " : " ") + listed(cpus);
  }
  return out;
}

inline std::string clock_words(const record::context& c) {
  const auto ns = [](const figure& x) {
    return known(x) ? trimmed(*x, 1) + " ns" : std::string{absent};
  };
  std::string out = "resolution " + ns(c.clock_resolution_ns);
  if (c.clock_read_ns > 0) out += ", one reading " + ns(c.clock_read_ns);
  if (c.overhead_ns) out += "; measuring takes " + ns(c.overhead_ns) + " of each datagram";
  return out;
}

inline std::string server_words(const record::other_host& h) {
  return h.address + ", where the " + h.has + (h.has == "sender" ? " is" : " are") +
         "; a question and its answer in " +
         trimmed(static_cast<double>(h.round_trip_ns) / 1e3, 1) + " us; " +
         (h.same_machine ? "the same machine" : machine_words(h.context));
}

/** How far an interrupted run came; planned blocks are those of every load, size and work. */
inline std::string progress_words(const record::run& run) {
  const std::vector<group> all = groups(run);
  std::uint64_t done = 0;
  for (const group& g : all) done += g.blocks();
  const std::uint64_t tables =
      std::max<std::uint64_t>(all.size(), run.plan.loads.size() * run.plan.sizes.size() *
                                              std::max<std::size_t>(run.plan.sockets.size(), 1) *
                                              std::max<std::size_t>(run.plan.works.size(), 1));
  const std::uint64_t planned = run.plan.blocks * tables;
  return (run.error.empty() ? "incomplete: interrupted after " : "incomplete: stopped after ") +
         count(done) + (planned > 0 ? " of " + counted(planned, "block") : " blocks");
}

} // namespace detail

/** Prints the head, with every warning. */
inline void print_head(std::ostream& out, const record::run& run, const text_style& style) {
  const record::context& c = run.context;
  paragraph(out, "",
            "udpbench " + c.version + " " + run.experiment +
                (c.started.empty() ? "" : ", " + c.started),
            style, ink::strong);
  paragraph(out, "machine  ", detail::machine_words(c), style);
  if (run.other_host) paragraph(out, "server   ", detail::server_words(*run.other_host), style);
  paragraph(out, "build    ", detail::build_words(run), style);
  paragraph(out, "plan     ", detail::plan_words(run.plan), style);
  paragraph(out, "sockets  ", detail::socket_words(run.plan), style);
  paragraph(out, "clock    ", detail::clock_words(c), style);
  paragraph(out, "seed     ", std::to_string(c.seed), style);
  if (!c.command.empty()) paragraph(out, "command  ", c.command, style);

  if (c.build_type != "Release") {
    paragraph(out, "warning: ",
              "this is not a Release build (" +
                  detail::known_or(c.build_type, "build type unknown") +
                  "): its figures say little about an optimised program.",
              style, ink::alert);
  }
  for (const std::string& warning : run.warnings)
    paragraph(out, "warning: ", warning, style, ink::alert);
  for (const record::suspicion& s : run.suspect)
    if (s.load.empty()) paragraph(out, "suspect: ", s.reason, style, ink::alert);
  for (const std::string& change : run.context.changes)
    paragraph(out, "meanwhile: ", change, style);
  if (!run.error.empty()) paragraph(out, "failed: ", run.error, style, ink::alert);
  if (!run.complete) paragraph(out, "", detail::progress_words(run), style, ink::alert);
}

} // namespace udpbench::report
