/** @file
    From a sample to a round on record: the ledger's last column, and whether the round is valid.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>
#include <udpbench/record/run.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace udpbench::experiment {

/** sent - unique - unread - kernel-dropped, never clamped. */
inline std::int64_t unexplained(const sample& s) noexcept {
  return static_cast<std::int64_t>(s.sent.sent - s.arrivals.unique - s.unread -
                                   s.kernel_dropped.value_or(0));
}

/** Above this share of a round's own datagrams those of others take too much of the receiver's time. */
inline constexpr double most_foreign = 0.01;

/** Why the round's figures can't be used; empty if they can. On loopback nothing may be unexplained. */
inline std::string invalid_because(const sample& s, bool loopback) {
  if (!s.trouble.empty()) return s.trouble;
  if (s.arrivals.unique > s.sent.sent)
    return std::to_string(s.arrivals.unique) + " different datagrams arrived of " +
           std::to_string(s.sent.sent) + " sent";
  if (s.arrivals.highest > s.sent.sent)
    return "sequence number " + std::to_string(s.arrivals.highest - 1) + " arrived, " +
           std::to_string(s.sent.sent) + " were sent";
  if (loopback && unexplained(s) != 0)
    return std::to_string(unexplained(s)) + " datagrams are unexplained";
  if (static_cast<double>(s.arrivals.foreign) >
      most_foreign * static_cast<double>(s.arrivals.unique))
    return std::to_string(s.arrivals.foreign) + " datagrams of others arrived beside " +
           std::to_string(s.arrivals.unique) + " of its own";
  if (s.hook_requests && *s.hook_requests == 0 && s.timed != 0)
    return "the handler memory was never asked";
  return {};
}

/** Adds what came of another turn of the same receiver, each with a ledger of its own. The slices stay apart. */
inline void add(sample& total, const sample& more, bool loopback) {
  const auto sum = [](auto& a, const auto& b) {
    if (b) a = a.value_or(typename std::decay_t<decltype(a)>::value_type{}) + *b;
  };
  total.elapsed += more.elapsed;
  total.timed += more.timed;
  total.during += more.during;
  total.counted += more.counted;
  total.cpu += more.cpu;
  total.sent += more.sent;
  total.arrivals += more.arrivals;
  sum(total.kernel_dropped, more.kernel_dropped);
  total.unread += more.unread;
  total.voluntary_switches += more.voluntary_switches;
  total.involuntary_switches += more.involuntary_switches;
  sum(total.hook_requests, more.hook_requests);
  sum(total.allocations, more.allocations);
  sum(total.receive_calls, more.receive_calls);
  measure::merge(total.per_receive_call, more.per_receive_call);
  measure::merge(total.per_wakeup, more.per_wakeup);
  if (total.trouble.empty()) total.trouble = invalid_because(more, loopback);
  if (more.host) total.host = more.host;
}

/** The round as it stands on record, without figures per datagram. `loopback` as above. */
inline record::round book(const sample& s, std::uint64_t block, bool sequenced, bool loopback) {
  const auto ns = [](std::chrono::nanoseconds d) { return static_cast<std::uint64_t>(d.count()); };
  record::round r;
  r.block = block;
  r.reason = invalid_because(s, loopback);
  r.valid = r.reason.empty();
  r.elapsed_ns = ns(s.elapsed);
  r.timed = s.timed;
  r.observed = s.during;
  r.counted = s.counted;
  r.intended = s.sent.intended;
  r.sent = s.sent.sent;
  r.send_refused = s.sent.refused;
  r.send_full = s.sent.full;
  r.send_failed = s.sent.failed;
  if (s.sent.calls != 0) r.send_calls = s.sent.calls;
  r.unique = s.arrivals.unique;
  r.unread = s.unread;
  if (sequenced) {
    r.duplicate = s.arrivals.duplicate;
    r.reordered = s.arrivals.reordered;
  }
  r.kernel_dropped = s.kernel_dropped;
  r.queue_peak_bytes = s.queue_peak;
  r.unexplained = unexplained(s);
  r.foreign = s.arrivals.foreign;
  r.late = s.arrivals.late;
  r.old = s.arrivals.old;
  r.truncated = s.arrivals.truncated;
  r.bytes = s.arrivals.bytes;
  if (s.during != 0) {
    r.cpu_ns = ns(s.cpu);
    r.cpu_share = s.cpu_share;
    r.voluntary_switches = s.voluntary_switches;
    r.involuntary_switches = s.involuntary_switches;
  }
  if (s.user) r.cpu_user_ns = ns(*s.user);
  if (s.system) r.cpu_system_ns = ns(*s.system);
  r.hook_requests = s.hook_requests;
  r.allocations = s.allocations;
  r.receive_calls = s.receive_calls;
  r.per_thread = s.per_thread;
  if (s.host)
    r.system_counters = record::system_counters{
        .udp_in_errors = s.host->in_errors,
        .udp_receive_buffer_errors = s.host->receive_buffer_errors,
        .udp_memory_errors = s.host->memory_errors,
        .udp_checksum_errors = s.host->checksum_errors,
        .softnet_dropped = s.host->softnet_dropped,
    };
  return r;
}

/** A valid round whose timed interval is shorter than 1000 times what the clock can tell is valid no more. */
inline void refuse_short(record::round& r, std::chrono::nanoseconds timed,
                         double clock_resolution_ns) {
  if (!r.valid || static_cast<double>(timed.count()) >= 1000 * clock_resolution_ns) return;
  r.valid = false;
  r.reason = "shorter than 1000 times the resolution of the clock: more datagrams are needed";
}

/** Below this share of its cpu, a thread that had something to do all the time was held up by others, and its times are theirs, too. */
inline constexpr double starved_share = 0.96;

/** A valid round of a thread that was held up so is valid no more. True if it was one.
    @param r  the round.
    @param cpu_share  of the thread; of several, what they had all together of their cpus.
    @param least_share  of several, that of the one which had the least; empty: one thread, or not known. */
inline bool refuse_starved(record::round& r, double cpu_share,
                           std::optional<double> least_share = {}) {
  if (!r.valid || std::min(cpu_share, least_share.value_or(1)) >= starved_share) return false;
  r.valid = false;
  r.reason =
      least_share ? "one of the threads was kept from its cpu" : "the thread was kept from its cpu";
  return true;
}

} // namespace udpbench::experiment
