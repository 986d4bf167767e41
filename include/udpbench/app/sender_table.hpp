/** @file
    How fast this machine sends, and so up to what rate a receiver can be measured here.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/arguments.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/record/run.hpp>
#include <udpbench/report/number.hpp>
#include <udpbench/report/table.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/take/batch.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace udpbench::app {

/** What one kind of sender reached beside a receiver that does nothing but count. */
struct sender_limit {
  experiment::send_mode mode = experiment::send_mode::single; ///< Which kind.
  std::size_t size = 0;                                       ///< Payload, bytes.
  std::optional<double> sent_per_second; ///< Median over the rounds; empty: it doesn't work here.
  std::optional<double> received_per_second; ///< Likewise.
};

/** The medians over the valid rounds of a run with one result. Errors: throws std::runtime_error with the run's own error, and where no
    round was valid. */
inline sender_limit sender_limit_of(const record::run& run, experiment::send_mode mode,
                                    std::size_t size) {
  const std::string what =
      std::string(experiment::name(mode)) + " sends of " + std::to_string(size) + " bytes";
  if (!run.error.empty()) throw std::runtime_error(what + ": " + run.error);
  std::vector<double> sent;
  std::vector<double> received;
  for (const auto& result : run.results)
    for (const auto& round : result.rounds) {
      if (!round.valid || !round.offered_per_second || !round.received_per_second) continue;
      sent.push_back(*round.offered_per_second);
      received.push_back(*round.received_per_second);
    }
  if (sent.empty()) throw std::runtime_error(what + ": no round was valid");
  return {.mode = mode,
          .size = size,
          .sent_per_second = statistics::median(sent),
          .received_per_second = statistics::median(received)};
}

/** Measures every kind of sender at 64 and 1024 bytes, a second or so each, on the cpus that a comparison takes by itself; the receiver
    is `raw+batch`.
    Errors: as `sender_limit_of`; `system_error` where no socket can be had. */
inline std::vector<sender_limit> measure_senders(const experiment::build_info& build) {
  using experiment::send_mode;
  experiment::catalogue receivers;
  receivers.add<raw_server<measure::ledger, take::batch<>>>("raw+batch", "the quickest to count");
  std::vector<sender_limit> all;
  for (const auto mode : {send_mode::single, send_mode::batch, send_mode::segmented})
    for (const std::size_t size : {64U, 1024U}) {
      experiment::plan p;
      detail::parse_pin("", p);
      if (!experiment::mode_works(mode, p.address, size)) {
        all.push_back(
            {.mode = mode, .size = size, .sent_per_second = {}, .received_per_second = {}});
        continue;
      }
      p.receivers = {"raw+batch"};
      p.loads = {{.what = experiment::load::kind::flood}};
      p.sizes = {size};
      p.send = mode;
      p.blocks = 6;
      all.push_back(sender_limit_of(experiment::compare(p, receivers, {}, build), mode, size));
    }
  return all;
}

/** Prints a row for each kind of sender: what it sends and what the receiver gets of that, per second, at each size. */
inline void print_senders(std::ostream& out, const std::vector<sender_limit>& all,
                          const report::text_style& style) {
  std::vector<report::figure> figures;
  for (const auto& limit : all) {
    figures.push_back(limit.sent_per_second);
    figures.push_back(limit.received_per_second);
  }
  const report::scale scale = report::scale_for(report::per_second, figures);
  report::table t{{"--send", "", report::side::left, {}}};
  for (const auto& limit : all) {
    const std::string mode(experiment::name(limit.mode));
    if (t.front().cells.empty() || t.front().cells.back().text != mode)
      t.front().cells.push_back({mode});
    const auto add = [&](const std::string& what, const report::figure& x) {
      const std::string head = what + " " + std::to_string(limit.size) + " B";
      auto at = t.begin();
      while (at != t.end() && at->head != head) ++at;
      if (at == t.end()) at = t.insert(at, {head, scale.unit, report::side::right, {}});
      at->cells.push_back({scale(x)});
    };
    add("sent", limit.sent_per_second);
    add("received", limit.received_per_second);
  }
  out << "Senders: how fast each is here beside raw+batch. No receiver is measured faster than "
         "that.\n";
  report::print(out, t, style);
}

} // namespace udpbench::app
