/** @file
    The command `compare`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/exit_code.hpp>
#include <udpbench/app/explanation.hpp>
#include <udpbench/app/inherited.hpp>
#include <udpbench/app/interrupt.hpp>
#include <udpbench/app/output.hpp>
#include <udpbench/app/processes.hpp>
#include <udpbench/app/progress.hpp>
#include <udpbench/app/receivers_of_run.hpp>
#include <udpbench/app/signs_of_life.hpp>
#include <udpbench/experiment/build_info.hpp>
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/experiment/expected_time.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/record/json.hpp>
#include <udpbench/report/csv.hpp>
#include <udpbench/report/text.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

namespace udpbench::app {

/** How any command shows its results. */
struct output_words {
  std::string json;            ///< `--json`: a file, or `-`; empty: none.
  std::string csv;             ///< `--csv`: likewise.
  std::string colour = "auto"; ///< `--color`: auto, always or never.
  bool quiet = false;          ///< `--quiet`: no progress.
};

namespace detail {

/** The files that were asked for, opened. */
struct destinations {
  explicit destinations(const output_words& how) {
    if (!how.csv.empty() && how.csv == how.json)
      throw usage_error("--csv", how.csv, "it is taken by --json");
    if (!how.json.empty()) json.emplace(how.json);
    if (!how.csv.empty()) csv.emplace(how.csv);
  }

  static bool takes_standard_output(const std::optional<output>& o) {
    return o && o->to_standard_output();
  }

  std::optional<output> json;
  std::optional<output> csv;
};

/** What a person who waits wants to know first. */
inline std::string expectation(const compare_words& words, const experiment::plan& plan) {
  const auto blocks = experiment::expected_time(plan) * words_processes(words);
  const auto seconds = [](std::chrono::nanoseconds t) {
    return std::to_string(
               std::max<std::int64_t>(std::chrono::round<std::chrono::seconds>(t).count(), 1)) +
           " s";
  };
  std::string text = "udpbench: this takes about " + seconds(blocks);
  if (plan.precision && plan.max_time > blocks)
    text += ", or up to " + seconds(plan.max_time) + " if the precision asks for it";
  return text;
}

/** Writes to every destination, also where another of them fails. Errors: throws `machine_error` for the first that failed. */
inline void show(const record::run& run, destinations& to, const output_words& how) {
  std::exception_ptr first;
  const auto attempt = [&first](auto write) {
    try {
      write();
    } catch (const machine_error&) {
      if (!first) first = std::current_exception();
    }
  };
  if (to.json) attempt([&] { to.json->write(record::write(run)); });
  if (to.csv)
    attempt([&] {
      std::ostringstream rows;
      report::csv(rows, run);
      to.csv->write(rows.str());
    });
  if (!to.takes_standard_output(to.json) && !to.takes_standard_output(to.csv))
    attempt([&] {
      std::ostringstream text;
      report::text(text, run, {.colour = wants_colour(how.colour), .width = terminal_width()});
      output("-").write(text.str());
    });
  if (first) std::rethrow_exception(first);
}

} // namespace detail

/** Compares, shows the results and returns the exit code. What was measured before a failure is shown, too.
    Errors: throws `usage_error`, `machine_error`, and what the experiment throws before its first round. */
inline int compare(const compare_words& words, const output_words& how,
                   const experiment::catalogue& known, const experiment::build_info& build,
                   const std::string& command) {
  wants_colour(how.colour);
  detail::destinations to(how);

  const interrupt_guard interrupt;
  record::run run;
  run.experiment = "compare";
  try {
    receivers_of_run receivers(words, known, build);
    const experiment::plan plan = receivers.plan(words);
    check_receive_buffer(plan, receivers.place(), words.receive_buffer);
    progress_line line(!how.quiet);
    line.note(detail::expectation(words, plan));
    const auto life =
        words.life.empty() ? net::descriptor() : inherited("--life-descriptor", words.life);
    std::function<void()> sign;
    if (life) sign = signs_of_life(life.get());
    const experiment::watcher watch{
        .progress = [&line](const std::string& load, std::uint64_t done,
                            std::uint64_t of) { line.show(load, done, of); },
        .alive =
            [&] {
              if (sign) sign();
              receivers.stay();
            },
        .interrupted = &interrupt.flag()};
    if (detail::words_processes(words) > 1) {
      receivers.release(); // Each of the processes has its own.
      run = compare_in_processes(words, plan, line, interrupt.flag());
      run.context.command = command;
    } else {
      run = experiment::compare(plan, receivers.place(), watch, build, command,
                                receivers.sender(plan));
    }
    run.other_host = receivers.host();
    if (words.explain && run.complete) explain(run, plan, build);
  } catch (const usage_error&) {
    throw;
  } catch (const std::exception& e) {
    run.complete = false;
    run.error = e.what();
  }
  if (run.error.empty() || to.json || !run.results.empty()) detail::show(run, to, how);
  if (!run.error.empty()) std::cerr << "udpbench: " << run.error << '\n';
  return code_of(run);
}

} // namespace udpbench::app
