/** @file
    What there is to choose from, and what is missing here.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/backend.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/measure/allocations.hpp>

#include <boost/asio/ip/address_v4.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::app {

namespace detail {

using lines = std::vector<std::pair<std::string, std::string>>;

/** A heading and lines in two columns. */
inline std::string section(const std::string& heading, const lines& all) {
  std::size_t width = 0;
  for (const auto& [name, text] : all) width = std::max(width, name.size());
  std::string out = heading + '\n';
  for (const auto& [name, text] : all)
    out += "  " + name + std::string(width + 2 - name.size(), ' ') + text + '\n';
  return out;
}

/** Nothing where there is nothing to list. */
inline std::string optional_section(const std::string& heading, const lines& all) {
  return all.empty() ? "" : '\n' + section(heading, all);
}

inline lines parts_of(const experiment::catalogue& known, const std::string& kind) {
  lines all;
  for (const auto& p : known.parts())
    if (p.kind == kind) all.emplace_back(p.name, p.description);
  return all;
}

/** What this kernel or build lacks, tried out. */
inline lines lacking(const experiment::catalogue& known) {
  using experiment::send_mode;
  lines all;
  for (const auto& absence : known.left_out()) all.emplace_back(absence.name, absence.reason);
  if (const auto reason = why_no_other_backend(); !reason.empty())
    all.emplace_back("@" + std::string(other_backend), reason);
  for (const auto mode : {send_mode::segmented, send_mode::batch})
    if (!experiment::mode_works(mode, boost::asio::ip::address_v4::loopback(), 1024))
      all.emplace_back("--send " + std::string(experiment::name(mode)),
                       "this kernel doesn't take such sends");
  if (!net::drop_counter(net::open_receiver({boost::asio::ip::address_v4::loopback(), 0}).get()))
    all.emplace_back("kernel drops",
                     "this kernel doesn't tell them (SO_MEMINFO): losses stay unexplained");
  if (!measure::thread_allocations())
    all.emplace_back("allocations",
                     "this executable doesn't count them (measure/count_allocations.hpp)");
  return all;
}

} // namespace detail

/** Everything that a command line can name, with a line each. Errors: throws `system_error` where no socket can be had. */
inline std::string listing(const experiment::catalogue& known) {
  detail::lines receivers;
  for (const auto& e : known.entries()) receivers.emplace_back(e.name, e.description);
  if (why_no_other_backend().empty())
    receivers.emplace_back("…@" + std::string(other_backend),
                           "any of these on Asio's io_uring backend, in another process");
  const detail::lines loads{
      {"backlog[:K]",
       "K datagrams are queued while the receiver is held; then how fast it takes them"},
      {"flood", "a sender beside the receiver sends as fast as it can"},
      {"pause:N/T", "a sender beside the receiver rests for T after each N datagrams, as in "
                    "pause:128/1ms; single sends unless told otherwise"},
      {"rate:R", "a sender beside the receiver sends R datagrams a second, as in rate:200k, each "
                 "in its time; single sends unless told otherwise"},
      {"window:W", "a sender beside the receiver has at most W datagrams in flight, as in "
                   "window:64"}};
  const auto missing = detail::lacking(known);
  return detail::section("Receivers: driver[.variant or .sink][+take][/memory][@backend]",
                         receivers) +
         '\n' +
         detail::section("Takes: how datagrams leave a readable socket",
                         detail::parts_of(known, "take")) +
         '\n' +
         detail::section("Handler memories: where an asynchronous operation's memory comes from",
                         detail::parts_of(known, "handler memory")) +
         detail::optional_section("Sinks: what is done with each datagram before it is counted",
                                  detail::parts_of(known, "sink")) +
         '\n' + detail::section("Loads", loads) + '\n' +
         detail::section(missing.empty() ? "Nothing is lacking on this kernel or in this build."
                                         : "Lacking here",
                         missing);
}

} // namespace udpbench::app
