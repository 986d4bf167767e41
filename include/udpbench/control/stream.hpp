/** @file
    A connected stream socket that carries messages.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/framing.hpp>
#include <udpbench/control/seal.hpp>
#include <udpbench/net/descriptor.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace udpbench::control {

/** The other end has closed the stream, or died. */
class closed_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** The other end has not answered in time. */
class timeout_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** Messages, whole, over a stream socket. Threads: one at a time. */
class stream {
 public:
  using clock = std::chrono::steady_clock; ///< Of deadlines.

  /** Takes over a connected stream socket, which doesn't block from now on.
      @param socket  of whatever kind.
      @param longest  bytes of a message that it receives. */
  explicit stream(net::descriptor socket, std::size_t longest = longest_message) noexcept
      : socket_(std::move(socket)), in_(longest) {
    ::fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
  }

  /** From now on every message has a seal, in both directions.
      @param session_key  of this connection.
      @param me  which end this one is. */
  void seal_by(const std::string& session_key, end me) {
    mine_.emplace(session_key, me);
    its_.emplace(session_key, me == end::client ? end::server : end::client);
  }

  /** Ends the connection, also under a call of another thread, which then throws `closed_error`. Threads: any. */
  void shut_down() noexcept { ::shutdown(socket_.get(), SHUT_RDWR); }

  /** Says that nothing more will be sent, and waits until the other end has closed the stream, but no longer than `how_long`. */
  void say_goodbye(std::chrono::milliseconds how_long) noexcept {
    ::shutdown(socket_.get(), SHUT_WR);
    const waiting until(how_long);
    std::array<char, 4096> rest;
    try {
      for (;;) {
        const auto n = ::read(socket_.get(), rest.data(), rest.size());
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return;
        if (n < 0) wait(POLLIN, until);
      }
    } catch (const std::exception&) {
      // It has taken too long.
    }
  }

  /** The socket's descriptor. Lifetime: this object's. */
  int native_handle() const noexcept { return socket_.get(); }

  /** Sends a message; waits for room no longer than `patience`.
      Errors: throws `closed_error`, `timeout_error`, `protocol_error` where it is too long; std::system_error. */
  void send(std::string_view message, std::chrono::milliseconds patience) {
    const waiting until(patience);
    const std::string bytes = framed(mine_ ? mine_->put_on(message) : std::string(message));
    std::string_view left = bytes;
    while (!left.empty()) {
      const auto n = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
      if (n >= 0)
        left.remove_prefix(static_cast<std::size_t>(n));
      else if (errno == EAGAIN || errno == EWOULDBLOCK)
        wait(POLLOUT, until);
      else if (errno != EINTR)
        fail();
    }
  }

  /** Receives the next message; waits no longer than `patience`, or for as long as it takes if that is empty.
      Errors: throws `closed_error`, `timeout_error`, `protocol_error` where one is announced that is too long; std::system_error. */
  std::string receive(std::optional<std::chrono::milliseconds> patience) {
    const waiting until(patience);
    std::array<char, 65'536> part;
    for (;;) {
      if (auto message = in_.next()) return its_ ? its_->take_off(*message) : std::move(*message);
      const auto n = ::read(socket_.get(), part.data(), part.size());
      if (n > 0)
        in_.add({part.data(), static_cast<std::size_t>(n)});
      else if (n == 0)
        throw closed_error("the other end has closed the connection");
      else if (errno == EAGAIN || errno == EWOULDBLOCK)
        wait(POLLIN, until);
      else if (errno != EINTR)
        fail();
    }
  }

 private:
  [[noreturn]] static void fail() {
    if (errno == EPIPE || errno == ECONNRESET)
      throw closed_error("the other end has closed the connection");
    if (errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH)
      throw closed_error("the other end can't be reached any more: " +
                         std::generic_category().message(errno));
    throw std::system_error(errno, std::generic_category(), "the connection to the other end");
  }

  /** A patience that has begun; without one it has no end. */
  struct waiting {
    explicit waiting(std::optional<std::chrono::milliseconds> p) noexcept : patience(p) {}

    std::optional<std::chrono::milliseconds> patience;
    clock::time_point since = clock::now();
  };

  void wait(short what, const waiting& until) const {
    int timeout = -1;
    if (until.patience) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until.since + *until.patience -
                                                                     clock::now());
      if (left.count() <= 0)
        throw timeout_error("no answer for " + std::to_string(until.patience->count()) + " ms");
      timeout = static_cast<int>(std::min<std::int64_t>(left.count(), 60'000));
    }
    pollfd wanted{socket_.get(), what, 0};
    if (::poll(&wanted, 1, timeout) < 0 && errno != EINTR) fail();
  }

  net::descriptor socket_;
  unframer in_;
  std::optional<seal> mine_; ///< Of what is sent.
  std::optional<seal> its_;  ///< Of what is received.
};

} // namespace udpbench::control
