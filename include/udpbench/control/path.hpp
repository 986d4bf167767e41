/** @file
    Whether datagrams of the other end arrive: it sends a secret that it was told over the connection.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/digest.hpp>
#include <udpbench/error.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/record/key.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

namespace udpbench::control {

/** Where a secret is to be sent to, and the secret. */
struct path_question {
  std::uint16_t port = 0; ///< Of UDP, at the address of the one who asks.
  std::string token;      ///< What is to be sent there, as it stands.
};

/** Its keys. */
template <class Visitor, record::maybe_const<path_question> Question>
void fields(Visitor&& v, Question& q) {
  v("port", q.port);
  v("token", q.token);
}

/** The end that waits for a secret. Threads: one. */
class path_check {
 public:
  /** @param here  the address to which it has to be sent.
      @param ports  of which one is used.
      @param from  the only address from which it counts.
      Errors: throws `system_error`. */
  path_check(const boost::asio::ip::address& here, const net::port_range& ports,
             boost::asio::ip::address from)
      : socket_(net::open_receiver({here, 0}, {.ports = ports})),
        token_("udpbench path " + hex(random_bytes(16))),
        from_(std::move(from)) {}

  /** What the other end is to do. Errors: throws `system_error`. */
  path_question question() const { return {net::local_endpoint(socket_.get()).port(), token_}; }

  /** Where the secret came from, if it comes in time; anything else that comes is thrown away.
      Errors: none but std::bad_alloc. */
  std::optional<net::endpoint> arrived(std::chrono::milliseconds how_long) {
    const auto until = std::chrono::steady_clock::now() + how_long;
    for (;;) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      if (left.count() < 0) return {};
      pollfd wanted{socket_.get(), POLLIN, 0};
      if (::poll(&wanted, 1, static_cast<int>(left.count())) > 0)
        if (auto source = next()) return source;
    }
  }

 private:
  std::optional<net::endpoint> next() {
    std::array<char, 128> bytes;
    net::endpoint source;
    auto length = static_cast<socklen_t>(source.capacity());
    const auto n =
        ::recvfrom(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT, source.data(), &length);
    if (n < 0) return {};
    source.resize(length);
    const bool right = same_secret({bytes.data(), static_cast<std::size_t>(n)}, token_) &&
                       source.address() == from_;
    return right ? std::optional(source) : std::nullopt;
  }

  net::descriptor socket_;
  std::string token_;
  boost::asio::ip::address from_;
};

} // namespace udpbench::control
