/** @file
    The keys of a record, in the order in which files hold them: one table for every direction.

    `fields(visitor, x)` calls `visitor(key, member)` for each member of `x`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/run.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace udpbench::record {

/** What stands first in every file; a key that changes its meaning changes this name. */
inline constexpr std::string_view schema = "udpbench/1";

/** The name of a member in a file. */
struct key {
  std::string_view name; ///< Lifetime: that of the literal.
  bool required = true;  ///< False: a file may lack it.

  /** Of a member that every file has. */
  constexpr key(const char* text) noexcept : name(text) {}
};

/** A key that came after the contract: a file may lack it, and then the member keeps its default. */
constexpr key further(const char* text) noexcept {
  key result{text};
  result.required = false;
  return result;
}

/** `T`, or `const T` for a visitor that only looks. */
template <class T, class Record>
concept maybe_const = std::same_as<std::remove_const_t<T>, Record>;

///@{
/** Calls `v(key, member)` for each member, in the order of a file. Errors: what `v` throws. Threads: any. */
template <class Visitor, maybe_const<finding> Finding>
void fields(Visitor&& v, Finding& f) {
  v("level", f.level);
  v("subject", f.subject);
  v("found", f.found);
}

template <class Visitor, maybe_const<context> Context>
void fields(Visitor&& v, Context& c) {
  v("version", c.version);
  v("build_type", c.build_type);
  v("boost", c.boost);
  v("kernel", c.kernel);
  v("cpu", c.cpu);
  v("cpus", c.cpus);
  v("governor", c.governor);
  v("virtualised", c.virtualised);
  v("rmem_max", c.rmem_max);
  v("clock_resolution_ns", c.clock_resolution_ns);
  v(further("clock_read_ns"), c.clock_read_ns);
  v("overhead_ns", c.overhead_ns);
  v("seed", c.seed);
  v("started", c.started);
  v(further("command"), c.command);
  v(further("findings"), c.findings);
  v(further("changes"), c.changes);
}

template <class Visitor, maybe_const<receive_buffer> Buffer>
void fields(Visitor&& v, Buffer& b) {
  v("requested", b.requested);
  v("granted", b.granted);
}

template <class Visitor, maybe_const<pin> Pin>
void fields(Visitor&& v, Pin& p) {
  v("sender", p.sender);
  v("receiver", p.receiver);
}

template <class Visitor, maybe_const<plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v(further("receivers"), p.receivers);
  v(further("loads"), p.loads);
  v(further("sizes_bytes"), p.sizes);
  v(further("datagrams_per_round"), p.count);
  v(further("blocks"), p.blocks);
  v(further("processes"), p.processes);
  v(further("margin"), p.margin);
  v(further("confidence"), p.confidence);
  v(further("precision"), p.precision);
  v(further("max_time_ns"), p.max_time_ns);
  v(further("address"), p.address);
  v(further("send"), p.send);
  v(further("flows"), p.flows);
  v("receive_buffer", p.receive_buffer);
  v("pin", p.pin);
  v(further("shared_cpu"), p.shared_cpu);
  v(further("depth_datagrams"), p.depth);
  v(further("capacity_datagrams"), p.capacity);
}

template <class Visitor, maybe_const<system_counters> Counters>
void fields(Visitor&& v, Counters& c) {
  v(further("udp_in_errors"), c.udp_in_errors);
  v(further("udp_receive_buffer_errors"), c.udp_receive_buffer_errors);
  v(further("udp_memory_errors"), c.udp_memory_errors);
  v(further("udp_checksum_errors"), c.udp_checksum_errors);
  v(further("softnet_dropped"), c.softnet_dropped);
}

template <class Visitor, maybe_const<pacing> Pacing>
void fields(Visitor&& v, Pacing& p) {
  v(further("period_ns"), p.period_ns);
  v(further("mean_gap_ns"), p.mean_gap_ns);
  v(further("lag_p50_ns"), p.lag_p50_ns);
  v(further("lag_p99_ns"), p.lag_p99_ns);
  v(further("lag_max_ns"), p.lag_max_ns);
  v(further("gap_p50_ns"), p.gap_p50_ns);
  v(further("gap_p99_ns"), p.gap_p99_ns);
  v(further("gap_max_ns"), p.gap_max_ns);
  v(further("waited_share"), p.waited_share);
}

template <class Visitor, maybe_const<round> Round>
void fields(Visitor&& v, Round& r) {
  v(further("process"), r.process);
  v("block", r.block);
  v("valid", r.valid);
  v(further("reason"), r.reason);
  v("elapsed_ns", r.elapsed_ns);
  v(further("timed"), r.timed);
  v(further("observed"), r.observed);
  v(further("ns_per_datagram"), r.ns_per_datagram);
  v(further("received_per_second"), r.received_per_second);
  v("intended", r.intended);
  v("sent", r.sent);
  v(further("send_refused"), r.send_refused);
  v(further("send_full"), r.send_full);
  v(further("send_failed"), r.send_failed);
  v("unique", r.unique);
  v("unread", r.unread);
  v("duplicate", r.duplicate);
  v("reordered", r.reordered);
  v("kernel_dropped", r.kernel_dropped);
  v("unexplained", r.unexplained);
  v("foreign", r.foreign);
  v("late", r.late);
  v(further("old"), r.old);
  v("truncated", r.truncated);
  v(further("bytes"), r.bytes);
  v(further("cpu_ns"), r.cpu_ns);
  v("cpu_user_ns", r.cpu_user_ns);
  v("cpu_system_ns", r.cpu_system_ns);
  v(further("cpu_share"), r.cpu_share);
  v("hook_requests", r.hook_requests);
  v("allocations", r.allocations);
  v(further("receive_calls"), r.receive_calls);
  v("voluntary_switches", r.voluntary_switches);
  v("involuntary_switches", r.involuntary_switches);
  v("limited_by", r.limited_by);
  v(further("pacing"), r.pacing);
  v(further("system_counters"), r.system_counters);
}

template <class Visitor, maybe_const<summary> Summary>
void fields(Visitor&& v, Summary& s) {
  v("ns_per_datagram", s.ns_per_datagram);
  v(further("mean_ns_per_datagram"), s.mean_ns_per_datagram);
  v("received_per_second", s.received_per_second);
  v("loss", s.loss);
  v(further("loss_ci"), s.loss_ci);
  v(further("pooled_loss"), s.pooled_loss);
  v("cpu_ns_per_datagram", s.cpu_ns_per_datagram);
  v(further("cpu_user_ns_per_datagram"), s.cpu_user_ns_per_datagram);
  v(further("cpu_system_ns_per_datagram"), s.cpu_system_ns_per_datagram);
  v(further("cpu_share"), s.cpu_share);
  v("hook_requests_per_datagram", s.hook_requests_per_datagram);
  v("allocations_per_datagram", s.allocations_per_datagram);
  v(further("datagrams_per_receive_call"), s.datagrams_per_receive_call);
  v("limited_by", s.limited_by);
}

template <class Visitor, maybe_const<result> Result>
void fields(Visitor&& v, Result& r) {
  v("receiver", r.receiver);
  v("control", r.control);
  v("backend", r.backend);
  v("compiler", r.compiler);
  v("flags", r.flags);
  v("load", r.load);
  v("size", r.size);
  v("sockets", r.sockets);
  v("threads", r.threads);
  v("send", r.send);
  v(further("flows"), r.flows);
  v(further("pacer"), r.pacer);
  v(further("sequenced"), r.sequenced);
  v(further("depth_datagrams"), r.depth);
  v(further("capacity_datagrams"), r.capacity);
  v(further("failure"), r.failure);
  v("summary", r.summary);
  v("rounds", r.rounds);
}

template <class Visitor, maybe_const<control> Control>
void fields(Visitor&& v, Control& c) {
  v("ratio", c.ratio);
  v("ci", c.ci);
  v("verdict", c.verdict);
  v(further("suspect"), c.suspect);
}

template <class Visitor, maybe_const<loss_difference> Difference>
void fields(Visitor&& v, Difference& d) {
  v("median", d.median);
  v("ci", d.ci);
  v("verdict", d.verdict);
}

template <class Visitor, maybe_const<comparison> Comparison>
void fields(Visitor&& v, Comparison& c) {
  v("receiver", c.receiver);
  v("baseline", c.baseline);
  v("load", c.load);
  v("size", c.size);
  v(further("sockets"), c.sockets);
  v("metric", c.metric);
  v("ratio", c.ratio);
  v("ci", c.ci);
  v(further("ratio_of_sums"), c.ratio_of_sums);
  v(further("hodges_lehmann"), c.hodges_lehmann);
  v("confidence", c.confidence);
  v("blocks", c.blocks);
  v(further("processes"), c.processes);
  v(further("blocks_per_unit"), c.blocks_per_unit);
  v(further("ljung_box_p"), c.ljung_box_p);
  v(further("runs_p"), c.runs_p);
  v(further("loss"), c.loss);
  v("verdict", c.verdict);
  v(further("qualifier"), c.qualifier);
  v(further("blocks_needed"), c.blocks_needed);
  v(further("reason"), c.reason);
  v("limited_by", c.limited_by);
  v("control", c.control);
}

template <class Visitor, maybe_const<suspicion> Suspicion>
void fields(Visitor&& v, Suspicion& s) {
  v("load", s.load);
  v("size", s.size);
  v("reason", s.reason);
}

template <class Visitor, maybe_const<run> Run>
void fields(Visitor&& v, Run& r) {
  v("experiment", r.experiment);
  v("complete", r.complete);
  v("context", r.context);
  v("plan", r.plan);
  v("results", r.results);
  v("comparisons", r.comparisons);
  v(further("warnings"), r.warnings);
  v(further("suspect"), r.suspect);
  v(further("error"), r.error);
}

///@}

/** A struct of the record: it has keys. */
template <class T>
concept structure = requires(T& x) { fields([](key, auto&) {}, x); };

} // namespace udpbench::record
