/** @file
    udpbench's own receivers, run by its program as anybody would.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "figures.hpp"
#include "process.hpp"
#include "run.hpp"

#include <udpbench/record/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace peers {

/** A receiver, and how it is sent to. */
struct own {
  std::string receiver; ///< By its name in `udpbench list`.
  std::string send;     ///< As `--send` has it.
};

/** Those that take part: each kind of receiver where the sender is fast enough to tell, the best for a sender without segments, and one
    that is sent to as the tools send. */
inline std::vector<own> own_receivers() {
  return {{"sync", "single"},        {"sync.hybrid+batch", "batch"}, {"raw.hybrid+batch", "batch"},
          {"sync", "segmented"},     {"async", "segmented"},         {"async+batch", "segmented"},
          {"async+gro", "segmented"}};
}

/** What the valid rounds of a record come to, the control's among them: it is the same receiver once more.
    Errors: throws `run_error` where there is none. */
inline figures figures_of(const udpbench::record::run& run) {
  if (!run.error.empty()) throw run_error("failed: " + run.error);
  std::uint64_t timed = 0, elapsed = 0, unique = 0, sent = 0, cpu = 0, observed = 0;
  bool with_cpu = true;
  std::string reason;
  for (const auto& result : run.results) {
    if (!result.failure.empty()) reason = result.failure;
    for (const auto& round : result.rounds) {
      if (!round.valid) {
        reason = round.reason;
        continue;
      }
      timed += round.timed;
      elapsed += round.elapsed_ns;
      unique += round.unique;
      sent += round.sent;
      cpu += round.cpu_ns.value_or(0);
      observed += round.observed;
      with_cpu = with_cpu && round.cpu_ns;
    }
  }
  if (timed == 0 || elapsed == 0 || sent == 0 || observed == 0)
    throw run_error("has no valid round" + (reason.empty() ? "" : ": " + reason));
  const auto quotient = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  figures f;
  f.received_per_second = 1e9 * quotient(timed, elapsed);
  f.loss = 1 - quotient(unique, sent);
  if (with_cpu) f.receiver_cpu_ns = quotient(cpu, observed);
  f.receiver_share = run.results.front().summary.cpu_share;
  if (const auto by = run.results.front().summary.limited_by) {
    using from = udpbench::record::limit;
    f.limited_by = *by == from::receiver     ? limit::receiver
                   : *by == from::sender     ? limit::sender
                   : *by == from::shared_cpu ? limit::shared_cpu
                                             : limit::neither;
  }
  return f;
}

/** Runs one of them. It is told a number of datagrams and no time, so a first short run finds what fits the seconds. */
class own_runs {
 public:
  /** @param program  the executable udpbench. */
  own_runs(std::string program, own what) : program_(std::move(program)), what_(std::move(what)) {}

  /** One run, as `peers::run` does of a tool. Errors: likewise. */
  figures operator()(std::size_t size, std::chrono::seconds seconds, const cpus& where,
                     const std::atomic<bool>& stop) {
    const auto pace = once(size, trial_count, seconds, where, stop).received_per_second;
    // The receiver and its control have half of the time each.
    const double wanted = pace * static_cast<double>(seconds.count()) / 2;
    const auto count = static_cast<std::uint64_t>(std::clamp(wanted, 1.0 * trial_count, 1e9));
    return once(size, count, seconds, where, stop);
  }

 private:
  static constexpr std::uint64_t trial_count = 100'000;

  command_line command(std::size_t size, std::uint64_t count, const cpus& where) const {
    const auto pin = where.sender && where.receiver
                         ? std::to_string(*where.sender) + ',' + std::to_string(*where.receiver)
                         : std::string("none");
    return {program_,
            "compare",
            what_.receiver,
            "--load",
            "flood",
            "--send",
            what_.send,
            "--size",
            std::to_string(size),
            "--count",
            std::to_string(count),
            "--rounds",
            "1",
            "--pin",
            pin,
            "--json",
            "-",
            "--quiet"};
  }

  figures once(std::size_t size, std::uint64_t count, std::chrono::seconds seconds,
               const cpus& where, const std::atomic<bool>& stop) const {
    process running(command(size, count, where), {});
    const auto most = 10 * seconds + patience{}.further;
    if (!running.wait(clock::now() + most, stop))
      throw run_error("had not ended after " + detail::seconds_text(most));
    const auto end = running.reap();
    try {
      return figures_of(udpbench::record::read(running.output()));
    } catch (const udpbench::record::format_error&) {
      throw run_error("wrote no record and " + detail::described(running, end));
    }
  }

  std::string program_;
  own what_;
};

} // namespace peers
