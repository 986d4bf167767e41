/** @file
    A comparison in several processes, one after the other.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/arguments.hpp>
#include <udpbench/app/child.hpp>
#include <udpbench/app/progress.hpp>
#include <udpbench/app/usage_error.hpp>
#include <udpbench/experiment/join_processes.hpp>
#include <udpbench/record/json.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::app {

namespace detail {

/** The words by which a process of its own does the i-th part of the comparison. The seed of the i-th is i above the first's. */
inline std::vector<std::string> child_words(const compare_words& words,
                                            const experiment::plan& plan, std::uint64_t i) {
  std::vector<std::string> all{"compare"};
  all.insert(all.end(), words.receivers.begin(), words.receivers.end());
  const auto option = [&all](const char* name, const std::string& value) {
    if (value.empty()) return;
    all.emplace_back(name);
    all.push_back(value);
  };
  option("--load", words.load.value_or(""));
  option("--depth", words.depth);
  option("--sockets", words.sockets);
  option("--threads", words.threads);
  option("--work", words.work);
  option("--size", words.size);
  if (words.mixed_sizes) all.emplace_back("--mixed-sizes");
  if (words.no_fragment) all.emplace_back("--no-fragment");
  option("--count", words.count);
  option("--rounds", words.rounds);
  option("--precision", words.precision);
  option(
      "--max-time",
      std::to_string(std::max<std::int64_t>(
          plan.max_time.count() / static_cast<std::int64_t>(words_processes(words)), 1'000'000)) +
          "ns");
  option("--margin", words.margin);
  option("--address", words.address.value_or(""));
  option("--to", words.to.value_or(""));
  option("--key-file", words.key_file);
  if (words.reverse) all.emplace_back("--reverse");
  option("--receive-buffer", words.receive_buffer);
  option("--send", words.send);
  option("--flows", words.flows);
  option("--pin", words.pin);
  option("--seed", std::to_string(plan.seed + i));
  option("--life-descriptor", std::to_string(life_descriptor));
  option("--json", "-");
  all.emplace_back("--quiet");
  return all;
}

} // namespace detail

/** Compares in as many processes as the words ask for, each with sockets and buffers of its own, and joins their records. After an
    interrupt it has those that were finished, and what the last one had; likewise where one of them fails, with its error.
    `run_one(words)` runs a process with such words and gives its `child_end`.
    Errors: throws `machine_error` where a process can't be had, or the first writes no record. */
template <class RunOne>
record::run compare_in_processes(const compare_words& words, const experiment::plan& plan,
                                 progress_line& line, const std::atomic<bool>& interrupted,
                                 RunOne run_one) {
  const std::uint64_t count = detail::words_processes(words);
  std::vector<record::run> parts;
  for (std::uint64_t i = 0; i < count && !interrupted; ++i) {
    line.say("process " + std::to_string(i + 1) + " of " + std::to_string(count));
    const child_end end = run_one(detail::child_words(words, plan, i));
    try {
      parts.push_back(record::read(end.output));
    } catch (const record::format_error&) {
      if (interrupted) break;
      const machine_error failed("process", std::to_string(i + 1) + " of " + std::to_string(count),
                                 "(pid " + std::to_string(end.id) +
                                     ") wrote no record and ended with " + end.how);
      if (parts.empty()) throw failed;
      parts.back().error = failed.what();
    }
    if (!parts.back().error.empty()) break;
  }
  if (parts.empty()) {
    record::run none;
    none.experiment = "compare";
    none.complete = false;
    return none;
  }
  auto run = experiment::join_processes(parts);
  run.plan.processes = count;
  run.complete = run.complete && parts.size() == count;
  return run;
}

/** The same by processes of this program. Errors: likewise. */
inline record::run compare_in_processes(const compare_words& words, const experiment::plan& plan,
                                        progress_line& line, const std::atomic<bool>& interrupted) {
  return compare_in_processes(words, plan, line, interrupted, [&](const auto& child_words) {
    return run_child(child_words, interrupted);
  });
}

} // namespace udpbench::app
