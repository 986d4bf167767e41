/** @file
    What a client may ask a server for, over an established connection.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/connection_watch.hpp>
#include <udpbench/control/limited_place.hpp>
#include <udpbench/control/limits.hpp>
#include <udpbench/control/messages.hpp>
#include <udpbench/control/path.hpp>
#include <udpbench/control/sender_fields.hpp>
#include <udpbench/control/sending.hpp>
#include <udpbench/control/serve.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/net/open.hpp>

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace udpbench::control {

/** What a server lets its clients have. */
struct offer {
  greeting hello = {};         ///< What is said first.
  net::port_range ports = {};  ///< Of all its UDP sockets.
  control::limits limits = {}; ///< Of each client.
};

/** One client. Threads: one. */
class session {
 public:
  /** @param inner  has the receivers, which the watch ends. Lifetime: outlives this.
      @param what  is offered.
      @param watch  of the connection. Lifetime: likewise.
      @param here  the address that the client has called.
      @param client  its own address. */
  session(experiment::place& inner, const offer& what, const connection_watch& watch,
          boost::asio::ip::address here, boost::asio::ip::address client)
      : offer_(what),
        watch_(watch),
        here_(std::move(here)),
        client_(std::move(client)),
        place_(inner, here_, what.ports, what.limits),
        from_{.address = here_, .port = 0, .ports = what.ports},
        desk_(client_, what.limits) {}

  /** Does what the client asks for until it closes the connection, or its time is over. Errors: as `control::serve`, also where it is
      silent for longer than any round takes. */
  void serve(stream& to) {
    control::serve(
        to, place_, offer_.hello,
        {.silence = std::chrono::ceil<std::chrono::milliseconds>(offer_.limits.round) + patience,
         .also = [this](const call& c) { return carry_out(c); },
         .check = [this] { watch_.check_time(); },
         .over = &watch_.over()});
  }

 private:
  std::optional<std::string> carry_out(const call& c) {
    // The port of a check that is over may be wanted.
    if (c.name() == "open" || c.name() == "capacity") path_.reset();
    if (c.name() == "check_path") {
      heard_.clear();
      desk_.forget();
      path_.emplace(here_, offer_.ports, client_);
      return answer(path_->question());
    }
    if (c.name() == "path_works") return answer(sockets_heard());
    if (c.name() == "send") return answer(send(c));
    // It costs the server nothing, so it tells how long the way is.
    if (c.name() == "echo") return answer(true);
    return {};
  }

  /** From where the client has sent the secret to, which opens its own firewall. */
  sending_report send(const call& c) {
    auto what = c.argument<schedule>(1);
    what.stop = &watch_.over();
    if (path_) from_.port = path_->question().port;
    path_.reset();
    return desk_.send(c.argument<sending_plan>(0), what, c.argument<std::uint64_t>(2), from_);
  }

  /** How many sockets of the client's have said the secret so far. */
  std::uint64_t sockets_heard() {
    if (!path_) throw protocol_error("no path is being checked");
    auto how_long = std::chrono::milliseconds(100);
    while (const auto source = path_->arrived(how_long)) {
      how_long = {};
      if (heard_.size() < offer_.limits.sockets) heard_.insert(*source);
      desk_.asked_by(*source);
    }
    return heard_.size();
  }

  const offer& offer_;
  const connection_watch& watch_;
  boost::asio::ip::address here_;
  boost::asio::ip::address client_;
  limited_place place_;
  std::optional<path_check> path_;
  net::source from_;
  std::set<net::endpoint> heard_; ///< Of its secret.
  sending_desk desk_;
};

} // namespace udpbench::control
