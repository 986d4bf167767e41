/** @file
    The coroutine server: one coroutine that awaits datagram after datagram.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/loop_server.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/handler_memory.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/take/one.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>

#include <sys/socket.h>

namespace udpbench {

/** Receives by awaiting `async_receive`; with a take policy of its own system call by awaiting readability and taking what is there.
    The coroutine lives as long as the server is open: between two calls of `receive` it is parked on a timer, since starting
    one anew for each call would cost each datagram some 16 ns. Each operation's memory is asked of `Memory`; the coroutine's own frame
    comes from Asio. See `basic_server` for its face.
    Lifetime: the sink outlives it. */
template <datagram_sink Sink, take_policy Take = take::one,
          handler_memory Memory = memory::recycling>
class coroutine_server
    : public loop_server<coroutine_server<Sink, Take, Memory>, Sink, Take, Memory> {
  using loop = loop_server<coroutine_server, Sink, Take, Memory>;
  friend loop;

 public:
  /** @param sink  takes each datagram; outlives the server. */
  explicit coroutine_server(Sink& sink) : loop(sink) {}
  ~coroutine_server() { this->stop(); }

 private:
  void opened() {
    gate_.emplace(this->context());
    running_ = false;
  }

  void closing() noexcept { gate_.reset(); }

  /** Asio has given up a coroutine whose operation couldn't be started, and will destroy it; the next `receive` starts another. */
  void thrown() noexcept { running_ = false; }

  void resume() {
    if (running_) {
      gate_->cancel();
      return;
    }
    running_ = true;
    boost::asio::co_spawn(this->context(), run(), [](std::exception_ptr what) {
      if (what) std::rethrow_exception(what);
    });
  }

  boost::asio::awaitable<void> run() {
    error_code ec;
    const auto with = [&ec](auto& from) {
      return boost::asio::bind_allocator(
          memory::bound_allocator<void, std::remove_reference_t<decltype(from)>>(from),
          boost::asio::redirect_error(boost::asio::use_awaitable, ec));
    };
    auto token = with(this->memory());
    auto parked = with(gate_memory_);
    for (;;) {
      // The first operation is started in any case: a tick that was left over from the last `receive` may have been first.
      do {
        if constexpr (asio_take<Take>) {
          const std::size_t length =
              co_await this->socket().async_receive(this->buffer(), MSG_TRUNC, token);
          this->received(ec, length);
        } else {
          co_await this->socket().async_wait(loop::socket_type::wait_read, token);
          this->readable(ec);
        }
      } while (!this->finished());
      this->leave();
      gate_->expires_at(boost::asio::steady_timer::time_point::max());
      co_await gate_->async_wait(parked);
    }
  }

  memory::fixed_block<> gate_memory_; // Its wait is no operation under test.
  std::optional<boost::asio::steady_timer> gate_;
  bool running_ = false;
};

} // namespace udpbench
