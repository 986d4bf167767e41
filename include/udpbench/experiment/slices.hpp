/** @file
    Backlog: fill the socket while the receiver is held, then time how long it takes to empty it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/lost_trains.hpp>
#include <udpbench/experiment/observe.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/timed_scope.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/net/train.hpp>
#include <udpbench/receiver.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace udpbench::experiment {

/** What two readings of the thread's CPU time have between them when nothing else is: it would be booked as the receiver's. */
inline std::chrono::nanoseconds cost_of_cpu_reading() {
  std::array<std::chrono::nanoseconds, 9> costs;
  for (auto& cost : costs) {
    const auto before = measure::thread_cpu_time();
    cost = measure::thread_cpu_time() - before;
  }
  std::nth_element(costs.begin(), costs.begin() + costs.size() / 2, costs.end());
  return costs[costs.size() / 2];
}

/** Runs one turn on the calling thread. The receiver is held by nothing more than that: nobody is inside `receive` while the
    socket is filled by `filler`, and a `receive` leaves no operation outstanding. The sample covers every slice in its ledger, the timed
    ones alone in its times, hook requests and allocations. */
inline sample run_slices(any_receiver& receiver, measure::ledger& ledger, sender& filler,
                         schedule s, const turn_plan& plan) {
  constexpr auto patience = std::chrono::seconds(2);
  measure::monotonic_clock clock;
  const auto cpu_reading = cost_of_cpu_reading();
  sample out;
  out.slices.reserve(plan.timed);
  begin_ledger(ledger, s);
  const int fd = receiver.native_handle();
  net::drop_meter drops(net::drop_counter(fd));
  const call_watch all_calls(receiver.counters());
  batch_watch batches(receiver.counters());
  const auto begin = clock.now();
  const auto use_before = measure::current_thread_use();
  for (unsigned i = 0; i < plan.untimed + plan.timed && out.trouble.empty(); ++i) {
    s.first_sequence = out.sent.sent;
    out.sent += filler.send(s, plan.depth);
    const auto filled = static_cast<std::size_t>(out.sent.sent - s.first_sequence);
    const auto dropped = drops.update(net::drop_counter(fd));
    const allocation_watch watch(receiver.counters());
    const call_watch calls(receiver.counters());
    batches.mark();
    const auto deadline = clock.now() + patience;
    const auto cpu_before = measure::thread_cpu_time();
    std::chrono::nanoseconds drain{};
    std::size_t got = 0;
    {
      const timed_scope scope(clock, drain);
      got = receiver.receive(filled, deadline);
    }
    const auto cpu = measure::thread_cpu_time() - cpu_before - cpu_reading;
    // However many a dropped train had: what entered has been received.
    if (s.stopped())
      out.trouble = stopped_early;
    else if (filled != plan.depth || dropped.value_or(0) != 0)
      out.trouble = "only " + std::to_string(got) + " of " + std::to_string(plan.depth) +
                    " datagrams entered the receive buffer";
    else if (got < filled && (out.trouble = all_calls.trouble()).empty())
      out.trouble = std::to_string(got) + " of " + std::to_string(filled) +
                    " queued datagrams were received within 2 s";
    if (i < plan.untimed) continue;
    out.slices.push_back(drain);
    out.elapsed += drain;
    out.timed += got;
    out.cpu += std::max(cpu, std::chrono::nanoseconds{});
    watch.add_to(out);
    calls.add_to(out);
    batches.take();
  }
  const auto use = measure::current_thread_use() - use_before;
  const std::chrono::nanoseconds wall = clock.now() - begin;
  out.cpu_share = wall.count() > 0
                      ? static_cast<double>(use.cpu.count()) / static_cast<double>(wall.count())
                      : 0;
  out.voluntary_switches = use.voluntary_switches;
  out.involuntary_switches = use.involuntary_switches;
  if (out.trouble.empty()) out.trouble = all_calls.trouble();
  out.during = out.counted = out.timed;
  batches.write_to(out);
  out.arrivals = ledger.counts();
  out.kernel_dropped = drops.update(net::drop_counter(fd));
  book_unread(out, fd, s, [&](const datagram& d) { ledger(d); });
  if (out.kernel_dropped && net::joins_datagrams(fd))
    out.kernel_dropped = datagrams_dropped(*out.kernel_dropped, out.sent.trains,
                                           out.sent.sent - out.arrivals.unique - out.unread,
                                           s.size < wire::header_bytes ? nullptr : &ledger);
  return out;
}

} // namespace udpbench::experiment
