/** @file
    The errors of udpbench itself, beside those of the system.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <string>
#include <type_traits>

/** Receivers of UDP datagrams on Boost.Asio, their sender, and what compares them. The names that one starts from are in here,
    the rest in a namespace for each room. */
namespace udpbench {

/** What can go wrong that the operating system has no number for. */
enum class error {
  not_open = 1, ///< `start` or `send` before `open`; a `receive` then returns 0.
  already_open, ///< `open` on a component that is open.
  busy,         ///< `start` or `receive` while another `receive` or the server's own thread runs.
  too_small,    ///< A buffer or a datagram below the size that the call needs.
  too_large,    ///< A datagram above what UDP can carry.
  socket_count, ///< A server has more sockets than this call takes, or another number than was given.
  no_gro,       ///< The kernel refuses to hand out datagrams joined.
  cut_train, ///< Joined datagrams were longer than the receive buffer: those that were whole were taken, the others are lost.
};

namespace detail {

class category final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "udpbench"; }

  std::string message(int value) const override {
    switch (static_cast<error>(value)) {
    case error::not_open:
      return "not open";
    case error::already_open:
      return "already open";
    case error::busy:
      return "busy: another receive, or the server's own thread, is running";
    case error::too_small:
      return "too small";
    case error::too_large:
      return "too large";
    case error::socket_count:
      return "not the server's number of sockets";
    case error::no_gro:
      return "the kernel refuses to join datagrams (UDP_GRO, Linux 5.0 or later)";
    case error::cut_train:
      return "a train of joined datagrams was longer than the receive buffer";
    }
    return "unknown udpbench error";
  }
};

} // namespace detail

/** The category of `error`. Threads: any. Lifetime: static. */
inline const boost::system::error_category& error_category() noexcept {
  static const detail::category instance;
  return instance;
}

/** So that an `error` converts to an `error_code`. Threads: any. */
inline boost::system::error_code make_error_code(error e) noexcept {
  return {static_cast<int>(e), error_category()};
}

using boost::system::error_code;   ///< What calls on the hot path pass.
using boost::system::system_error; ///< What set-up throws.

/** What is said of an exception that can't say it itself. */
inline constexpr const char* unknown_exception = "an exception that is no std::exception";

} // namespace udpbench

/** @cond  Doxygen can't place a specialisation that belongs to another namespace. */
template <>
struct boost::system::is_error_code_enum<udpbench::error> : std::true_type {};
/** @endcond */
