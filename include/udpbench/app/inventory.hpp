/** @file
    All that a command line can name here, and what is missing, as plain data.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/backend.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/measure/allocations.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/record/key.hpp>

#include <boost/asio/ip/address_v4.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::app {

/** What can be named, and a line about it. */
struct named_line {
  std::string name;        ///< As on a command line.
  std::string description; ///< One line.
};

/** What can't, and why. */
struct lacking_line {
  std::string name;   ///< As on a command line, or in words.
  std::string reason; ///< A clause or whole sentences.
};

/** All of both. */
struct inventory {
  std::string schema = "udpbench-list/1"; ///< What stands first in a file of it.
  std::string version;                    ///< Of udpbench.
  std::string backend;                    ///< What Asio's sockets wait by: epoll or io_uring.
  std::vector<named_line> receivers;      ///< Of this executable.
  /** Backends of another executable, which any of these can be had on: what stands behind the `@`. */
  std::vector<named_line> other_backends;
  std::vector<named_line> takes;     ///< How datagrams leave a readable socket.
  std::vector<named_line> memories;  ///< Where handlers get theirs.
  std::vector<named_line> sinks;     ///< What is done with each datagram.
  std::vector<named_line> loads;     ///< With their parameters as letters.
  std::vector<lacking_line> lacking; ///< On this kernel, or in this build.
};

///@{
/** Calls `v(key, member)` for each member, in the order of a file. Errors: what `v` throws. */
template <class Visitor, record::maybe_const<named_line> Line>
void fields(Visitor&& v, Line& l) {
  v("name", l.name);
  v("description", l.description);
}

template <class Visitor, record::maybe_const<lacking_line> Line>
void fields(Visitor&& v, Line& l) {
  v("name", l.name);
  v("reason", l.reason);
}

template <class Visitor, record::maybe_const<inventory> Inventory>
void fields(Visitor&& v, Inventory& i) {
  v("schema", i.schema);
  v("version", i.version);
  v("backend", i.backend);
  v("receivers", i.receivers);
  v("other_backends", i.other_backends);
  v("takes", i.takes);
  v("memories", i.memories);
  v("sinks", i.sinks);
  v("loads", i.loads);
  v("lacking", i.lacking);
}
///@}

namespace detail {

inline std::vector<named_line> parts_of(const experiment::catalogue& known, std::string_view kind) {
  std::vector<named_line> all;
  for (const auto& p : known.parts())
    if (p.kind == kind) all.push_back({p.name, p.description});
  return all;
}

/** What this kernel or build lacks, tried out. */
inline std::vector<lacking_line> lacking(const experiment::catalogue& known) {
  using experiment::send_mode;
  const auto loopback = boost::asio::ip::address_v4::loopback();
  std::vector<lacking_line> all;
  for (const auto& absence : known.left_out()) all.push_back({absence.name, absence.reason});
  if (const auto reason = why_no_other_backend(); !reason.empty())
    all.push_back({"@" + std::string(other_backend), reason});
  for (const auto mode : {send_mode::segmented, send_mode::batch})
    if (!experiment::mode_works(mode, loopback, 1024))
      all.push_back(
          {"--send " + std::string(experiment::name(mode)), "this kernel doesn't take such sends"});
  if (!net::drop_counter(net::open_receiver({loopback, 0}).get()))
    all.push_back(
        {"kernel drops", "this kernel doesn't tell them (SO_MEMINFO): losses stay unexplained"});
  if (!measure::thread_allocations())
    all.push_back(
        {"allocations", "this executable doesn't count them (measure/count_allocations.hpp)"});
  return all;
}

} // namespace detail

/** Looks at what there is, and tries out what there isn't.
    @param known  the receivers of this executable.
    @param version  of udpbench; may be empty.
    Errors: throws `system_error` where no socket can be had. */
inline inventory take_inventory(const experiment::catalogue& known, std::string version = {}) {
  inventory i;
  i.version = std::move(version);
  i.backend = net::features::backend;
  for (const auto& e : known.entries()) i.receivers.push_back({e.name, e.description});
  if (why_no_other_backend().empty())
    i.other_backends.push_back({std::string(other_backend),
                                "any of these on Asio's io_uring backend, in another process"});
  i.takes = detail::parts_of(known, "take");
  i.memories = detail::parts_of(known, "handler memory");
  i.sinks = detail::parts_of(known, "sink");
  i.loads = {{"backlog[:K]",
              "K datagrams are queued while the receiver is held; then how fast it takes them"},
             {"flood", "a sender beside the receiver sends as fast as it can"},
             {"pause:N/T", "a sender beside the receiver rests for T after each N datagrams, as in "
                           "pause:128/1ms; single sends unless told otherwise"},
             {"rate:R", "a sender beside the receiver sends R datagrams a second, as in rate:200k, "
                        "each in its time; single sends unless told otherwise"},
             {"window:W", "a sender beside the receiver has at most W datagrams in flight, as in "
                          "window:64"}};
  i.lacking = detail::lacking(known);
  return i;
}

} // namespace udpbench::app
