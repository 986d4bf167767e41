/** @file
    A client, a relay, a receiver and its ledger, all on the test's thread.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "../support/arrivals_text.hpp"
#include "../support/catch.hpp"
#include "../support/impairment.hpp"
#include "../support/loopback.hpp"
#include "../support/relay.hpp"

#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/sync_client.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace passage {

using support::expectation;
using support::impairment;
using support::parcel;

/** A receiver whose sink is a ledger. */
struct kind {
  std::string name;
  std::function<udpbench::any_receiver(udpbench::measure::ledger&)> make;
};

/** The three drivers, each with the takes one, drain, batch and gro. */
const std::vector<kind>& all();

/** The first of them, where the driver doesn't matter. */
inline const kind& any() { return all().front(); }

inline constexpr support::sizes sizes{};

/** Never more than this many datagrams are in a socket's queue. */
inline constexpr std::size_t under_way = 32;

/** One receiver, to which rounds of one run go through a relay. */
class route {
 public:
  explicit route(const kind& k, std::uint64_t first_sequence = 0)
      : first_sequence_(first_sequence),
        receiver_(k.make(ledger_)),
        relay_(receiver_.open(support::v4(), {.socket = {}, .largest_datagram = sizes.room})) {
    client_.open(relay_.endpoint());
  }

  /** The next round: the client sends `count` datagrams, the relay takes them. */
  void send(std::uint64_t count) {
    ledger_.begin(run, ++round_);
    relay_.next_round();
    sent_ = {};
    while (sent_.intended < count) {
      const auto some = std::min<std::uint64_t>(count - sent_.intended, under_way);
      const auto before = sent_.sent;
      sent_ += client_.send({.run = run,
                             .round = round_,
                             .size = sizes.payload,
                             .first_sequence = first_sequence_ + sent_.sent},
                            some);
      support::need(sent_.sent == before + some, "sending all that is asked for");
      relay_.take(sent_.sent - relay_.taken().size());
    }
  }

  /** The relay forwards the parcels, the receiver receives all of them. */
  void forward(std::span<const parcel> parcels) {
    while (!parcels.empty()) {
      const auto some = parcels.first(std::min(parcels.size(), under_way));
      relay_.forward(some);
      support::need(receiver_.receive(some.size(), soon()) == some.size(), "receiving all");
      parcels = parcels.subspan(some.size());
    }
  }

  /** Whether all that was sent was relayed, all that was relayed was received, and the kernel dropped nothing. */
  bool is_tight() {
    return relay_.has_all() && support::drained(receiver_.native_handle()) &&
           udpbench::net::drop_counter(receiver_.native_handle()).value_or(0) == 0;
  }

  const udpbench::measure::arrivals& arrivals() const noexcept { return ledger_.counts(); }
  const udpbench::send_counts& sent() const noexcept { return sent_; }
  std::uint64_t first_sequence() const noexcept { return first_sequence_; }

  /** The round as an experiment sees it. */
  udpbench::experiment::sample sample() const {
    udpbench::experiment::sample out;
    out.arrivals = ledger_.counts();
    out.sent = sent_;
    out.kernel_dropped = 0;
    return out;
  }

  static constexpr std::uint64_t run = 0x0123456789abcdef;

 private:
  static udpbench::measure::monotonic_clock::time_point soon() {
    return udpbench::measure::monotonic_clock::now() + support::deadline;
  }

  std::uint64_t first_sequence_;
  std::uint16_t round_ = 0xfffe; // It wraps in the second round.
  udpbench::send_counts sent_;
  udpbench::measure::ledger ledger_;
  udpbench::any_receiver receiver_;
  support::relay relay_;
  udpbench::sync_client<> client_;
};

/** Sends `count` datagrams, forwards `parcels`, and checks that the books show what must be expected of them. */
inline void check_round(route& r, std::uint64_t count, const std::vector<parcel>& parcels) {
  const auto expected = support::expected_of(parcels, count, sizes, r.first_sequence());
  r.send(count);
  r.forward(parcels);
  CHECK(r.is_tight());
  CHECK(r.sent().sent == count);
  CHECK(r.arrivals() == expected.arrivals);
  CHECK(r.sent().sent - r.arrivals().unique == expected.lost);
  CHECK(r.arrivals().total() == parcels.size());
}

/** The datagrams of these indexes, untouched and in this order. */
inline std::vector<parcel> untouched(std::initializer_list<std::uint64_t> indexes) {
  std::vector<parcel> out;
  for (const auto i : indexes) out.push_back({.index = i, .size = sizes.payload});
  return out;
}

} // namespace passage
