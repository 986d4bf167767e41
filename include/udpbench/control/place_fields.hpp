/** @file
    The JSON form of what goes to a place and comes from it. `fields(visitor, x)` stands in the namespace of x, where it is looked for.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/stand_ins.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/busy_poll.hpp>
#include <udpbench/net/host_counters.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/record/json.hpp>
#include <udpbench/send/trains.hpp>
#include <udpbench/sync_client.hpp>

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace udpbench::send {

/** Its keys. */
template <class Visitor, record::maybe_const<trains::run> Run>
void fields(Visitor&& v, Run& r) {
  v("length", r.length);
  v("count", r.count);
}

} // namespace udpbench::send

namespace udpbench::measure {

/** Its keys. */
template <class Visitor, record::maybe_const<work_plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v("what", p.what);
  v("turns", p.turns);
  v("bytes", p.bytes);
}

/** Its keys. */
template <class Visitor, record::maybe_const<arrivals> Arrivals>
void fields(Visitor&& v, Arrivals& a) {
  v("unique", a.unique);
  v("duplicate", a.duplicate);
  v("old", a.old);
  v("late", a.late);
  v("foreign", a.foreign);
  v("reordered", a.reordered);
  v("truncated", a.truncated);
  v("bytes", a.bytes);
  v("highest", a.highest);
}

} // namespace udpbench::measure

namespace udpbench::net {

/** Its keys. */
template <class Visitor, record::maybe_const<port_range> Range>
void fields(Visitor&& v, Range& r) {
  v("first", r.first);
  v("last", r.last);
}

/** Its keys. */
template <class Visitor, record::maybe_const<receive_options> Options>
void fields(Visitor&& v, Options& o) {
  v("receive_buffer_bytes", o.receive_buffer_bytes);
  v("reuse_port", o.reuse_port);
  v("ports", o.ports);
}

/** Its keys. */
template <class Visitor, record::maybe_const<busy_polling> Polling>
void fields(Visitor&& v, Polling& p) {
  v("requested_us", p.requested);
  v("granted_us", p.granted);
}

/** Its keys. */
template <class Visitor, record::maybe_const<host_counters> Counters>
void fields(Visitor&& v, Counters& c) {
  v("in_errors", c.in_errors);
  v("receive_buffer_errors", c.receive_buffer_errors);
  v("memory_errors", c.memory_errors);
  v("checksum_errors", c.checksum_errors);
  v("softnet_dropped", c.softnet_dropped);
  v("device_dropped", c.device_dropped);
}

} // namespace udpbench::net

namespace udpbench {

/** Its keys. */
template <class Visitor, record::maybe_const<server_options> Options>
void fields(Visitor&& v, Options& o) {
  v("socket", o.socket);
  v("largest_datagram", o.largest_datagram);
}

/** Its keys. */
template <class Visitor, record::maybe_const<send_counts> Counts>
void fields(Visitor&& v, Counts& c) {
  v("intended", c.intended);
  v("sent", c.sent);
  v("refused", c.refused);
  v("full", c.full);
  v("failed", c.failed);
  v("calls", c.calls);
  v("error", c.error);
  v("trains", c.trains);
}

/** The keys of what a sender has to know; its pointers and its end are the business of each process. */
template <class Visitor, record::maybe_const<schedule> Schedule>
void fields(Visitor&& v, Schedule& s) {
  v("run", s.run);
  v("round", s.round);
  v("flow", s.flow);
  v("size", s.size);
  v("first_sequence", s.first_sequence);
  v("mixed", s.mixed);
}

} // namespace udpbench

namespace udpbench::experiment {

/** Its keys. */
template <class Visitor, record::maybe_const<seat_plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v("receiver", p.receiver);
  v("address", p.address);
  v("options", p.options);
  v("cpu", p.cpu);
  v("run", p.run);
  v("work", p.work);
  v("sockets", p.sockets);
  v("flows", p.flows);
  v("threads", p.threads);
  v("cpus", p.cpus);
  v("mixed", p.mixed);
}

/** Its keys. */
template <class Visitor, record::maybe_const<work> Work>
void fields(Visitor&& v, Work& w) {
  v("what", w.what);
  v("time_ns", w.time);
  v("bytes", w.bytes);
}

/** Its keys. */
template <class Visitor, record::maybe_const<work_trial> Trial>
void fields(Visitor&& v, Trial& t) {
  v("what", t.what);
  v("largest", t.largest);
  v("usual", t.usual);
  v("cpus", t.cpus);
}

/** Its keys. */
template <class Visitor, record::maybe_const<tried_work> Tried>
void fields(Visitor&& v, Tried& t) {
  v("plan", t.plan);
  v("ns", t.ns);
}

/** Its keys. */
template <class Visitor, record::maybe_const<opened> Opened>
void fields(Visitor&& v, Opened& o) {
  v("number", o.number);
  v("endpoint", o.endpoint);
  v("receive_buffer_bytes", o.receive_buffer_bytes);
  v("endpoints", o.endpoints);
  v("threads", o.threads);
  v("busy_poll", o.busy_poll);
  v("joined", o.joined);
  v("backend", o.backend);
}

/** Its keys. */
template <class Visitor, record::maybe_const<turn_plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v("depth", p.depth);
  v("size", p.size);
  v("send", p.send);
  v("untimed", p.untimed);
  v("timed", p.timed);
}

/** Its keys. */
template <class Visitor, record::maybe_const<round_plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v("size", p.size);
  v("chunk", p.chunk);
  v("joined_chunk", p.joined_chunk);
  v("count", p.count);
  v("limit_ns", p.limit);
  v("tail_ns", p.tail);
}

/** Its keys. */
template <class Visitor, record::maybe_const<sample> Sample>
void fields(Visitor&& v, Sample& s) {
  v("slices_ns", s.slices);
  v("elapsed_ns", s.elapsed);
  v("timed", s.timed);
  v("during", s.during);
  v("counted", s.counted);
  v("arrivals", s.arrivals);
  v("sent", s.sent);
  v("sending_ns", s.sending);
  v("kernel_dropped", s.kernel_dropped);
  v("unread", s.unread);
  v("queue_peak_bytes", s.queue_peak);
  v("cpu_ns", s.cpu);
  v("user_ns", s.user);
  v("system_ns", s.system);
  v("cpu_share", s.cpu_share);
  v("cpus", s.cpus);
  v("least_share", s.least_share);
  v("per_thread", s.per_thread);
  v("joined", s.joined);
  v("never_sleeps", s.never_sleeps);
  v("voluntary_switches", s.voluntary_switches);
  v("involuntary_switches", s.involuntary_switches);
  v("hook_requests", s.hook_requests);
  v("allocations", s.allocations);
  v("receive_calls", s.receive_calls);
  v("per_receive_call", s.per_receive_call);
  v("per_wakeup", s.per_wakeup);
  v("host", s.host);
  v("trouble", s.trouble);
}

} // namespace udpbench::experiment
