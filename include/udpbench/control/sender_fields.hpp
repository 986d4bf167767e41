/** @file
    The JSON form of what a sender is told, and tells.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/place_fields.hpp>
#include <udpbench/experiment/load.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/pace/punctuality.hpp>
#include <udpbench/record/key.hpp>
#include <udpbench/record/words.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace udpbench::record {

/** The kinds of load. */
template <>
inline constexpr std::array<named<experiment::load_kind>, 5> words<experiment::load_kind>{{
    {experiment::load_kind::backlog, "backlog"},
    {experiment::load_kind::flood, "flood"},
    {experiment::load_kind::pause, "pause"},
    {experiment::load_kind::rate, "rate"},
    {experiment::load_kind::window, "window"},
}};

} // namespace udpbench::record

namespace udpbench::pace {

/** Its keys. */
template <class Visitor, record::maybe_const<spread> Spread>
void fields(Visitor&& v, Spread& s) {
  v("p50", s.p50);
  v("p99", s.p99);
  v("max", s.max);
}

/** Its keys. */
template <class Visitor, record::maybe_const<punctuality> Punctuality>
void fields(Visitor&& v, Punctuality& p) {
  v("period_ns", p.period_ns);
  v("mean_gap_ns", p.mean_gap_ns);
  v("lag", p.lag);
  v("gap", p.gap);
}

} // namespace udpbench::pace

namespace udpbench::experiment {

/** Its keys. */
template <class Visitor, record::maybe_const<load> Load>
void fields(Visitor&& v, Load& l) {
  v("what", l.what);
  v("depth", l.depth);
  v("sends", l.sends);
  v("rest_ns", l.rest);
  v("per_second", l.per_second);
  v("in_flight", l.in_flight);
}

/** Its keys. */
template <class Visitor, record::maybe_const<pacing_report> Report>
void fields(Visitor&& v, Report& r) {
  v("schedule", r.schedule);
  v("waited_share", r.waited_share);
  v("rests", r.rests);
  v("gave_up", r.gave_up);
  v("lag", r.lag);
  v("gaps", r.gaps);
}

} // namespace udpbench::experiment

namespace udpbench::control {

/** How datagrams are to be sent. */
struct sending_plan {
  experiment::send_mode mode = experiment::send_mode::single; ///< Not `automatic`.
  experiment::load load;                                      ///< That paces them.
  std::uint16_t flows = 1;                                    ///< Source ports.
  std::optional<unsigned> cpu = {};                           ///< Of the sending thread.
  std::vector<std::uint16_t> ports = {}; ///< Where to, at the address of the one who asks.
};

/** Its keys. */
template <class Visitor, record::maybe_const<sending_plan> Plan>
void fields(Visitor&& v, Plan& p) {
  v("mode", p.mode);
  v("load", p.load);
  v("flows", p.flows);
  v("cpu", p.cpu);
  v("ports", p.ports);
}

/** What came of it. */
struct sending_report {
  send_counts counts;               ///< What became of the datagrams.
  experiment::pacing_report pacing; ///< What their pacing saw.
  experiment::sending_use use;      ///< How long it took.
};

/** Its keys. */
template <class Visitor, record::maybe_const<sending_report> Report>
void fields(Visitor&& v, Report& r) {
  v("counts", r.counts);
  v("pacing", r.pacing);
  v("elapsed_ns", r.use.elapsed);
  v("cpu_ns", r.use.cpu);
  v("device_dropped", r.use.device_dropped);
}

} // namespace udpbench::control
