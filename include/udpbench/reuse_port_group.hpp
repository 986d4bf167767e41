/** @file
    Receivers that share one address and port.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/counters.hpp>
#include <udpbench/error.hpp>
#include <udpbench/lifecycle.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/datagram.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/server.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace udpbench {

/** A server of several receivers at one address and port (SO_REUSEPORT), of which each has a socket, a receive buffer, a context if it
    uses any, a sink and a thread of its own: they share nothing but the port. The kernel gives all datagrams of a flow, which is an
    address and a port that sends, to the same one of them, which its hash picks; so it takes many flows to keep all of them busy.

    Life: `open`, `start`, `stop`; then `open` again. The destructor stops. */
class reuse_port_group {
 public:
  /** @param members  at least one; closed. */
  explicit reuse_port_group(std::vector<any_receiver> members) : members_(std::move(members)) {}

  /** A group of an `R` for each of `sinks`, which outlive it. */
  template <receiver R, datagram_sink Sink>
  static reuse_port_group of(std::span<Sink> sinks) {
    std::vector<any_receiver> members;
    for (Sink& sink : sinks) members.push_back(any_receiver::make<R>(sink));
    return reuse_port_group(std::move(members));
  }

  reuse_port_group(const reuse_port_group&) = delete;
  reuse_port_group& operator=(const reuse_port_group&) = delete;
  ~reuse_port_group() { stop(); }

  /** Binds all of them to `local`, where port 0 lets the system choose one for them, and returns where they are bound.
      Errors: throws what a receiver throws, `error::already_open`; it then stays closed, and nothing is left behind. Threads: any. */
  net::endpoint open(const net::endpoint& local, server_options options = {}) {
    options.socket.reuse_port = true;
    if (life_.stopping()) stop();
    net::endpoint bound = local;
    life_.open([&] {
      try {
        for (any_receiver& member : members_) bound = member.open(bound, options);
      } catch (...) {
        close();
        throw;
      }
    });
    return bound;
  }

  /** The same, as a `server` has it. Errors: also `error::socket_count` unless `locals` is one endpoint. Threads: any. */
  std::vector<net::endpoint> open_each(std::span<const net::endpoint> locals,
                                       const server_options& options = {}) {
    if (locals.size() != 1)
      throw system_error(make_error_code(error::socket_count),
                         "open " + std::to_string(locals.size()) + ", not 1");
    return {open(locals.front(), options)};
  }

  /** Starts a thread for each of them, which receives until `stop`.
      Errors: `error::not_open`, `error::busy`; boost::thread_resource_error where the system gives no thread. Threads: any. */
  void start() {
    life_.start(members_.size(), [this](std::size_t i) {
      for (;;) {
        const lifecycle::stay inside(life_, true);
        if (!inside) return;
        // None of them can be asked to stop while its thread is inside: it is left at once when the deadline finds it idle.
        members_[i].receive(slice, measure::monotonic_clock::now() + server_tick / 2);
      }
    });
  }

  /** How many threads `start` starts. Threads: any. */
  std::size_t own_threads() const noexcept { return members_.size(); }

  /** Stops all of them and closes their sockets. Called inside a sink it only asks for that; otherwise it returns when every thread
      has ended, in 100 ms at the most as long as the sinks return.
      Threads: any, also several at once. */
  void stop() noexcept {
    life_.stop([this]() noexcept { close(); });
  }

  /** The descriptor of the i-th of them; -1 while closed. */
  int native_handle(std::size_t i) { return members_.at(i).native_handle(); }

  /** What first ended one of the threads before `stop`, which is called all the same; null if nothing did. The others go on. It is
      forgotten by the next `open`. Threads: any. */
  std::exception_ptr failure() const { return life_.failure(); }

  /** Whether their threads never sleep while they receive; see `spins`. */
  bool never_sleeps() const noexcept {
    return std::any_of(members_.begin(), members_.end(),
                       [](const any_receiver& r) { return r.never_sleeps(); });
  }

  /** What all of them together were asked for or counted, as `counters` has it. Threads: none may be at work. */
  ///@{
  std::optional<memory::usage> memory_use() const { return sum(&counters::memory_use); }
  std::optional<std::uint64_t> receive_errors() const { return sum(&counters::receive_errors); }
  std::optional<std::uint64_t> receive_calls() const { return sum(&counters::receive_calls); }
  std::optional<measure::batch_sizes> datagrams_per_call() const {
    return sum(&counters::datagrams_per_call);
  }
  std::optional<measure::batch_sizes> datagrams_per_wakeup() const {
    return sum(&counters::datagrams_per_wakeup);
  }
  ///@}

  /** The last error of the first that has any; unset if there was none. Threads: as above. */
  error_code last_receive_error() const {
    for (const any_receiver& member : members_)
      if (const auto ec = member.counters().last_receive_error()) return ec;
    return {};
  }

 private:
  /** Empty where one of them doesn't count that. */
  template <class T>
  std::optional<T> sum(std::optional<T> (counters::*told)() const) const {
    std::optional<T> all = (members_.front().counters().*told)();
    std::for_each(members_.begin() + 1, members_.end(), [&](const any_receiver& member) {
      const std::optional<T> one = (member.counters().*told)();
      if (all && one)
        *all += *one;
      else
        all.reset();
    });
    return all;
  }

  /** Datagrams that a thread asks for at a time. */
  static constexpr std::size_t slice = 64;

  void close() noexcept {
    for (any_receiver& member : members_) member.stop();
  }

  std::vector<any_receiver> members_;
  lifecycle life_;
};
static_assert(server<reuse_port_group>);

} // namespace udpbench
