/** @file
    What one end lets another make it do.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/experiment/place.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace udpbench::control {

/** Another end asks for more than is granted to it; the text names the thing, the value and what is allowed. */
class limit_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** The most that a client may ask a server for. */
struct limits {
  std::size_t receivers = 256; ///< Open at a time.
  std::size_t sockets = 1'024; ///< Of all receivers together.
  std::size_t threads = 64;    ///< Of one receiver.
  std::size_t flows = 1'000;   ///< Of one receiver.
  std::size_t memory = std::size_t{1}
                       << 30; ///< Bytes of all receive buffers, ledgers and work together.
  std::size_t size = sync_client<>::largest_payload; ///< Bytes of a datagram.
  std::size_t depth = 1'000'000;                     ///< Datagrams of a slice.
  std::size_t slices = 1'000;                        ///< Of a turn.
  std::uint64_t count = 1'000'000'000;               ///< Datagrams of a round.
  /** Datagrams a second that are sent to a client; where it is less than the default, only by a schedule. */
  std::uint64_t rate = 1'000'000'000;
  std::chrono::nanoseconds work_time =
      std::chrono::milliseconds(10);                         ///< Of the work with a datagram.
  std::uint64_t work_turns = 20'000'000;                     ///< That it takes.
  std::size_t work_bytes = std::size_t{64} << 20;            ///< That this work goes through.
  std::chrono::nanoseconds round = std::chrono::seconds(60); ///< How long one may take.
  std::chrono::nanoseconds tail = std::chrono::seconds(5);   ///< Quiet at its end.
  std::chrono::seconds session = std::chrono::hours(1);      ///< How long one client may stay.
};

namespace detail {

template <class T>
void allow(const char* thing, T value, T most) {
  if (value < T{} || value > most)
    throw limit_error(std::string(thing) + " " + std::to_string(value) +
                      ": this server allows up to " + std::to_string(most));
}

/** The same of what there has to be one of at least. */
template <class T>
void allow_some(const char* thing, T value, T most) {
  if (value == T{}) throw limit_error(std::string(thing) + " 0: allowed is 1 or more");
  allow(thing, value, most);
}

inline void allow(const char* thing, std::chrono::nanoseconds value,
                  std::chrono::nanoseconds most) {
  allow((std::string(thing) + ", in ns,").c_str(), value.count(), most.count());
}

} // namespace detail

/** Throws `limit_error` where a plan of a client's asks for too much, of whatever is open besides. */
inline void check(const experiment::seat_plan& plan, const limits& most) {
  const auto largest = std::size_t{65'535};
  detail::allow_some("sockets", plan.sockets, most.sockets);
  detail::allow_some("threads", plan.threads, most.threads);
  detail::allow("threads", plan.cpus.size(), most.threads);
  detail::allow_some("flows", std::size_t{plan.flows}, most.flows);
  detail::allow("receive buffer", plan.options.socket.receive_buffer_bytes.value_or(0),
                most.memory);
  detail::allow("largest datagram", plan.options.largest_datagram, largest);
  detail::allow("turns of work", plan.work.turns, most.work_turns);
  detail::allow("bytes of work", plan.work.bytes, most.work_bytes);
}

/** The same of a work that is tried. */
inline void check(const experiment::work_trial& trial, const limits& most) {
  const auto largest = std::size_t{65'535};
  detail::allow("time of work", trial.what.time, std::chrono::nanoseconds(most.work_time));
  detail::allow("bytes of work", trial.what.bytes, most.work_bytes);
  detail::allow("largest datagram", trial.largest, largest);
  detail::allow("usual datagram", trial.usual, largest);
  detail::allow("threads", trial.cpus.size(), most.threads);
}

/** The same of a turn. */
inline void check(const experiment::turn_plan& plan, const limits& most) {
  detail::allow_some("depth", plan.depth, most.depth);
  detail::allow_some("size", plan.size, most.size);
  detail::allow("slices", std::size_t{plan.untimed}, most.slices);
  detail::allow("slices", std::size_t{plan.timed}, most.slices);
}

/** The same of a round. */
inline void check(const experiment::round_plan& plan, const limits& most) {
  detail::allow_some("size", plan.size, most.size);
  detail::allow("count", plan.count, most.count);
  detail::allow_some("chunk", plan.chunk, most.depth);
  detail::allow_some("chunk", plan.joined_chunk, most.depth);
  detail::allow("time of a round", plan.limit, most.round);
  detail::allow("tail", plan.tail, most.tail);
}

/** The same of what a sender tells of a round of so many flows: its trains are what was sent, and no more. */
inline void check(const send_counts& sent, std::size_t flows, const limits& most) {
  detail::allow("count", sent.sent, most.count);
  detail::allow("trains, by flow,", sent.trains.size(), flows);
  std::uint64_t in_trains = 0;
  for (const auto& flow : sent.trains)
    for (const auto& run : flow.runs()) {
      detail::allow_some("length of a train", run.length, std::uint64_t{65'535});
      detail::allow("trains", run.count, most.count);
      in_trains += run.length * run.count;
      detail::allow("datagrams in trains", in_trains, sent.sent);
    }
}

} // namespace udpbench::control
