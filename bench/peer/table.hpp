/** @file
    A contest as text.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "summary.hpp"

#include <udpbench/report/number.hpp>
#include <udpbench/report/paragraph.hpp>
#include <udpbench/report/style.hpp>
#include <udpbench/report/table.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace peers {

namespace detail {

inline std::optional<double> times(std::optional<double> x, double factor) {
  if (x) *x *= factor;
  return x;
}

inline std::string ratio_text(const std::optional<udpbench::statistics::paired_ratio>& r) {
  return udpbench::report::ratio(r ? std::optional(r->estimate) : std::nullopt);
}

inline std::string interval_text(const std::optional<udpbench::statistics::paired_ratio>& r) {
  if (!r || !r->ci95) return std::string(udpbench::report::absent);
  return udpbench::report::interval({{r->ci95->low, r->ci95->high}});
}

/** What a tool's sender is limited by, with what was measured of it. */
inline std::string sender_sentence(const field& at, const entry& e, const summary& s) {
  using namespace udpbench::report;
  std::string text = e.name + ", " + bytes(at.size) + ": ";
  if (s.limited_by == limit::shared_cpu) return text + "both ends have one cpu between them.";
  text += "its sender ran " + percent(s.sender_share) + " of the time, " +
          shown(s.sender_cpu_ns, 0) + " ns for each datagram, its receiver " +
          percent(s.receiver_share) + ". ";
  if (s.limited_by == limit::sender)
    return text + "The sender is limited by its own cpu, at one send call for each datagram.";
  if (s.limited_by == limit::receiver)
    return text + "The receiver's cpu was full and the sender's was not.";
  return text + "No cpu was full: its own pace limits it, or other processes had the cpus.";
}

} // namespace detail

/** Prints one table of all sizes. */
inline void print_table(std::ostream& out, const std::vector<field>& fields,
                        const udpbench::report::text_style& style) {
  using namespace udpbench::report;
  table t{{.head = "size", .unit = {}, .align = side::left, .cells = {}},
          {.head = "receiver", .unit = {}, .align = side::left, .cells = {}},
          {.head = "sent by", .unit = {}, .align = side::left, .cells = {}},
          {.head = "received", .unit = "k/s", .align = side::right, .cells = {}},
          {.head = "loss", .unit = "%", .align = side::right, .cells = {}},
          {.head = "CPU", .unit = "ns", .align = side::right, .cells = {}},
          {.head = "ratio", .unit = {}, .align = side::right, .cells = {}},
          {.head = "95 % interval", .unit = {}, .align = side::left, .cells = {}},
          {.head = "CPU ratio", .unit = {}, .align = side::right, .cells = {}},
          {.head = "limited by", .unit = {}, .align = side::left, .cells = {}}};
  for (const auto& at : fields)
    for (const auto& e : at.entries) {
      const auto s = summarise(at, e);
      const std::vector<std::string> row{&e == &at.entries.front() ? bytes(at.size) : "",
                                         e.name,
                                         e.send,
                                         shown(detail::times(s.received_per_second, 1e-3), 0),
                                         shown(detail::times(s.loss, 100), 2),
                                         shown(s.receiver_cpu_ns, 0),
                                         detail::ratio_text(s.rate_ratio),
                                         detail::interval_text(s.rate_ratio),
                                         detail::ratio_text(s.cpu_ratio),
                                         s.limited_by ? word(*s.limited_by) : std::string(absent)};
      for (std::size_t i = 0; i < row.size(); ++i) t[i].cells.push_back({row[i]});
    }
  print(out, t, style);
}

/** Prints what is to be known of the figures, and what failed. */
inline void print_notes(std::ostream& out, const std::vector<field>& fields,
                        const udpbench::report::text_style& style) {
  const auto note = [&](const std::string& text) {
    udpbench::report::paragraph(out, "- ", text, style);
  };
  note("received: datagrams per second, median over the rounds. ratio: to the fastest tool of the "
       "same round, median over the rounds; "
       "CPU ratio: to the one with the least CPU time per datagram. The interval needs 6 rounds.");
  note("CPU: user and system time of the receiving end per datagram received; of a tool's whole "
       "server process, its start included, "
       "of udpbench's receiving thread.");
  note("sent by: single is one send call for each datagram, which all of the tools do; batch is "
       "sendmmsg, segmented is UDP_SEGMENT. "
       "On loopback +gro takes these segments as they were sent, its best case.");
  for (const auto& at : fields)
    for (const auto& e : at.entries) {
      const auto s = summarise(at, e);
      if (e.is_peer && s.runs > 0) note(detail::sender_sentence(at, e, s));
    }
  for (const auto& at : fields)
    for (const auto& e : at.entries)
      for (const auto& f : e.failures)
        note(e.name + ", " + udpbench::report::bytes(at.size) + ", round " +
             std::to_string(f.round + 1) + ": it " + f.reason +
             (given_up(e) && &f == &e.failures.back() ? ". It was not run again." : "."));
}

} // namespace peers
