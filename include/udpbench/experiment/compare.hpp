/** @file
    The comparison of receivers: every load × size, in blocks.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/analysis.hpp>
#include <udpbench/experiment/backlog.hpp>
#include <udpbench/experiment/break_even.hpp>
#include <udpbench/experiment/capacities.hpp>
#include <udpbench/experiment/contest.hpp>
#include <udpbench/experiment/crossing.hpp>
#include <udpbench/experiment/describe.hpp>
#include <udpbench/experiment/gathering.hpp>
#include <udpbench/experiment/rounds.hpp>
#include <udpbench/experiment/socket_counts.hpp>
#include <udpbench/experiment/tables.hpp>
#include <udpbench/experiment/work.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/statistics/pilot.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** Makes the sending end of a load's rounds; tests give one of their own. */
using sender_maker = std::function<std::unique_ptr<sender>(send_mode, const load&)>;

/** Tells the time by which a comparison keeps its limit; tests give one of their own. */
using time_teller = std::function<measure::monotonic_clock::time_point()>;

/** Runs comparisons at a place. Lifetime: the place outlives it, and what the watcher points to. Threads: one. */
class comparison {
 public:
  /** @param p  its receivers are in the catalogue of the place.
      @param where  gives each contestant a seat.
      @param watch  is asked to stop and told of progress.
      @param make  makes the sender of each load but backlog.
      @param now  the clock of `plan::max_time`. */
  comparison(plan p, place& where, watcher watch = {}, sender_maker make = make_sender,
             time_teller now = measure::monotonic_clock::now)
      : plan_(std::move(p)),
        where_(where),
        watch_(std::move(watch)),
        make_sender_(std::move(make)),
        now_(std::move(now)) {}

  /** Does everything that the plan asks for and writes it to `out`, but for the context; incomplete if it was interrupted.
      Errors: throws `not_possible` where this machine can't do what was asked for: a depth that the receive buffer doesn't hold, a
      send mode that doesn't work; `std::invalid_argument` for a cpu of the sender that can't be had; `system_error` where no socket
      can be had; `out` then has what was measured before. A receiver that fails is named in the record's warnings. */
  void run(record::run& out) {
    out.experiment = "compare";
    describe(plan_, out.plan);
    if (plan_.pin.sender && !plan_.reverse) net::require_cpus({&*plan_.pin.sender, 1});
    out.plan.receive_buffer.granted = granted();
    check_sockets(plan_);
    for (const std::size_t size : plan_.sizes)
      capacities_.measure(where_, seat_for(size), size, plan_.loads, fill_of(size));
    begin_ = now_();
    tables_left_ =
        plan_.sizes.size() * plan_.sockets.size() * plan_.loads.size() * plan_.works.size();
    for (const std::size_t size : plan_.sizes)
      for (const std::size_t sockets : plan_.sockets)
        for (const work& w : plan_.works)
          for (const load& l : plan_.loads) {
            if (watch_.stop()) break;
            run_load(out, l, size, sockets, w);
            --tables_left_;
          }
    out.break_evens = find_break_evens(out);
    out.crossings = find_crossings(out);
    out.complete = !watch_.stop();
  }

 private:
  /** Errors: throws `not_possible` where such datagrams can't be sent so. */
  send_mode fill_of(std::size_t size) const { return mode_for({.what = load_kind::backlog}, size); }

  /** Errors: likewise. */
  send_mode mode_for(const load& l, std::size_t size) const {
    if (!plan_.network()) return choose_mode(plan_.send, l, plan_.address, size, plan_.mixed_sizes);
    // A backlog is filled over there, and says itself where that doesn't work.
    if (l.held()) return filled_by(plan_.send);
    return choose_mode_that([&](send_mode mode) { return leaves_here(mode, size); }, plan_.send, l,
                            size, plan_.mixed_sizes);
  }

  /** Whether this host sends two datagrams in that mode over the network; whether they arrive is another matter. */
  bool leaves_here(send_mode mode, std::size_t size) const {
    std::vector<contestant> bare{
        {.receiver = bare_receiver(false), .control = false, .failure = {}}};
    seats taken(where_, bare);
    taken.open(0, seat_for(size));
    if (!taken.at(0)) throw not_possible(bare.front().failure);
    const auto from = make_sender_(mode, {.what = load_kind::flood});
    direct(*from, *taken.at(0), where_);
    return from->send({.size = size}, 2).sent == 2;
  }

  /** Bytes of receive buffer that such a socket is granted; 0 where the baseline can't be opened, which its rounds will say. */
  std::size_t granted() {
    std::vector<contestant> baseline{
        {.receiver = plan_.receivers.front(), .control = false, .failure = {}}};
    seats taken(where_, baseline);
    taken.open(0, seat_for(plan_.sizes.front()));
    return taken.at(0) ? taken.at(0)->receive_buffer_bytes : 0;
  }

  seat_plan seat_for(std::size_t size) const {
    seat_plan s;
    s.address = plan_.address;
    s.options.socket.receive_buffer_bytes = plan_.receive_buffer_bytes;
    s.options.largest_datagram = std::max(size, server_options().largest_datagram);
    s.cpu = plan_.pin.receiver;
    s.cpus = plan_.pin.receivers;
    s.run = plan_.run;
    s.flows = plan_.flows;
    if (plan_.mixed_sizes) s.mixed = plan_.seed;
    return s;
  }

  void run_load(record::run& out, const load& l, std::size_t size, std::size_t sockets,
                const work& w) {
    std::vector<contestant> contestants;
    const auto join = [&](const std::string& name, bool control) {
      contestants.push_back(
          {.receiver = name, .control = control, .failure = {}, .threads = plan_.threads});
    };
    for (const auto& name : plan_.receivers) join(name, false);
    join(plan_.receivers.front(), true);

    record::result common;
    common.compiler = net::features::compiler;
    common.load = l.name();
    common.size = size;
    common.sequenced = size >= wire::header_bytes;
    common.sockets = sockets;
    common.work = w.name();
    seat_plan how = seat_for(size);
    how.sockets = sockets;
    how.threads = plan_.threads;
    if (w != work{}) {
      const auto usual = plan_.mixed_sizes ? (wire::header_bytes + size) / 2 : size;
      const auto tried = where_.try_work({w, size, usual, plan_.pin.receiving()});
      how.work = tried.plan;
      common.work_ns = tried.ns;
    }
    if (l.held())
      run_backlog(out, contestants, l, how, common);
    else
      run_rounds(out, contestants, l, how, common);
  }

  void run_backlog(record::run& out, std::vector<contestant>& contestants, const load& l,
                   const seat_plan& how, record::result& common) {
    const std::size_t size = common.size;
    const turn_plan turn{
        .depth = capacities_.depth_for(l, size), .size = size, .send = filled_by(plan_.send)};
    common.depth = turn.depth;
    common.capacity = capacities_.of(size, l);
    common.send = name(turn.send);
    if (!out.plan.depth) {
      out.plan.depth = common.depth;
      out.plan.capacity = common.capacity;
    }
    orders order(contestants.size(), plan_.seed);
    const double resolution = resolution_ns();
    gather(out, contestants, l, common, [&](std::uint64_t number) {
      return backlog_block(where_, contestants, how, turn, order, number, watch_, resolution);
    });
  }

  void run_rounds(record::run& out, std::vector<contestant>& contestants, const load& l,
                  const seat_plan& how, record::result& common) {
    const std::size_t size = common.size;
    const send_mode mode = how.sockets > 1 ? send_mode::single : mode_for(l, size);
    common.send = name(mode);
    common.pacer = pacer(l);
    if (l.what == load_kind::window) common.capacity = capacities_.of(size, l);
    const std::uint64_t count = l.round_count(plan_.count);
    const auto from = make_sender_(mode, l);
    from->use_flows(plan_.flows);
    common.flows = plan_.flows;
    const round_setting setting{.how = how,
                                .round = {.size = size,
                                          .chunk = l.chunk(count),
                                          .joined_chunk = l.joined_chunk(count),
                                          .count = count},
                                .count = count,
                                .sender_cpu = plan_.reverse ? std::nullopt : plan_.pin.sender,
                                .shared_cpu = plan_.shared_cpu,
                                .network = plan_.network(),
                                .same_machine = plan_.same_machine,
                                .reverse = plan_.reverse,
                                .clock_resolution_ns = resolution_ns(),
                                .figure = metric_of(l)};
    orders order(contestants.size(), plan_.seed);
    references bare([&](bool joins) { return bare_rounds(where_, *from, setting, joins, watch_); });
    gather(out, contestants, l, common, [&](std::uint64_t number) {
      return round_block(where_, *from, contestants, setting, order, number, watch_, bare);
    });
  }

  static double resolution_ns() {
    measure::monotonic_clock clock;
    return measure::measure_clock(clock).resolution_ns;
  }

  /** Runs the plan's blocks and, where it has a precision, as many more as these say that it takes. Nobody looks in between. */
  void gather(record::run& out, const std::vector<contestant>& contestants, const load& l,
              const record::result& common, gathering::run_block run) {
    gathering so_far(l.name(), std::move(run), watch_);
    const auto begin = now_();
    so_far.run_to(plan_.blocks);
    if (plan_.precision && so_far.counted() != 0)
      so_far.run_to(
          blocks_wanted(contestants, so_far, l, common, std::max(now_() - begin, one_tick)));
    conclude(out, contestants, so_far.blocks(), l, common, plan_.margin);
  }

  /** How many blocks it takes for the plan's precision, by a pilot that took that time. Each table may use an equal part of the time
      that is left. */
  std::uint64_t blocks_wanted(const std::vector<contestant>& contestants, const gathering& pilot,
                              const load& l, const record::result& common,
                              std::chrono::nanoseconds took) const {
    const auto left = plan_.max_time - (now_() - begin_);
    const auto share = took + left / static_cast<std::int64_t>(tables_left_);
    const auto ratios = published_ratios(contestants, pilot.blocks(), l, common);
    return statistics::length_after_pilot(
               ratios, pilot.counted(), *plan_.precision,
               statistics::affordable_blocks(pilot.counted(), took, share))
        .blocks;
  }

  static constexpr std::chrono::nanoseconds one_tick{1};

  plan plan_;
  place& where_;
  watcher watch_;
  sender_maker make_sender_;
  time_teller now_;
  measure::monotonic_clock::time_point begin_;
  capacities capacities_;
  std::size_t tables_left_ = 1; ///< Loads times sizes times works that have not ended.
};

} // namespace udpbench::experiment
