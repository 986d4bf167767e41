/** @file
    Receivers on another host, as a place.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/connection_watch.hpp>
#include <udpbench/control/path.hpp>
#include <udpbench/control/remote_place.hpp>
#include <udpbench/control/sender_fields.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/error.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/stream_socket.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <sys/socket.h>

namespace udpbench::control {

/** No datagram arrives where the connection does. */
class path_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** Receivers of a server. Their datagrams go to the address that was called, whatever the server says: only ports are its own.
    Threads: one at a time. */
class host_place final : public experiment::place {
 public:
  /** Waits for the server's greeting, and measures how long a question and its answer take.
      @param to  the server, with the handshake behind it.
      @param address  of the server, with its scope.
      @param who  the server is, for errors; its patience grows with the way.
      Errors: as `remote_place`. */
  host_place(stream to, boost::asio::ip::address address, other_end who)
      : own_address_(net::local_end(to.native_handle()).address()),
        inner_(std::move(to), nullptr, std::move(who)),
        watch_(inner_.native_handle()),
        address_(std::move(address)) {
    using clock = std::chrono::steady_clock;
    constexpr int echoes = 5;
    for (int i = 0; i < echoes; ++i) {
      const auto begin = clock::now();
      echo();
      round_trip_ = std::min<std::chrono::nanoseconds>(round_trip_, clock::now() - begin);
    }
    inner_.be_patient(inner_.patience() +
                      std::chrono::ceil<std::chrono::milliseconds>(10 * round_trip_));
  }

  /** What the server said first. */
  const greeting& greeted() const noexcept { return inner_.greeted(); }
  /** The server's address. */
  const boost::asio::ip::address& address() const noexcept { return address_; }
  /** The address of this host, towards the server. */
  const boost::asio::ip::address& own_address() const noexcept { return own_address_; }
  /** The shortest time from a question to its answer. */
  std::chrono::nanoseconds round_trip() const noexcept { return round_trip_; }

  /** Sends datagrams until the server says that one has arrived. Errors: throws `path_error` where none does; as any call. */
  void check_path() {
    net::descriptor from;
    show_path(1, [&from](const net::endpoint& to, std::string_view bytes) {
      if (!from) from = net::open_sender(to);
      ::send(from.get(), bytes.data(), bytes.size(), 0);
    });
  }

  /** Says the server's secret until it has heard it of so many sockets, to whose ports it may send then.
      @param sockets  that there are.
      @param say  sends from each of them.
      Errors: as `check_path`. */
  void show_path(std::size_t sockets, const experiment::introducer& say) {
    const auto question = inner_.ask<path_question>(inner_.patience(), "check_path");
    constexpr int tries = 30;
    for (int i = 0; i < tries; ++i) {
      say({address_, question.port}, question.token);
      // The server waits for a while each time.
      if (inner_.ask<std::uint64_t>(inner_.patience(), "path_works") >= sockets) return;
    }
    throw path_error("the connection works, but of " + std::to_string(tries) +
                     " datagrams to UDP port " + std::to_string(question.port) +
                     " none has arrived: does a firewall let UDP through? (the server's "
                     "--data-ports says to which ports)");
  }

  /** Asks a question that has but one answer: a server gives up who says nothing for too long. Errors: throws what any call does. */
  void echo() { inner_.ask<bool>(inner_.patience(), "echo"); }

  /** Leaves the server, which is free for the next client then. */
  void leave() noexcept { inner_.leave(); }

  /** Has the server send. Errors: throws what any call does. */
  sending_report send(const sending_plan& plan, const schedule& s, std::uint64_t count) {
    constexpr std::chrono::milliseconds longest_round(60'000);
    return inner_.ask<sending_report>(inner_.patience() + longest_round, "send", plan, s, count);
  }

  experiment::opened open(const experiment::seat_plan& plan) override {
    auto o = inner_.open(plan);
    o.endpoint.address(address_);
    for (auto& e : o.endpoints) e.address(address_);
    return o;
  }
  void close(experiment::seat s) noexcept override { inner_.close(s); }
  experiment::sample turn(experiment::seat s, const experiment::turn_plan& plan) override {
    return inner_.turn(s, plan);
  }
  /** Nobody sends any more when the server is gone. */
  schedule begin(experiment::seat s, const experiment::round_plan& plan) override {
    auto round = inner_.begin(s, plan);
    round.receiver_gone = &watch_.over();
    return round;
  }
  /** Over a network nothing is told of trains: they are cut up and joined anew on the way. */
  experiment::sample end(experiment::seat s, const send_counts& sent) override {
    if (address_.is_loopback()) return inner_.end(s, sent);
    send_counts told = sent;
    told.trains.clear();
    auto out = inner_.end(s, told);
    out.sent.trains = sent.trains;
    return out;
  }
  experiment::tried_work try_work(const experiment::work_trial& t) override {
    return inner_.try_work(t);
  }
  std::uint64_t capacity(const experiment::seat_plan& plan, const experiment::turn_plan& turn,
                         std::uint64_t most) override {
    return inner_.capacity(plan, turn, most);
  }

 private:
  boost::asio::ip::address own_address_;
  remote_place inner_;
  connection_watch watch_; ///< Of that connection.
  boost::asio::ip::address address_;
  std::chrono::nanoseconds round_trip_ = std::chrono::nanoseconds::max();
};

} // namespace udpbench::control
