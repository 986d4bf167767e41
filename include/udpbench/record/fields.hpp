/** @file
    The keys of a record, in the order in which files hold them: one table for every direction.

    `fields(visitor, x)` calls `visitor(key, member)` for each member of `x`.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/key.hpp>
#include <udpbench/record/result_fields.hpp>
#include <udpbench/record/run.hpp>

#include <string_view>

namespace udpbench::record {

/** What stands first in every file; a key that changes its meaning changes this name. */
inline constexpr std::string_view schema = "udpbench/1";

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
  v(further("not_measured"), c.not_measured);
}

template <class Visitor, maybe_const<other_host> Host>
void fields(Visitor&& v, Host& h) {
  v("has", h.has);
  v("address", h.address);
  v("round_trip_ns", h.round_trip_ns);
  v("same_machine", h.same_machine);
  v("context", h.context);
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
  v(further("receivers"), p.receivers);
}

template <class Visitor, maybe_const<plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v(further("receivers"), p.receivers);
  v(further("loads"), p.loads);
  v(further("sizes_bytes"), p.sizes);
  v(further("mixed_from_bytes"), p.mixed_from);
  v(further("sockets"), p.sockets);
  v(further("threads"), p.threads);
  v(further("works"), p.works);
  v(further("datagrams_per_round"), p.count);
  v(further("blocks"), p.blocks);
  v(further("processes"), p.processes);
  v(further("margin"), p.margin);
  v(further("confidence"), p.confidence);
  v(further("precision"), p.precision);
  v(further("max_time_ns"), p.max_time_ns);
  v(further("address"), p.address);
  v(further("path_mtu_bytes"), p.path_mtu);
  v(further("send"), p.send);
  v(further("fill"), p.fill);
  v(further("flows"), p.flows);
  v("receive_buffer", p.receive_buffer);
  v("pin", p.pin);
  v(further("shared_cpu"), p.shared_cpu);
  v(further("depth_datagrams"), p.depth);
  v(further("capacity_datagrams"), p.capacity);
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
  v(further("work"), c.work);
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
  v(further("precision_reached"), c.precision_reached);
  v(further("reason"), c.reason);
  v("limited_by", c.limited_by);
  v(further("not_measured"), c.not_measured);
  v("control", c.control);
}

template <class Visitor, maybe_const<suspicion> Suspicion>
void fields(Visitor&& v, Suspicion& s) {
  v("load", s.load);
  v("size", s.size);
  v(further("sockets"), s.sockets);
  v(further("work"), s.work);
  v("reason", s.reason);
}

template <class Visitor, maybe_const<break_even> BreakEven>
void fields(Visitor&& v, BreakEven& b) {
  v("receiver", b.receiver);
  v("baseline", b.baseline);
  v("load", b.load);
  v("size", b.size);
  v("sockets", b.sockets);
  v("surcharge_ns", b.surcharge_ns);
  v(further("surcharge_ci"), b.surcharge_ci);
  v("work_ns", b.work_ns);
  v("equivalent_from", b.equivalent_from);
  v("equivalent_from_ns", b.equivalent_from_ns);
}

template <class Visitor, maybe_const<crossing::point> Point>
void fields(Visitor&& v, Point& p) {
  v("at", p.at);
  v("ratio", p.ratio);
  v("verdict", p.verdict);
}

template <class Visitor, maybe_const<crossing> Crossing>
void fields(Visitor&& v, Crossing& c) {
  v("receiver", c.receiver);
  v("baseline", c.baseline);
  v("over", c.over);
  v("load", c.load);
  v("size", c.size);
  v("work", c.work);
  v("faster_from", c.faster_from);
  v("slower_up_to", c.slower_up_to);
  v(further("slower_from"), c.slower_from);
  v(further("faster_up_to"), c.faster_up_to);
  v(further("points"), c.points);
}

template <class Visitor, maybe_const<run> Run>
void fields(Visitor&& v, Run& r) {
  v("experiment", r.experiment);
  v("complete", r.complete);
  v("context", r.context);
  v(further("other_host"), r.other_host);
  v("plan", r.plan);
  v("results", r.results);
  v("comparisons", r.comparisons);
  v(further("break_evens"), r.break_evens);
  v(further("crossings"), r.crossings);
  v(further("warnings"), r.warnings);
  v(further("suspect"), r.suspect);
  v(further("error"), r.error);
}

///@}

/** A struct of the record: it has keys. */
template <class T>
concept structure = requires(T& x) { fields([](key, auto&) {}, x); };

} // namespace udpbench::record
