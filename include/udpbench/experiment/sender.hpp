/** @file
    The sending end of a round, with the send policy chosen at run time.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/load.hpp>
#include <udpbench/experiment/send_mode.hpp>
#include <udpbench/measure/buckets.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/cpu_time.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/pace/pause.hpp>
#include <udpbench/pace/punctuality.hpp>
#include <udpbench/pace/rate.hpp>
#include <udpbench/pace/window.hpp>
#include <udpbench/send/batch.hpp>
#include <udpbench/send/segmented.hpp>
#include <udpbench/send/single.hpp>
#include <udpbench/sync_client.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace udpbench::experiment {

/** This machine can't do what a plan asks for; the text names what, and what is possible. */
class not_possible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** What a sender's pacing saw of a round; empty where it has no schedule, or no window. */
struct pacing_report {
  std::optional<pace::punctuality> schedule; ///< Of a schedule.
  std::optional<double> waited_share;        ///< Of a window: of the time, in which it was full.
  bool rests = false;                        ///< It pauses by itself.
  bool gave_up = false;                 ///< Of a window: it stayed full, and the sending ended.
  std::optional<measure::buckets> lag;  ///< Of a schedule: from slot to sending, in ns.
  std::optional<measure::buckets> gaps; ///< Of a schedule: from one sending to the next, in ns.
};

/** Sends bytes to an endpoint, in a datagram from each of a receiver's sockets. */
using introducer = std::function<void(const net::endpoint& to, std::string_view bytes)>;

/** What sending took of the sender's thread. */
struct sending_use {
  std::chrono::nanoseconds elapsed{}; ///< By the clock on the wall.
  std::chrono::nanoseconds cpu{};     ///< In which it ran.
  /** Packets that its interface dropped meanwhile; empty where that isn't known, or not of another host. */
  std::optional<std::uint64_t> device_dropped = {};

  /** Of the time, in which it ran. */
  double cpu_share() const noexcept {
    return elapsed.count() > 0 ? std::chrono::duration<double>(cpu) / elapsed : 0;
  }
};

/** Measures that of the calling thread, from its making on. */
class sending_clock {
 public:
  /** So far. */
  sending_use use() const noexcept {
    return {measure::monotonic_clock::now() - begin_, measure::thread_cpu_time() - used_};
  }

 private:
  std::chrono::nanoseconds used_ = measure::thread_cpu_time();
  measure::monotonic_clock::time_point begin_ = measure::monotonic_clock::now();
};

/** One virtual call a round. Threads: one at a time. */
class sender {
 public:
  virtual ~sender() = default;
  /** How many source ports it sends from after the next `open`; one unless it is told. */
  virtual void use_flows(std::uint16_t) {}
  /** As `sync_client::leave_by`, after the next `open`. */
  virtual void leave_by(const net::source&) {}
  /** As `sync_client::open`; an earlier remote is forgotten. */
  virtual void open(const net::endpoint& remote) = 0;
  /** As `sync_client::open_each`; earlier remotes are forgotten. */
  virtual void open_each(std::span<const net::endpoint> remotes) = 0;
  /** After `open`: a sender on another host sends to nobody who has not asked for it, which every socket of the receiver does by sending
      what the sender has it `say`. */
  virtual void introduce(const introducer& /*say*/) {}
  /** As `sync_client::send`. */
  virtual send_counts send(const schedule& s, std::uint64_t count) = 0;
  /** What the last `send` took, where that was not on the calling thread. */
  virtual std::optional<sending_use> use() const { return {}; }
  /** Of the last `send`. */
  virtual pacing_report pacing() const { return {}; }
};

/** A `sync_client`, behind that face. */
template <class Client>
class client_sender final : public sender {
 public:
  /** @param arguments  what a `Client` is constructed from. */
  template <class... Arguments>
  explicit client_sender(Arguments... arguments) : client_(arguments...) {}

  /** See `sender`. */
  void use_flows(std::uint16_t flows) override { flows_ = flows; }
  /** See `sender`. */
  void leave_by(const net::source& from) override { client_.leave_by(from); }
  /** See `sender`. */
  void open(const net::endpoint& remote) override { client_.open(remote, flows_); }
  /** See `sender`. */
  void open_each(std::span<const net::endpoint> remotes) override { client_.open_each(remotes); }
  /** See `sender`. */
  send_counts send(const schedule& s, std::uint64_t count) override {
    return client_.send(s, count);
  }
  /** See `sender`. */
  pacing_report pacing() const override {
    pacing_report out;
    const auto& pace = client_.paced_by();
    out.rests = requires { pace.rest(); };
    if constexpr (requires { pace.punctuality(); }) {
      out.schedule = pace.punctuality();
      out.lag = pace.lag().buckets();
      out.gaps = pace.gaps().buckets();
    }
    if constexpr (requires { pace.gave_up(); }) {
      out.waited_share = pace.waited_share();
      out.gave_up = pace.gave_up();
    }
    return out;
  }

 private:
  Client client_;
  std::uint16_t flows_ = 1;
};

namespace detail {

template <send_policy Send, pacing Pace>
std::unique_ptr<sender> make_by(Pace pace) {
  return std::make_unique<client_sender<sync_client<Send, Pace>>>(std::move(pace));
}

template <send_policy Send>
std::unique_ptr<sender> make_paced(const load& l) {
  switch (l.what) {
  case load::kind::pause:
    return make_by<Send>(pace::pause<>(static_cast<std::size_t>(l.sends), l.rest));
  case load::kind::rate:
    return make_by<Send>(pace::rate<>(l.per_second));
  case load::kind::window:
    return make_by<Send>(pace::window<>(l.in_flight));
  default:
    return make_by<Send>(pace::unpaced{});
  }
}

} // namespace detail

/** The pacing that a load is sent by, as it stands on record. There is never another: the kernel's (SO_MAX_PACING_RATE) is left off. */
inline std::string_view pacer(const load& l) noexcept {
  switch (l.what) {
  case load::kind::backlog:
    return "";
  case load::kind::flood:
    return "unpaced";
  case load::kind::pause:
    return "pause";
  case load::kind::rate:
    return "rate";
  case load::kind::window:
    return "window";
  }
  return "";
}

/** A sender of that mode, which is not `automatic`, paced as the load wants it. */
inline std::unique_ptr<sender> make_sender(send_mode mode, const load& l) {
  switch (mode) {
  case send_mode::segmented:
    return detail::make_paced<send::segmented>(l);
  case send_mode::batch:
    return detail::make_paced<send::batch<>>(l);
  default:
    return detail::make_paced<send::single>(l);
  }
}

/** Tries whether datagrams of `size` bytes sent in that mode arrive at `address`, two at a time and separately. */
inline bool mode_works(send_mode mode, const boost::asio::ip::address& address, std::size_t size) {
  const net::descriptor receiver = net::open_receiver({address, 0});
  const auto sender = make_sender(mode, {.what = load::kind::flood});
  sender->open(net::local_endpoint(receiver.get()));
  const auto counts = sender->send({.size = size}, 2);
  std::uint64_t whole = 0;
  net::drain_queue(receiver.get(), 2,
                   [&](auto&, std::size_t length) { whole += length == size ? 1 : 0; });
  return counts.sent == 2 && whole == 2;
}

/** What a backlog is filled by where `asked` was asked for: single sends unless another was, since nobody waits for the sender. */
constexpr send_mode filled_by(send_mode asked) noexcept {
  return asked == send_mode::automatic ? send_mode::single : asked;
}

/** The mode that is used where `asked` was asked for: that one, or for `automatic` single sends under `backlog` (`filled_by`), under
    `pause`, as in 2005, and under `rate`, where each datagram has a time of its own, and else the fastest that works. Where a datagram is so
    large that only one fits into a segmented send, or sizes are mixed, so that it has one or two, segments have no meaning: batch.
    `works(mode)` tells whether datagrams of `size` bytes can be sent in a mode.
    Errors: throws `not_possible` where the asked one doesn't work, and what `works` throws. */
template <class Works>
send_mode choose_mode_that(Works works, send_mode asked, const load& l, std::size_t size,
                           bool mixed = false) {
  const bool segments = send::segmented::most(size) > 1 && !mixed;
  if (asked == send_mode::automatic) {
    const bool alone = l.what == load::kind::window && l.in_flight == 1;
    if (l.held()) return filled_by(asked);
    if (l.what == load::kind::pause || l.what == load::kind::rate || alone)
      return send_mode::single;
    for (const auto mode : {send_mode::segmented, send_mode::batch})
      if ((mode != send_mode::segmented || segments) && works(mode)) return mode;
    return send_mode::single;
  }
  if (!works(asked))
    throw not_possible(std::string(name(asked)) + " sends of " + std::to_string(size) +
                       " bytes don't work here; auto takes the fastest that does");
  return asked;
}

/** The same by trying it at an address of this host. Errors: likewise; `system_error` where no socket can be had. */
inline send_mode choose_mode(send_mode asked, const load& l,
                             const boost::asio::ip::address& address, std::size_t size,
                             bool mixed = false) {
  return choose_mode_that([&](send_mode mode) { return mode_works(mode, address, size); }, asked, l,
                          size, mixed);
}

} // namespace udpbench::experiment
