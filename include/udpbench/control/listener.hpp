/** @file
    A server that other hosts connect to: who may come in, and one at a time.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/control/framing.hpp>
#include <udpbench/control/handshake.hpp>
#include <udpbench/control/messages.hpp>
#include <udpbench/control/seal.hpp>
#include <udpbench/control/stream.hpp>
#include <udpbench/error.hpp>
#include <udpbench/experiment/machine.hpp>
#include <udpbench/net/descriptor.hpp>
#include <udpbench/net/stream_socket.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/thread/thread.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace udpbench::control {

/** A connection whose other end has shown that it may come in. */
struct admitted {
  stream connection;            ///< With its seal on, if there is a key.
  net::stream_endpoint client;  ///< Its other end.
  net::stream_endpoint address; ///< This end: what the client has called.
};

/** How a server takes its clients. */
struct admission {
  net::stream_endpoint listen = {};     ///< Port 0: any.
  std::string version = {};             ///< Of udpbench.
  std::optional<control::key> key = {}; ///< Empty: whoever comes may come in.
  bool once = false;                    ///< The first session is the last.
  std::size_t callers =
      64; ///< That are neither in nor turned away; one more, and the oldest has to go.
  std::chrono::milliseconds patience{5'000};         ///< With each of them.
  std::function<void(const std::string&)> note = {}; ///< Told what happens, in a line each.
  std::vector<int> signals = {};                     ///< That end it, as `listener::stop` does.
};

/** Listens, and has one client served at a time; others are told that it is busy. Whatever comes that is no client costs no more than a
    connection for a short while. Threads: `run` in one; the sessions in another, of its own; `stop` from any. */
class listener {
 public:
  /** Serves one client, on a thread of the listener's. Throws what it likes: it is noted. */
  using serve_client = std::function<void(admitted&)>;

  /** Binds. Errors: throws `system_error` where the address can't be had. */
  listener(admission how, serve_client serve)
      : how_(std::move(how)), serve_(std::move(serve)), acceptor_(context_, how_.listen) {
    for (const int each : how_.signals) signals_.add(each);
  }
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;
  ~listener() { finish(); }

  /** Where it listens. */
  net::stream_endpoint endpoint() const { return acceptor_.local_endpoint(); }

  /** Listens until `stop`, or until the one session is over. Errors: throws `system_error` where nothing can be accepted. */
  void run() {
    if (!how_.signals.empty())
      signals_.async_wait([this](const error_code& cancelled, int) {
        if (!cancelled) close();
      });
    boost::asio::co_spawn(context_, accept_all(), [](const std::exception_ptr& problem) {
      if (problem) std::rethrow_exception(problem);
    });
    context_.run();
    finish();
  }

  /** Ends `run`, and the session that lasts. */
  void stop() {
    boost::asio::post(context_, [this] { close(); });
  }

 private:
  using socket = boost::asio::ip::tcp::socket;
  template <class T>
  using awaitable = boost::asio::awaitable<T>;

  struct caller {
    caller(socket s, boost::asio::io_context& c) : connection(std::move(s)), patience(c) {}

    socket connection;
    boost::asio::steady_timer patience;
  };
  using callers = std::list<std::shared_ptr<caller>>;

  void note(const std::string& line) const {
    if (how_.note) how_.note(line);
  }

  /** Thousands may come, and one line a second is enough of them. */
  void note_turned_away(const std::string& why) {
    ++turned_away_;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_note_) return;
    note((turned_away_ == 1 ? "a caller was" : std::to_string(turned_away_) + " callers were") +
         " turned away, the last: " + why);
    turned_away_ = 0;
    next_note_ = now + std::chrono::seconds(1);
  }

  awaitable<void> accept_all() {
    for (;;) {
      error_code problem;
      socket s = co_await acceptor_.async_accept(
          boost::asio::redirect_error(boost::asio::use_awaitable, problem));
      if (!acceptor_.is_open()) co_return;
      if (problem) {
        // Such as too many descriptors: some will be closed.
        boost::asio::steady_timer rest(context_, std::chrono::milliseconds(100));
        co_await rest.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, problem));
        continue;
      }
      if (callers_.size() >= how_.callers) turn_out(callers_.front());
      callers_.push_back(std::make_shared<caller>(std::move(s), context_));
      boost::asio::co_spawn(context_, hear(std::prev(callers_.end())), boost::asio::detached);
    }
  }

  static void turn_out(const std::shared_ptr<caller>& who) {
    error_code ignored;
    who->connection.close(ignored);
    who->patience.cancel();
  }

  awaitable<void> hear(callers::iterator place) {
    const std::shared_ptr<caller> who = *place;
    try {
      net::look_after(who->connection.native_handle());
      who->patience.expires_after(how_.patience);
      who->patience.async_wait([who](const error_code& cancelled) {
        if (!cancelled) turn_out(who);
      });
      co_await shake_hands(*who);
    } catch (const std::exception& e) {
      note_turned_away(e.what());
    }
    turn_out(who);
    callers_.erase(place);
  }

  awaitable<void> shake_hands(caller& who) {
    server_handshake handshake({.version = how_.version, .key = how_.key});
    unframer in(longest_of_handshake);
    std::array<char, 2 * longest_of_handshake> part;
    while (!handshake.done()) {
      const std::size_t n = co_await who.connection.async_read_some(boost::asio::buffer(part),
                                                                    boost::asio::use_awaitable);
      in.add({part.data(), n});
      while (auto message = in.next()) {
        std::string reply;
        std::exception_ptr problem;
        try {
          reply = handshake.receive(*message);
        } catch (const handshake_error&) {
          reply = handshake.farewell();
          problem = std::current_exception();
        }
        if (!reply.empty())
          co_await boost::asio::async_write(who.connection, boost::asio::buffer(framed(reply)),
                                            boost::asio::use_awaitable);
        if (problem) std::rethrow_exception(problem);
      }
    }
    if (!in.empty()) throw protocol_error("more was sent than the handshake takes");
    let_in(who, handshake);
  }

  void let_in(caller& who, const server_handshake& handshake) {
    who.patience.cancel();
    net::descriptor connection(who.connection.release());
    const auto client = net::remote_end(connection.get());
    const auto address = net::local_end(connection.get());
    auto in = std::make_unique<admitted>(
        admitted{stream(std::move(connection), longest_of_session), client, address});
    if (how_.key) in->connection.seal_by(handshake.session_key(), end::server);
    if (session_) {
      in->connection.send(refusal("it is busy with another client, since " + since_),
                          std::chrono::milliseconds(100));
      throw handshake_error("busy");
    }
    begin_session(std::move(in));
  }

  void begin_session(std::unique_ptr<admitted> in) {
    since_ = experiment::utc_now();
    session_ = std::move(in);
    note("client " + net::written(session_->client) + " is served");
    try {
      start_session();
    } catch (...) {
      session_.reset();
      throw;
    }
  }

  void start_session() {
    thread_ = boost::thread([this, working = boost::asio::make_work_guard(context_)] {
      std::string end = "has gone";
      try {
        serve_(*session_);
      } catch (const std::exception& e) {
        end = std::string("is given up: ") + e.what();
      } catch (...) {
        end = std::string("is given up: ") + unknown_exception;
      }
      boost::asio::post(context_, [this, end] { end_session(end); });
    });
  }

  void end_session(const std::string& end) {
    thread_.join();
    note("client " + net::written(session_->client) + " " + end);
    session_.reset();
    if (how_.once) close();
  }

  /** Nothing new begins. */
  void close() {
    error_code ignored;
    acceptor_.close(ignored);
    signals_.cancel(ignored);
    for (const auto& who : callers_) turn_out(who);
    if (session_) session_->connection.shut_down();
  }

  void finish() {
    if (session_) session_->connection.shut_down();
    if (thread_.joinable()) thread_.join();
  }

  admission how_;
  serve_client serve_;
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::signal_set signals_{context_};
  callers callers_;
  std::size_t turned_away_ = 0; ///< Since the last note of that.
  std::chrono::steady_clock::time_point next_note_{};
  std::unique_ptr<admitted> session_; ///< The one that lasts.
  std::string since_;                 ///< When it began.
  boost::thread thread_;              ///< Its.
};

} // namespace udpbench::control
