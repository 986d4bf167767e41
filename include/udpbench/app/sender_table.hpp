/** @file
    How fast this machine sends, and so up to what rate a receiver can be measured here.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/arguments.hpp>
#include <udpbench/control/stand_ins.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/compare_here.hpp>
#include <udpbench/experiment/machine.hpp>
#include <udpbench/experiment/plan.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/record/fields.hpp>
#include <udpbench/record/key.hpp>
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

/** What all of them reached. */
struct sender_limits {
  std::string schema = "udpbench-senders/1"; ///< What stands first in a file of it.
  record::context context;                   ///< The machine and the build.
  std::string receiver = "raw+batch";        ///< Beside which they were measured.
  bool shared_cpu = false;                   ///< Both ends have one cpu between them.
  std::vector<sender_limit> senders;         ///< Every kind at every size.
};

///@{
/** Calls `v(key, member)` for each member, in the order of a file. Errors: what `v` throws. */
template <class Visitor, record::maybe_const<sender_limit> Limit>
void fields(Visitor&& v, Limit& l) {
  v("send", l.mode);
  v("size", l.size);
  v("sent_per_second", l.sent_per_second);
  v("received_per_second", l.received_per_second);
}

template <class Visitor, record::maybe_const<sender_limits> Limits>
void fields(Visitor&& v, Limits& l) {
  v("schema", l.schema);
  v("context", l.context);
  v("receiver", l.receiver);
  v("shared_cpu", l.shared_cpu);
  v("senders", l.senders);
}
///@}

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
    @param build  what the executable knows of itself.
    @param command  as it was typed, for the record.
    Errors: as `sender_limit_of`; `system_error` where no socket can be had. */
inline sender_limits measure_senders(const experiment::build_info& build,
                                     const std::string& command = {}) {
  using experiment::send_mode;
  experiment::catalogue receivers;
  sender_limits all;
  receivers.add<raw_server<measure::ledger, take::batch<>>>(all.receiver, "the quickest to count");
  all.context = experiment::read_machine(build);
  all.context.command = command;
  all.shared_cpu = net::allowed_cpus().size() == 1;
  for (const auto mode : {send_mode::single, send_mode::batch, send_mode::segmented})
    for (const std::size_t size : sender_sizes) {
      experiment::plan p;
      detail::parse_pin("", p);
      p.receivers = {all.receiver};
      p.loads = {{.what = experiment::load::kind::flood}};
      p.sizes = {size};
      p.send = mode;
      p.blocks = 6;
      p.count = 20'000;
      if (experiment::mode_works(mode, p.address, size))
        all.senders.push_back(
            sender_limit_of(experiment::compare(p, receivers, {}, build), mode, size));
      else
        all.senders.push_back(
            {.mode = mode, .size = size, .sent_per_second = {}, .received_per_second = {}});
    }
  return all;
}

/** Prints a row for each kind of sender: what it sends and what the receiver gets of that, per second, at each size. */
inline void print_senders(std::ostream& out, const sender_limits& limits,
                          const report::text_style& style) {
  const auto& all = limits.senders;
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
  out << "Senders in a flood, beside the receiver " << limits.receiver
      << ": no receiver gets more than is sent.\n";
  report::print(out, t, style);
  if (limits.shared_cpu)
    out << "Sender and receiver share the one cpu that this process may use.\n";
}

} // namespace udpbench::app
