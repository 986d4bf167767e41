/** @file
    The keys of what was measured of one receiver; see fields.hpp.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/record/key.hpp>
#include <udpbench/record/result.hpp>

namespace udpbench::record {

///@{
/** Calls `v(key, member)` for each member, in the order of a file. Errors: what `v` throws. Threads: any. */
template <class Visitor, maybe_const<system_counters> Counters>
void fields(Visitor&& v, Counters& c) {
  v(further("udp_in_errors"), c.udp_in_errors);
  v(further("udp_receive_buffer_errors"), c.udp_receive_buffer_errors);
  v(further("udp_memory_errors"), c.udp_memory_errors);
  v(further("udp_checksum_errors"), c.udp_checksum_errors);
  v(further("softnet_dropped"), c.softnet_dropped);
}

template <class Visitor, maybe_const<way_losses> Losses>
void fields(Visitor&& v, Losses& l) {
  v(further("sending_device"), l.sending_device);
  v(further("receiving_device"), l.receiving_device);
  v(further("backlog"), l.backlog);
  v(further("udp"), l.udp);
  v(further("remainder"), l.remainder);
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
  v(further("counted"), r.counted);
  v(further("ns_per_datagram"), r.ns_per_datagram);
  v(further("received_per_second"), r.received_per_second);
  v(further("offered_per_second"), r.offered_per_second);
  v(further("sender_cpu_share"), r.sender_cpu_share);
  v("intended", r.intended);
  v("sent", r.sent);
  v(further("send_refused"), r.send_refused);
  v(further("send_full"), r.send_full);
  v(further("send_failed"), r.send_failed);
  v(further("send_calls"), r.send_calls);
  v("unique", r.unique);
  v("unread", r.unread);
  v("duplicate", r.duplicate);
  v("reordered", r.reordered);
  v("kernel_dropped", r.kernel_dropped);
  v(further("queue_peak_bytes"), r.queue_peak_bytes);
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
  v(further("per_thread"), r.per_thread);
  v("voluntary_switches", r.voluntary_switches);
  v("involuntary_switches", r.involuntary_switches);
  v("limited_by", r.limited_by);
  v(further("pacing"), r.pacing);
  v(further("system_counters"), r.system_counters);
  v(further("lost_on_the_way"), r.lost_on_the_way);
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
  v(further("voluntary_switches_per_datagram"), s.voluntary_switches_per_datagram);
  v(further("involuntary_switches_per_datagram"), s.involuntary_switches_per_datagram);
  v("limited_by", s.limited_by);
}

template <class Visitor, maybe_const<histograms> Histograms>
void fields(Visitor&& v, Histograms& h) {
  v(further("lag_ns"), h.lag_ns);
  v(further("gap_ns"), h.gap_ns);
  v(further("datagrams_per_receive_call"), h.datagrams_per_receive_call);
  v(further("datagrams_per_wakeup"), h.datagrams_per_wakeup);
}

template <class Visitor, maybe_const<without_work> Reference>
void fields(Visitor&& v, Reference& r) {
  v("offered_per_second", r.offered_per_second);
  v("part_taken", r.part_taken);
}

template <class Visitor, maybe_const<busy_poll> Polling>
void fields(Visitor&& v, Polling& p) {
  v("requested_us", p.requested_us);
  v("granted_us", p.granted_us);
}

template <class Visitor, maybe_const<system_call> Call>
void fields(Visitor&& v, Call& c) {
  v("name", c.name);
  v("per_datagram", c.per_datagram);
}

template <class Visitor, maybe_const<absence> Absence>
void fields(Visitor&& v, Absence& a) {
  v("what", a.what);
  v("why", a.why);
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
  v(further("work"), r.work);
  v(further("work_ns"), r.work_ns);
  v("send", r.send);
  v(further("flows"), r.flows);
  v(further("packets_per_datagram"), r.packets);
  v(further("pacer"), r.pacer);
  v(further("sequenced"), r.sequenced);
  v(further("depth_datagrams"), r.depth);
  v(further("capacity_datagrams"), r.capacity);
  v(further("busy_poll"), r.busy_poll);
  v(further("system_calls"), r.system_calls);
  v(further("without_work"), r.without_work);
  v(further("failure"), r.failure);
  v("summary", r.summary);
  v(further("histograms"), r.histograms);
  v(further("not_measured"), r.not_measured);
  v("rounds", r.rounds);
}

///@}

} // namespace udpbench::record
