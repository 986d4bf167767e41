/** @file
    What is read before and after a measured stretch, on the receiving thread.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/counters.hpp>
#include <udpbench/experiment/place.hpp>
#include <udpbench/measure/allocations.hpp>
#include <udpbench/measure/batch_sizes.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/sync_client.hpp>
#include <udpbench/wire/header.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace udpbench::experiment {

/** The trouble of what was ended by the `stop` of its schedule. */
inline constexpr const char* stopped_early = "it was stopped before its end";

/** Opens the ledger for the datagrams of `s`. */
inline void begin_ledger(measure::ledger& ledger, const schedule& s) {
  if (s.size < wire::header_bytes)
    ledger.begin_unnumbered(s.run, s.round, s.size);
  else
    ledger.begin(s.run, s.round);
}

/** What the handler memory was asked for, and allocations behind it: by the executable's own count of the thread, else by the handler
    memory's. */
class allocation_watch {
 public:
  /** On the receiving thread, whose allocations are counted. Lifetime: the receiver outlives it. */
  explicit allocation_watch(const counters& receiver)
      : allocation_watch(receiver, measure::thread_allocations()) {}

  /** The same of a server whose own threads receive: theirs are not counted. */
  static allocation_watch of_own_threads(const counters& server) { return {server, std::nullopt}; }

  /** Adds what came since construction. */
  void add_to(sample& s) const {
    const auto thread = thread_ ? measure::thread_allocations() : std::nullopt;
    const auto use = receiver_.memory_use();
    if (use && use_) s.hook_requests = s.hook_requests.value_or(0) + use->requests - use_->requests;
    if (thread && thread_)
      s.allocations = s.allocations.value_or(0) + *thread - *thread_;
    else if (use && use_ && use->upstream && use_->upstream)
      s.allocations = s.allocations.value_or(0) + *use->upstream - *use_->upstream;
  }

 private:
  allocation_watch(const counters& receiver, std::optional<std::uint64_t> thread)
      : receiver_(receiver), thread_(thread), use_(receiver.memory_use()) {}

  const counters& receiver_;
  std::optional<std::uint64_t> thread_;
  std::optional<memory::usage> use_;
};

/** Receive calls of a receiver that counts them, and what failed of them. */
class call_watch {
 public:
  /** On the receiving thread. Lifetime: the receiver outlives it. */
  explicit call_watch(const counters& receiver)
      : receiver_(receiver), calls_(receiver.receive_calls()), errors_(receiver.receive_errors()) {}

  /** Adds the calls since construction. */
  void add_to(sample& s) const {
    const auto calls = receiver_.receive_calls();
    if (calls && calls_) s.receive_calls = s.receive_calls.value_or(0) + *calls - *calls_;
  }

  /** Why the datagrams since construction can't be counted on; empty if they can: a receive call failed, or gave a part of what it
      took out of the socket. */
  std::string trouble() const {
    const auto errors = receiver_.receive_errors();
    const auto failed = errors && errors_ ? *errors - *errors_ : 0;
    if (failed == 0) return {};
    return std::to_string(failed) + (failed == 1 ? " receive call" : " receive calls") +
           " failed: " + receiver_.last_receive_error().message();
  }

 private:
  const counters& receiver_;
  std::optional<std::uint64_t> calls_;
  std::optional<std::uint64_t> errors_;
};

/** How many datagrams came together, over several stretches: `mark` begins one, `take` ends it and begins the next. What comes between is
    left out by another `mark`. */
class batch_watch {
 public:
  /** On the receiving thread. Lifetime: the receiver outlives it. */
  explicit batch_watch(const counters& receiver) : receiver_(receiver) { mark(); }

  /** A stretch begins. */
  void mark() noexcept {
    for (kind& k : kinds_) k.before = (receiver_.*k.told)();
  }

  /** A stretch ends here, and another begins. */
  void take() noexcept {
    for (kind& k : kinds_) {
      const auto now = (receiver_.*k.told)();
      if (!now || !k.before) continue;
      if (!k.seen) k.seen.emplace();
      *k.seen += *now - *k.before;
      k.before = now;
    }
  }

  /** Writes what all stretches gave; nothing of what the receiver doesn't tell. Errors: throws std::bad_alloc. */
  void write_to(sample& s) const {
    const auto& [calls, wakeups] = kinds_;
    if (calls.seen) s.per_receive_call = calls.seen->buckets();
    if (wakeups.seen) s.per_wakeup = wakeups.seen->buckets();
  }

 private:
  using sizes = std::optional<measure::batch_sizes>;
  struct kind {
    sizes (counters::*told)() const;
    sizes before = {};
    sizes seen = {};
  };

  const counters& receiver_;
  std::array<kind, 2> kinds_{kind{&counters::datagrams_per_call},
                             kind{&counters::datagrams_per_wakeup}};
};

/** Whether a datagram of that true length is as long as one of `s` is. Its header is whole where its length says so. */
inline bool right_length(const schedule& s, std::span<const std::byte> bytes, std::size_t length) {
  if (!s.mixed) return length == s.size;
  const auto header = wire::decode(bytes);
  return header && length == s.length(header->flow, header->sequence);
}

/** Takes what is left in the socket; what belongs to the round of `s` is booked as unread, and each such datagram given to `seen`. */
template <class Seen>
void book_unread(sample& out, int fd, const schedule& s, Seen seen) {
  constexpr std::uint64_t most = 1'000'000;
  const auto prefix = wire::encode({.flow = s.flow, .round = s.round, .run = s.run});
  const auto same = [&](const std::byte* bytes, std::size_t from, std::size_t to) {
    to = std::min(s.size, to);
    return to <= from || std::memcmp(bytes + from, prefix.data() + from, to - from) == 0;
  };
  net::drain_queue(fd, most, [&](const auto& bytes, std::size_t length) {
    // Of whatever flow.
    if (!right_length(s, bytes, length) || !same(bytes.data(), 0, wire::offset::flow) ||
        !same(bytes.data(), wire::offset::round, wire::offset::sequence))
      return;
    ++out.unread;
    seen(datagram{bytes, length});
  });
}

} // namespace udpbench::experiment
