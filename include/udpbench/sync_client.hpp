/** @file
    The sender: numbered datagrams to one receiver, on the calling thread.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/pace/unpaced.hpp>
#include <udpbench/send/drawn_size.hpp>
#include <udpbench/send/single.hpp>
#include <udpbench/send/trains.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace udpbench {

/** What the datagrams of one call carry. */
struct schedule {
  std::uint64_t run = 0;   ///< Run id: tells them from all others.
  std::uint16_t round = 0; ///< Its number.
  std::uint16_t flow = 0;  ///< Number of the sender's first flow, from 0.
  std::size_t size =
      1024; ///< Payload of each, in bytes; below `wire::header_bytes` the header is cut off.
  std::uint64_t first_sequence =
      0; ///< Number of the first of each flow; it continues a round that was begun before.
  /** Seed of mixed sizes, from that of the header up to `size`, which is then above it (`send::drawn_size`). Empty: all have `size`. */
  std::optional<std::uint64_t> mixed = {};
  const std::atomic<bool>* stop = nullptr; ///< Ends the sending early when it becomes true.
  const std::atomic<bool>* receiver_gone = nullptr; ///< So does this one, of the other end.
  /** Where the receiver publishes how many datagrams of the round it has; null where it doesn't. */
  const std::atomic<std::uint64_t>* received = nullptr;
  /** Ends it early, too; looked at once in 64 send calls, at each where they are paced by the clock. */
  measure::monotonic_clock::time_point until = measure::monotonic_clock::time_point::max();

  /** Whether either has become true. */
  bool stopped() const noexcept {
    const auto is = [](const std::atomic<bool>* flag) {
      return flag != nullptr && flag->load(std::memory_order_relaxed);
    };
    return is(stop) || is(receiver_gone);
  }

  /** Payload of one datagram, in bytes. */
  std::size_t length(std::uint16_t of_flow, std::uint64_t sequence) const noexcept {
    return mixed ? send::drawn_size(*mixed, of_flow, sequence, size) : size;
  }
};

/** What became of the datagrams of one or more calls. */
struct send_counts {
  std::uint64_t intended = 0; ///< Asked for by the schedule.
  std::uint64_t sent = 0;     ///< Accepted by a send call; their sequence numbers have no gap.
  std::uint64_t refused = 0;  ///< Not sent: the receiver's port is closed (ECONNREFUSED).
  std::uint64_t full = 0;     ///< Not sent: no room on this host (EAGAIN, ENOBUFS).
  std::uint64_t failed = 0;   ///< Not sent: any other error, the first of which is `error`.
  std::uint64_t calls = 0;    ///< Send calls.
  error_code error;           ///< The first of those in `failed`.
  /** Of segmented sends: those of each flow that were sent. Empty: each datagram is alone. */
  std::vector<send::trains> trains{};

  /** Adds counts of what was sent later; the error is the first of both. */
  send_counts& operator+=(const send_counts& more) {
    intended += more.intended;
    sent += more.sent;
    refused += more.refused;
    full += more.full;
    failed += more.failed;
    calls += more.calls;
    if (!error) error = more.error;
    if (trains.size() < more.trains.size()) trains.resize(more.trains.size());
    for (std::size_t i = 0; i < more.trains.size(); ++i) trains[i] += more.trains[i];
    return *this;
  }
};

/** Sends by `Send`, when `Pace` lets it. It owns its socket.
    A datagram that no send call accepts is not sent: it is counted by its reason, takes no sequence number, and the client goes
    on with the next.
    Threads: one at a time. Errors: `open` throws; `send` counts. */
template <send_policy Send = send::single, pacing Pace = pace::unpaced>
class sync_client {
 public:
  /** @param pace  when datagrams may be sent.
      @param send  how they enter the socket. */
  explicit sync_client(Pace pace = {}, Send send = {})
      : pace_(std::move(pace)), send_(std::move(send)) {}

  sync_client(const sync_client&) = delete;
  sync_client& operator=(const sync_client&) = delete;
  /** Takes over the other's sockets, which is then closed. */
  sync_client(sync_client&&) = default;
  /** Closes its own sockets, and takes over the other's. */
  sync_client& operator=(sync_client&&) = default;

  /** Where the sockets that are opened from now on send from; of several flows to one remote only the first has its port. */
  void leave_by(net::source from) noexcept { from_ = std::move(from); }

  /** Opens sockets that send to `remote`: one for each flow, with a port of its own. Send calls use them in turn.
      Errors: throws `system_error` whose text names the endpoint. */
  void open(const net::endpoint& remote, std::uint16_t flows = 1) {
    std::vector<net::descriptor> sockets;
    net::source from = from_;
    for (std::uint16_t i = 0; i < flows; ++i) {
      sockets.push_back(net::open_sender(remote, from));
      from.port = 0;
    }
    sockets_ = std::move(sockets);
    several_flows_ = flows > 1;
  }

  /** Opens a socket that sends to each of `remotes`, of which send calls use one after the other. Each remote gets sequence numbers of
      its own, without gaps, all of the same flow. Errors: as `open`. */
  void open_each(std::span<const net::endpoint> remotes) {
    std::vector<net::descriptor> sockets;
    for (const auto& remote : remotes) sockets.push_back(net::open_sender(remote, from_));
    sockets_ = std::move(sockets);
    several_flows_ = false;
  }

  /** Closes the sockets; nothing if there is none. */
  void close() noexcept { sockets_.clear(); }

  /** The first socket's descriptor; -1 while closed. */
  int native_handle() const noexcept { return sockets_.empty() ? -1 : sockets_.front().get(); }

  /** Sends `count` datagrams, then returns what became of them.
      Errors: throws `system_error` if not open, or for a size above 65,507 bytes or of 0, and for mixed sizes of no more than a header. */
  send_counts send(const schedule& s, std::uint64_t count) {
    check(s);
    prepare(s);
    send_counts counts;
    flow_sent_.assign(sockets_.size(), 0);
    std::size_t flow = 0;
    if constexpr (pace::closed_loop<Pace>) pace_.follow(s.received);
    pace_.begin();
    while (counts.intended < count && !over(s, counts.calls)) {
      const auto want = std::min<std::uint64_t>(count - counts.intended, next_call(s, flow));
      const auto before = pace::closed_loop<Pace> ? counts.sent : counts.intended;
      const auto admitted = pace_.admit(before, static_cast<std::size_t>(want));
      if (admitted.count == 0) break;
      stamp(s, counts, admitted, flow);
      const auto done = send_(sockets_[flow].get(), stamped(s, admitted.count));
      book(counts, done);
      flow_sent_[flow] += done.accepted;
      if constexpr (send::sends_trains<Send>) {
        if (counts.trains.empty()) counts.trains.resize(sockets_.size());
        counts.trains[flow].add(done.accepted);
      }
      if (++flow == sockets_.size()) flow = 0;
    }
    return counts;
  }

  /** What lets datagrams through, with what it has seen of the last `send`. */
  const Pace& paced_by() const noexcept { return pace_; }

  /** Bytes of one datagram, as IPv4 allows. Source: RFC 768, RFC 791. */
  static constexpr std::size_t largest_payload = 65'507;

 private:
  static bool over(const schedule& s, std::uint64_t calls) noexcept {
    if (s.stopped()) return true;
    return (pace::scheduled<Pace> || pace::resting<Pace> || calls % 64 == 63) &&
           measure::monotonic_clock::now() >= s.until;
  }

  void check(const schedule& s) const {
    const auto refuse = [](error e, const std::string& what) {
      throw system_error(make_error_code(e), what);
    };
    if (sockets_.empty()) refuse(error::not_open, "sync_client::send");
    if (s.size == 0) refuse(error::too_small, "datagram of 0 bytes");
    if (s.mixed && s.size <= wire::header_bytes)
      refuse(error::too_small, "mixed sizes up to " + std::to_string(s.size) + " bytes");
    if (s.size > largest_payload)
      refuse(error::too_large, "datagram of " + std::to_string(s.size) + " bytes");
  }

  void prepare(const schedule& s) {
    const std::size_t slots = Send::most(s.size);
    header_ = wire::encode({.flow = s.flow, .round = s.round, .run = s.run});
    payload_.assign(slots * s.size, std::byte{0x5a});
    for (std::size_t i = 0; i < slots; ++i)
      std::copy_n(header_.begin(), std::min(s.size, header_.size()),
                  payload_.begin() + static_cast<std::ptrdiff_t>(i * s.size));
  }

  /** The number in the headers of a flow's datagrams. */
  std::uint16_t number_of(const schedule& s, std::size_t flow) const noexcept {
    return static_cast<std::uint16_t>(several_flows_ ? s.flow + flow : s.flow);
  }

  /** How many datagrams the next send call may carry; of mixed sizes it draws them. */
  std::size_t next_call(const schedule& s, std::size_t flow) {
    const std::size_t most = Send::most(s.size);
    if (!s.mixed) return most;
    const std::uint64_t first = s.first_sequence + flow_sent_[flow];
    send::draw_call<Send>(lengths_, most,
                          [&](std::size_t i) { return s.length(number_of(s, flow), first + i); });
    return lengths_.size();
  }

  /** The first `count` of what was stamped. */
  send::datagrams stamped(const schedule& s, std::size_t count) noexcept {
    if (!s.mixed) return {payload_.data(), s.size, count};
    if (count == 1) return {payload_.data(), lengths_.front(), 1};
    return {payload_.data(), s.size, count, std::span(lengths_).first(count)};
  }

  void stamp(const schedule& s, const send_counts& before, const pace::admission& admitted,
             std::size_t flow) noexcept {
    if (s.size < wire::header_bytes) return;
    const std::uint16_t number = number_of(s, flow);
    const std::uint64_t first = s.first_sequence + flow_sent_[flow];
    std::byte* at = payload_.data();
    for (std::size_t i = 0; i < admitted.count; ++i) {
      if (s.mixed) std::copy(header_.begin(), header_.end(), at);
      if (several_flows_) wire::store(at + wire::offset::flow, number);
      wire::store(at + wire::offset::sequence, first + i);
      std::uint64_t intended = admitted.intended_ns;
      if constexpr (pace::scheduled<Pace>) intended = pace_.intended_ns(before.intended + i);
      wire::store(at + wire::offset::intended, intended);
      at += s.mixed ? lengths_[i] : s.size;
    }
  }

  static void book(send_counts& counts, const send::outcome& done) noexcept {
    namespace errc = boost::system::errc;
    ++counts.calls;
    counts.sent += done.accepted;
    counts.intended += done.accepted;
    if (!done.error || done.error == errc::interrupted) return;
    counts.intended += done.failed;
    if (done.error == errc::connection_refused)
      counts.refused += done.failed;
    else if (done.error == errc::resource_unavailable_try_again ||
             done.error == errc::no_buffer_space)
      counts.full += done.failed;
    else {
      counts.failed += done.failed;
      if (!counts.error) counts.error = done.error;
    }
  }

  Pace pace_;
  Send send_;
  net::source from_;
  std::vector<net::descriptor> sockets_; ///< One for each flow, or for each remote.
  bool several_flows_ = false;           ///< They are told apart by their numbers.
  std::vector<std::uint64_t> flow_sent_; ///< Of each socket, by the present call.
  std::vector<std::size_t> lengths_;     ///< Of mixed sizes, those of the present send call.
  std::array<std::byte, wire::header_bytes> header_{}; ///< Of all that is sent, but for numbers.
  std::vector<std::byte> payload_;
};

} // namespace udpbench
