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
#include <udpbench/net/affinity.hpp>
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
#include <utility>
#include <vector>

namespace udpbench::app {

/** Payload bytes at which senders are measured. */
inline constexpr std::array<std::size_t, 2> sender_sizes{64, 1024};

/** What one kind of sender reached beside a receiver that does nothing but count. */
struct sender_limit {
  experiment::send_mode mode = experiment::send_mode::single; ///< Which kind.
  std::size_t size = 0;                                       ///< Payload, bytes.
  std::optional<double> sent_per_second; ///< Median over the rounds; empty: it doesn't work here.
  std::optional<double> received_per_second; ///< Likewise.
};

/** The medians over the valid rounds of a run, which are all of one kind of sender. Errors: throws std::runtime_error with the run's own
    error, and where no round was valid. */
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

/** Measures every kind of sender in a flood, on the cpus that a comparison takes by itself; the receiver is `raw+batch`. One that doesn't
    work here has no figures.
    Errors: as `sender_limit_of`; `system_error` where no socket can be had. */
inline std::vector<sender_limit> measure_senders(const experiment::build_info& build) {
  using experiment::send_mode;
  experiment::catalogue receivers;
  receivers.add<raw_server<measure::ledger, take::batch<>>>("raw+batch", "the quickest to count");
  std::vector<sender_limit> all;
  for (const auto mode : {send_mode::single, send_mode::batch, send_mode::segmented})
    for (const std::size_t size : sender_sizes) {
      experiment::plan p;
      detail::parse_pin("", p);
      p.receivers = {"raw+batch"};
      p.loads = {{.what = experiment::load::kind::flood}};
      p.sizes = {size};
      p.send = mode;
      p.blocks = 6;
      p.count = 20'000;
      if (experiment::mode_works(mode, p.address, size))
        all.push_back(sender_limit_of(experiment::compare(p, receivers, {}, build), mode, size));
      else
        all.push_back(
            {.mode = mode, .size = size, .sent_per_second = {}, .received_per_second = {}});
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
  report::column modes{"--send", "", report::side::left, {}};
  for (const auto& limit : all)
    if (limit.size == sender_sizes.front()) modes.cells.push_back({std::string(name(limit.mode))});
  report::table t{modes};
  for (const std::size_t size : sender_sizes) {
    const std::string of_size = ' ' + std::to_string(size) + " B";
    report::column sent{"sent" + of_size, scale.unit, report::side::right, {}};
    report::column received{"received" + of_size, scale.unit, report::side::right, {}};
    for (const auto& limit : all) {
      if (limit.size != size) continue;
      sent.cells.push_back({scale(limit.sent_per_second)});
      received.cells.push_back({scale(limit.received_per_second)});
    }
    t.push_back(std::move(sent));
    t.push_back(std::move(received));
  }
  out << "Senders in a flood, beside the receiver raw+batch: no receiver gets more than is sent.\n";
  report::print(out, t, style);
  if (net::allowed_cpus().size() == 1)
    out << "Sender and receiver share the one cpu that this process may use.\n";
}

} // namespace udpbench::app
