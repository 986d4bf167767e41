/** @file
    Receive loops as they are written against Boost.Asio without this library: what its servers are held against.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/basic_server.hpp>
#include <udpbench/error.hpp>
#include <udpbench/measure/clock.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/net/open.hpp>
#include <udpbench/receiver.hpp>
#include <udpbench/take/page_buffer.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

#include <sys/socket.h>

namespace by_hand {

/** A blocking `recv` on the bare descriptor, which the kernel gives back after a tick without datagrams. Under traffic the clock is read
    once every 16: each of them would pay for more. As with the others here, `stop` comes from the thread that receives. */
class recv_loop {
 public:
  using time_point = udpbench::measure::monotonic_clock::time_point;

  explicit recv_loop(udpbench::measure::ledger& ledger) : ledger_(ledger) {}

  udpbench::net::endpoint open(const udpbench::net::endpoint& local,
                               const udpbench::server_options& options) {
    if (socket_) throw udpbench::system_error(udpbench::error::already_open);
    buffer_ = udpbench::take::page_buffer(options.largest_datagram);
    socket_ = udpbench::net::open_receiver(local, options.socket);
    udpbench::net::set_receive_timeout(socket_.get(), udpbench::server_tick);
    return udpbench::net::local_endpoint(socket_.get());
  }

  std::size_t receive(std::size_t n, time_point deadline) {
    std::size_t got = 0;
    while (got < n && socket_) {
      const auto length = ::recv(socket_.get(), buffer_.data(), buffer_.size(), MSG_TRUNC);
      if (length >= 0) {
        const auto whole = static_cast<std::size_t>(length);
        ledger_({buffer_.slice(0, std::min(whole, buffer_.size())), whole});
        ++got;
      }
      if ((length < 0 || got % 16 == 0) && got < n &&
          udpbench::measure::monotonic_clock::now() >= deadline)
        break;
    }
    return got;
  }

  void stop() noexcept { socket_.reset(); }

  int native_handle() const noexcept { return socket_.get(); }

 protected:
  auto buffer() const { return boost::asio::buffer(buffer_.data(), buffer_.size()); }

 private:
  udpbench::measure::ledger& ledger_;
  udpbench::take::page_buffer buffer_;
  udpbench::net::descriptor socket_;
};
static_assert(udpbench::receiver<recv_loop>);

/** A context, a socket, a buffer and a timer for the deadline; `Loop` adds how it receives. It is good enough for a comparison, which
    stops it from the thread that receives: no more is asked of it. */
template <class Loop>
class receiver {
 public:
  using time_point = udpbench::measure::monotonic_clock::time_point;

  explicit receiver(udpbench::measure::ledger& ledger) : ledger_(ledger) {}

  udpbench::net::endpoint open(const udpbench::net::endpoint& local,
                               const udpbench::server_options& options) {
    if (socket_) throw udpbench::system_error(udpbench::error::already_open);
    auto fd = udpbench::net::open_receiver(local, options.socket);
    const auto bound = udpbench::net::local_endpoint(fd.get());
    buffer_ = udpbench::take::page_buffer(options.largest_datagram);
    context_.emplace(1);
    socket_.emplace(*context_, bound.protocol(), fd.get());
    fd.release();
    timer_.emplace(*context_);
    tick();
    static_cast<Loop*>(this)->opened();
    return bound;
  }

  std::size_t receive(std::size_t n, time_point deadline) {
    if (!socket_ || n == 0) return 0;
    left_ = n;
    over_ = false;
    deadline_ = deadline;
    context_->restart();
    static_cast<Loop*>(this)->begin();
    context_->run();
    return n - left_;
  }

  void stop() noexcept {
    static_cast<Loop*>(this)->closing();
    timer_.reset();
    socket_.reset();
    context_.reset();
  }

  int native_handle() { return socket_ ? socket_->native_handle() : -1; }

 protected:
  ~receiver() = default;

  auto buffer() { return boost::asio::buffer(buffer_.data(), buffer_.size()); }

  void count(std::size_t length) {
    ledger_({buffer_.slice(0, std::min(length, buffer_.size())), length});
    --left_;
  }

  /** Looks at the deadline now and then; a timer for each call of `receive` would show in the figures. */
  void tick() {
    timer_->expires_after(udpbench::server_tick);
    timer_->async_wait([this](const udpbench::error_code& ec) {
      if (ec) return;
      over_ = udpbench::measure::monotonic_clock::now() >= deadline_;
      if (over_) socket_->cancel();
      tick();
    });
  }

  udpbench::measure::ledger& ledger_;
  udpbench::take::page_buffer buffer_{1};
  std::optional<boost::asio::io_context> context_;
  std::optional<boost::asio::ip::udp::socket> socket_;
  std::optional<boost::asio::steady_timer> timer_;
  time_point deadline_;
  std::size_t left_ = 0;
  bool over_ = false;
};

/** `async_receive`, whose handler starts the next. */
class async_loop : public receiver<async_loop> {
 public:
  using receiver::receiver;
  ~async_loop() { stop(); }

  void opened() {}
  void closing() noexcept {}
  void begin() {
    socket_->async_receive(buffer(), MSG_TRUNC,
                           [this](const udpbench::error_code& ec, std::size_t length) {
                             if (!ec) count(length);
                             if (left_ == 0 || over_)
                               context_->stop();
                             else
                               begin();
                           });
  }
};

/** A coroutine that awaits `async_receive`, and between two calls of `receive` a timer. */
class coroutine_loop : public receiver<coroutine_loop> {
 public:
  using receiver::receiver;
  ~coroutine_loop() { stop(); }

  void opened() {
    gate_.emplace(*context_, boost::asio::steady_timer::time_point::max());
    boost::asio::co_spawn(*context_, run(), boost::asio::detached);
  }
  void closing() noexcept { gate_.reset(); }
  void begin() { gate_->cancel(); }

 private:
  boost::asio::awaitable<void> run() {
    udpbench::error_code ec;
    auto token = boost::asio::redirect_error(boost::asio::use_awaitable, ec);
    for (;;) {
      // Once in any case: a tick that was due before this call of `receive` may have been first.
      do {
        const std::size_t length = co_await socket_->async_receive(buffer(), MSG_TRUNC, token);
        if (!ec) count(length);
      } while (left_ != 0 && !over_);
      context_->stop();
      gate_->expires_at(boost::asio::steady_timer::time_point::max());
      co_await gate_->async_wait(token);
    }
  }

  std::optional<boost::asio::steady_timer> gate_;
};
static_assert(udpbench::receiver<async_loop> && udpbench::receiver<coroutine_loop>);

} // namespace by_hand
