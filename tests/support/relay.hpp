/** @file
    A relay between a client and a server of this host, which forwards what it is told to, when it is told to.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "impairment.hpp"
#include "loopback.hpp"
#include "payload.hpp"

#include <udpbench/net/affinity.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/wire/header.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

namespace support {

/** Takes a round's datagrams from the client, keeps them and those of the round before, and makes parcels of them.
    It has no thread and no clock: whoever calls it decides how much is under way at any time. The calling thread stays on its cpu
    for as long as this exists, so that parcels arrive in the order in which they were forwarded. */
class relay {
 public:
  explicit relay(const net::endpoint& server)
      : from_client_(net::open_receiver(v4(), {.receive_buffer_bytes = 1 << 20})),
        to_server_(net::open_sender(server)) {}

  /** Where clients send to. */
  net::endpoint endpoint() const { return net::local_endpoint(from_client_.get()); }

  /** Takes exactly n more datagrams of this round. */
  void take(std::size_t n) {
    std::array<std::byte, 2048> buffer;
    for (std::size_t i = 0; i < n; ++i) {
      need(wait_for(from_client_.get(), POLLIN), "a datagram to relay");
      const auto length =
          ::recv(from_client_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
      need(length >= 0 && static_cast<std::size_t>(length) <= buffer.size(),
           "taking a datagram whole");
      current_.emplace_back(buffer.begin(), buffer.begin() + length);
    }
  }

  /** Makes what was taken the round before. */
  void next_round() { previous_ = std::exchange(current_, {}); }

  void forward(std::span<const parcel> parcels) const {
    for (const parcel& p : parcels) {
      const bytes datagram = made(p);
      need(::send(to_server_.get(), datagram.data(), datagram.size(), 0) ==
               static_cast<ssize_t>(datagram.size()),
           "forwarding a datagram");
    }
  }

  /** Whether the client sent nothing beyond what was taken, and the kernel kept all of it. */
  bool has_all() const {
    return drained(from_client_.get()) && net::drop_counter(from_client_.get()).value_or(0) == 0;
  }

  const std::vector<bytes>& taken() const noexcept { return current_; }

 private:
  bytes made(const parcel& p) const {
    bytes out = (p.of_previous ? previous_ : current_).at(p.index);
    namespace wire = udpbench::wire;
    const auto add = [&]<class T>(std::size_t offset, T more) {
      std::byte* at = out.data() + offset;
      wire::store(at, static_cast<T>(wire::load<T>(at) + more));
    };
    constexpr std::uint16_t one = 1;
    constexpr std::uint16_t minus_one = 0xffff;
    switch (p.what) {
    case parcel::content::original:
      break;
    case parcel::content::wrong_magic:
      add(wire::offset::magic, std::uint32_t{one});
      break;
    case parcel::content::wrong_run:
      add(wire::offset::run, std::uint64_t{one});
      break;
    case parcel::content::wrong_flow:
      add(wire::offset::flow, one);
      break;
    case parcel::content::later_round:
      add(wire::offset::round, one);
      break;
    case parcel::content::earlier_round:
      add(wire::offset::round, minus_one);
      break;
    }
    out.resize(p.size, std::byte{0xa5});
    return out;
  }

  static std::optional<unsigned> this_cpu() noexcept {
    const int cpu = ::sched_getcpu();
    return cpu < 0 ? std::nullopt : std::optional(static_cast<unsigned>(cpu));
  }

  net::scoped_affinity stay_{this_cpu()};
  net::descriptor from_client_;
  net::descriptor to_server_;
  std::vector<bytes> previous_;
  std::vector<bytes> current_;
};

} // namespace support
