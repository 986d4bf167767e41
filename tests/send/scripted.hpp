/** @file
    A send policy and a pacing that follow a script, and note what was asked of them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "payload.hpp"

#include <udpbench/pace/pacing.hpp>
#include <udpbench/send/send_policy.hpp>
#include <udpbench/wire/header.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <vector>

namespace scripted {

/** What a send policy does at each call, and accepts all when the script is at its end. */
struct network {
  std::deque<udpbench::send::outcome> script;
  std::vector<support::bytes> offered;  ///< Every datagram of every call.
  std::vector<support::bytes> accepted; ///< Those of them that were accepted.
  std::vector<std::size_t> calls;       ///< How many were offered by each.
  std::atomic<bool>* raise = nullptr;   ///< Becomes true in call `raise_in`.
  std::size_t raise_in = 0;

  udpbench::send::outcome send(const udpbench::send::datagrams& d) {
    calls.push_back(d.count);
    if (calls.size() > 1000) throw std::length_error("this sending has no end");
    if (raise != nullptr && calls.size() == raise_in) *raise = true;
    udpbench::send::outcome done{d.count, 0, {}};
    if (!script.empty()) {
      done = script.front();
      script.pop_front();
    }
    for (std::size_t i = 0; i < d.count; ++i) {
      const std::span one(d.data + i * d.size, d.size);
      offered.emplace_back(one.begin(), one.end());
      if (i < done.accepted) accepted.emplace_back(one.begin(), one.end());
    }
    return done;
  }
};

/** Gives up to four datagrams at a time to a network. */
struct policy {
  network* to = nullptr;

  static constexpr std::size_t most(std::size_t) noexcept { return 4; }
  udpbench::send::outcome operator()(int, const udpbench::send::datagrams& d) noexcept {
    return to->send(d);
  }
};
static_assert(udpbench::send_policy<policy>);

/** What a pacing was asked for and lets through. */
struct timetable {
  std::deque<udpbench::pace::admission> script; ///< Then all, at time 0.
  int begun = 0;
  std::vector<std::uint64_t> offered;
  std::vector<std::size_t> most;
};

struct pace {
  timetable* table = nullptr;

  void begin() { ++table->begun; }
  udpbench::pace::admission admit(std::uint64_t offered, std::size_t most) {
    table->offered.push_back(offered);
    table->most.push_back(most);
    if (table->script.empty()) return {most, 0};
    const auto admitted = table->script.front();
    table->script.pop_front();
    return admitted;
  }
};
static_assert(udpbench::pacing<pace>);

/** The sequence numbers of datagrams. */
inline std::vector<std::uint64_t> sequences(const std::vector<support::bytes>& datagrams) {
  std::vector<std::uint64_t> out;
  for (const auto& d : datagrams) out.push_back(udpbench::wire::decode(d).value().sequence);
  return out;
}

} // namespace scripted
