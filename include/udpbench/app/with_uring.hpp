/** @file
    The receivers on io_uring, for executables that link liburing.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/machine/why_no_io_uring.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/uring_server.hpp>

#include <boost/asio/ip/address_v4.hpp>

#include <concepts>
#include <exception>
#include <string>

namespace udpbench::app {

namespace detail {

/** Adds a receiver, if it opens here. */
template <uring::flight Flight>
void add_uring_server(experiment::catalogue& to, const std::string& name, const std::string& how) {
  try {
    measure::null_sink nobody;
    uring_server<measure::null_sink, Flight>(nobody).open(
        {boost::asio::ip::address_v4::loopback(), 0});
  } catch (const std::exception& e) {
    to.leave_out(name, std::string("it was tried, and failed: ") + e.what());
    return;
  }
  to.add<uring_server<measure::ledger, Flight>>(name, "io_uring without Asio, " + how);
}

} // namespace detail

/** Adds `uring` and `uring.multishot`; where this kernel doesn't have what they need, or forbids it, `to` says that instead. A
    template, so that only who calls it compiles them.
    Errors: throws std::invalid_argument where a name is taken.   Threads: one at a time. */
template <std::same_as<experiment::catalogue> Catalogue>
void add_uring(Catalogue& to) {
  if (const std::string reason = machine::why_no_io_uring(); !reason.empty()) {
    to.leave_out("uring", reason);
    return;
  }
  detail::add_uring_server<uring::singles<>>(to, "uring",
                                             "up to 64 receives in flight, one datagram each");
  detail::add_uring_server<uring::multishot<>>(
      to, "uring.multishot", "one receive that goes on, with a ring of 64 buffers");
}

} // namespace udpbench::app
