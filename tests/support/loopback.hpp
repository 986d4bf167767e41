/** @file
    Sockets of this host for tests: each port is the system's choice, and every wait has a deadline that fails the test.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include "payload.hpp"

#include <udpbench/net/affinity.hpp>
#include <udpbench/net/open.hpp>

#include <boost/asio/ip/udp.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

namespace support {

namespace net = udpbench::net;

/** No test waits longer for anything. */
inline constexpr std::chrono::seconds deadline{20};

inline net::endpoint v4() { return {boost::asio::ip::address_v4::loopback(), 0}; }
inline net::endpoint v6() { return {boost::asio::ip::address_v6::loopback(), 0}; }

/** Whether this host has `local`'s address. */
inline bool usable(const net::endpoint& local) {
  try {
    net::open_receiver(local);
    return true;
  } catch (const udpbench::system_error&) {
    return false;
  }
}

/** Waits for `events` of poll(2), of which errors are always some. */
inline bool wait_for(int fd, short events) {
  pollfd p{fd, events, 0};
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(deadline);
  return ::poll(&p, 1, static_cast<int>(ms.count())) == 1;
}

/** Throws what fails the test, unless `holds`. */
inline void need(bool holds, const char* what) {
  if (!holds)
    throw std::runtime_error(std::string("not before the deadline, or not at all: ") + what);
}

/** The next datagram of `fd`. */
inline bytes receive(int fd) {
  need(wait_for(fd, POLLIN), "a datagram to receive");
  bytes out(65'536);
  const auto length = ::recv(fd, out.data(), out.size(), MSG_DONTWAIT);
  need(length >= 0, "receiving a datagram");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

/** Whether nothing is queued in `fd`. */
inline bool drained(int fd) {
  std::byte b{};
  return ::recv(fd, &b, 1, MSG_DONTWAIT | MSG_PEEK) < 0;
}

/** A receiving socket and one that sends to it. The calling thread stays on its cpu for as long as this exists, so that
    datagrams arrive in the order in which they were sent. */
class link {
 public:
  explicit link(const net::endpoint& local = v4(), std::size_t receive_buffer_bytes = 4 << 20)
      : receiver_(net::open_receiver(local, {receive_buffer_bytes})),
        sender_(net::open_sender(net::local_endpoint(receiver_.get()))),
        fence_(net::open_receiver(local)),
        to_fence_(net::open_sender(net::local_endpoint(fence_.get()))) {}

  int receiver() const noexcept { return receiver_.get(); }
  int sender() const noexcept { return sender_.get(); }
  net::endpoint endpoint() const { return net::local_endpoint(receiver_.get()); }

  /** Puts a datagram into the receiver's queue. */
  void queue(std::span<const std::byte> datagram) {
    need(::send(sender_.get(), datagram.data(), datagram.size(), 0) >= 0, "sending a datagram");
    settle();
  }

  /** Returns once all that was sent before has reached its queue: what is sent later, to another socket, has. */
  void settle() {
    const std::byte b{};
    need(::send(to_fence_.get(), &b, 1, 0) == 1, "sending to the fence");
    receive(fence_.get());
  }

 private:
  static std::optional<unsigned> this_cpu() noexcept {
    const int cpu = ::sched_getcpu();
    return cpu < 0 ? std::nullopt : std::optional(static_cast<unsigned>(cpu));
  }

  net::scoped_affinity stay_{this_cpu()};
  net::descriptor receiver_;
  net::descriptor sender_;
  net::descriptor fence_;
  net::descriptor to_fence_;
};

/** A port of this host that refuses what others send. It is held for as long as this exists, by a socket that hears
    itself alone, so that nobody else is given it. */
class closed_port {
 public:
  explicit closed_port(const net::endpoint& local = v4()) : holder_(net::open_receiver(local)) {
    const auto own = endpoint();
    need(::connect(holder_.get(), own.data(), static_cast<socklen_t>(own.size())) == 0,
         "connecting a socket to itself");
  }

  net::endpoint endpoint() const { return net::local_endpoint(holder_.get()); }

 private:
  net::descriptor holder_;
};

} // namespace support
