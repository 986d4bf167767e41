/** @file
    A sender as far as a client may use it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/limits.hpp>
#include <udpbench/control/sender_fields.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/experiment/way_losses.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/pace/thread_sleep.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::control {

/** Throws `limit_error` where a client asks for more than is granted. */
inline void check(const sending_plan& plan, const schedule& s, std::uint64_t count,
                  const limits& most) {
  using kind = experiment::load_kind;
  detail::allow("sockets", plan.ports.size(), most.sockets);
  detail::allow_some("flows", std::size_t{plan.flows}, most.flows);
  detail::allow_some("size", s.size, most.size);
  detail::allow("count", count, most.count);
  if (plan.load.what == kind::pause) detail::allow_some("sends", plan.load.sends, most.count);
  detail::allow("rest", plan.load.rest, std::chrono::nanoseconds(std::chrono::seconds(1)));
  detail::allow("rate", plan.load.per_second, most.rate);
  if (plan.load.what == kind::backlog || plan.load.what == kind::window)
    throw limit_error("load " + plan.load.name() + ": this server sends none to another host");
  if (plan.load.what != kind::rate && most.rate != limits().rate)
    throw limit_error("load " + plan.load.name() + ": this server allows only rate:R, up to " +
                      std::to_string(most.rate) + " datagrams/s");
  if (plan.mode == experiment::send_mode::automatic)
    throw limit_error("send mode auto: it has to be one of the others");
}

/** Sends to a client's own address, and there only to ports that have asked for it by the secret of a `path_check`. Threads: one. */
class sending_desk {
 public:
  /** @param client  the only address that anything is sent to.
      @param most  that is sent. */
  sending_desk(boost::asio::ip::address client, const limits& most)
      : client_(std::move(client)), most_(most) {}

  /** A port of the client's has asked; no more do than there may be sockets. */
  void asked_by(const net::endpoint& source) {
    if (source.address() == client_ && ports_.size() < most_.sockets) ports_.insert(source.port());
  }

  /** Whoever has asked has to ask anew. */
  void forget() noexcept { ports_.clear(); }

  /** Sends, unless it may not, until all is sent, a round's time is over or it is ended. Where a rate is set, it first waits until what was
      sent before has had its time.
      @param plan  how.
      @param s  what; its `stop` ends it.
      @param from  where it comes from.
      @param count  datagrams.
      Errors: throws `limit_error` also where a port has not asked; what the sender does. */
  sending_report send(const sending_plan& plan, schedule s, std::uint64_t count,
                      const net::source& from = {}) {
    check(plan, s, count, most_);
    std::vector<net::endpoint> to;
    for (const auto port : plan.ports) {
      if (!ports_.contains(port))
        throw limit_error("port " + std::to_string(port) +
                          ": it has not asked this server for datagrams");
      to.emplace_back(client_, port);
    }
    if (to.empty()) throw limit_error("ports: there is none to send to");
    if (plan.cpu) net::require_cpus({&*plan.cpu, 1});
    const net::scoped_affinity bound(plan.cpu);
    const auto sender = experiment::make_sender(plan.mode, plan.load);
    sender->use_flows(plan.flows);
    sender->leave_by(from);
    if (to.size() == 1)
      sender->open(to.front());
    else
      sender->open_each(to);
    await_turn(s);
    const auto begin = clock::now();
    s.until = begin + most_.round;
    sending_report out;
    const experiment::sending_device device(to.front());
    const experiment::sending_clock used;
    out.counts = sender->send(s, count);
    out.use = used.use();
    out.use.device_dropped = device.dropped();
    out.pacing = sender->pacing();
    book_turn(begin, out.counts.sent);
    return out;
  }

 private:
  using clock = measure::monotonic_clock;

  void await_turn(const schedule& s) const {
    constexpr std::chrono::nanoseconds step = std::chrono::milliseconds(50);
    const pace::thread_sleep sleep;
    for (auto now = clock::now(); now < next_ && !s.stopped(); now = clock::now())
      sleep(std::min(step, next_ - now));
  }

  void book_turn(clock::time_point begin, std::uint64_t sent) {
    const auto seconds = static_cast<double>(sent) / static_cast<double>(most_.rate);
    next_ =
        begin + std::chrono::ceil<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  }

  boost::asio::ip::address client_;
  limits most_;
  std::set<std::uint16_t> ports_; ///< Of the client, that have asked.
  clock::time_point next_{};      ///< Nothing is sent before.
};

} // namespace udpbench::control
