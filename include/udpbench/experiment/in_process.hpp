/** @file
    Receivers in this process.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/bare_receivers.hpp>
#include <udpbench/experiment/booking.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/many_sockets.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/experiment/receiving_thread.hpp>
#include <udpbench/experiment/room.hpp>
#include <udpbench/experiment/sender.hpp>
#include <udpbench/experiment/slices.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/work.hpp>
#include <udpbench/net/affinity.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/sync_client.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace udpbench::experiment {

/** Makes receivers from a catalogue and runs them here. Lifetime: the catalogue outlives it. Threads: one at a time. */
class in_process final : public place {
 public:
  /** @param receivers  what `open` finds them in.
      @param published  where rounds tell how much was received, for a sender in another process; null: somewhere in this one.
      @param over  whatever runs here ends early, and says so as its trouble, when that becomes true; may be null.
      Lifetime: all outlive it. */
  explicit in_process(const catalogue& receivers, std::atomic<std::uint64_t>* published = nullptr,
                      const std::atomic<bool>* over = nullptr)
      : catalogue_(receivers), published_(published), over_(over) {}

  /** Errors: throws std::invalid_argument for an unknown name and for a cpu that can't be had, and what the receiver throws. */
  opened open(const seat_plan& plan) override {
    const auto* entry = catalogue_.find(plan.receiver);
    if (entry == nullptr) entry = bare_receivers().find(plan.receiver);
    if (entry == nullptr || !entry->make)
      throw std::invalid_argument("no receiver '" + plan.receiver + "' in this process");
    if (plan.cpu) net::require_cpus({&*plan.cpu, 1});
    net::require_cpus(plan.cpus);
    if (plan.sockets > 1 || plan.threads > 1) return open_many(plan, *entry);
    auto made = std::make_unique<occupant>(plan, *entry, over_);
    opened result{.number = next_,
                  .endpoint = made->endpoint,
                  .receive_buffer_bytes =
                      net::granted_receive_buffer(made->receiver.native_handle()),
                  .busy_poll = made->receiver.busy_poll(),
                  .joined = net::joins_datagrams(made->receiver.native_handle())};
    occupants_.emplace(next_++, std::move(made));
    return result;
  }

  /** Stops and destroys the receiver; a seat that is not open is left alone. */
  void close(seat s) noexcept override {
    occupants_.erase(s);
    many_.erase(s);
  }

  sample turn(seat s, const turn_plan& plan) override {
    if (const auto many = many_.find(s); many != many_.end()) return many->second->turn(plan);
    occupant& o = at(s);
    const net::scoped_affinity bound(o.plan.cpu);
    sample out =
        run_slices(o.receiver, o.ledger, o.filler(plan.send), o.schedule_for(plan.size), plan);
    if (!invalid_because(out, true).empty()) out.host = net::read_host_counters() - o.host_at_open;
    return out;
  }

  schedule begin(seat s, const round_plan& plan) override {
    if (const auto many = many_.find(s); many != many_.end()) return many->second->begin(plan);
    occupant& o = at(s);
    const net::scoped_affinity bound(o.plan.cpu);
    const turn_plan alone{.depth = 1, .size = plan.size, .untimed = 64, .timed = 0};
    const auto warm =
        run_slices(o.receiver, o.ledger, o.filler(alone.send), o.schedule_for(plan.size), alone);
    if (!warm.trouble.empty()) throw std::runtime_error("warming up: " + warm.trouble);
    schedule round = o.schedule_for(plan.size);
    o.thread = std::make_unique<receiving_thread>(o.receiver, o.ledger, round, plan, o.plan.cpu,
                                                  published_);
    round.received = &o.thread->received();
    return round;
  }

  void send_from(seat s, const net::endpoint& to, std::string_view bytes) override {
    if (const auto many = many_.find(s); many != many_.end())
      many->second->send_from(to, bytes);
    else
      net::send_from(at(s).receiver.native_handle(), to, bytes);
  }

  sample end(seat s, const send_counts& sent) override {
    if (const auto many = many_.find(s); many != many_.end()) return many->second->end(sent);
    return std::exchange(at(s).thread, nullptr)->end(sent);
  }

  std::uint64_t capacity(const seat_plan& plan, const turn_plan& turn,
                         std::uint64_t most) override {
    return room_for(plan, turn, most, over_);
  }

 private:
  struct occupant {
    occupant(const seat_plan& p, const catalogue::entry& entry, const std::atomic<bool>* ends)
        : plan(p),
          over(ends),
          ledger(p.flows),
          receiver(entry.make(ledger)),
          endpoint(receiver.open({p.address, 0}, p.options)) {
      ledger.then_do(measure::work(p.work));
    }

    /** Sends to the receiver in that way; the same until another is asked for. */
    sender& filler(send_mode mode) {
      if (!fills || mode != fills_by) {
        fills = make_sender(mode, {.what = load::kind::backlog});
        fills->open(endpoint);
        fills_by = mode;
      }
      return *fills;
    }

    /** The next round's; a round number returns only after 65,535 others. */
    schedule schedule_for(std::size_t size) {
      return {.run = plan.run, .round = ++round, .size = size, .mixed = plan.mixed, .stop = over};
    }

    seat_plan plan;
    const std::atomic<bool>* over;
    measure::ledger ledger;
    any_receiver receiver;
    net::endpoint endpoint;
    std::unique_ptr<sender> fills;
    send_mode fills_by = send_mode::single; ///< Of `fills`, where there is one.
    std::uint16_t round = 0;
    net::host_counters host_at_open = net::read_host_counters();
    std::unique_ptr<receiving_thread> thread;
  };

  opened open_many(const seat_plan& plan, const catalogue::entry& entry) {
    auto made = std::make_unique<many_sockets>(plan, entry, over_);
    opened result{.number = next_,
                  .endpoint = made->endpoints().front(),
                  .receive_buffer_bytes = net::granted_receive_buffer(made->native_handle()),
                  .endpoints = plan.sockets > 1 ? made->endpoints() : std::vector<net::endpoint>(),
                  .threads = made->threads()};
    many_.emplace(next_++, std::move(made));
    return result;
  }

  occupant& at(seat s) { return *occupants_.at(s); }

  const catalogue& catalogue_;
  std::atomic<std::uint64_t>* published_;
  const std::atomic<bool>* over_;
  std::map<seat, std::unique_ptr<occupant>> occupants_;
  std::map<seat, std::unique_ptr<many_sockets>> many_;
  seat next_ = 0;
};

} // namespace udpbench::experiment
