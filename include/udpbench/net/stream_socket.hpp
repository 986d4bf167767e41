/** @file
    Connections of TCP to other hosts.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/error.hpp>
#include <udpbench/net/descriptor.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cerrno>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace udpbench::net {

/** An address and a port of TCP. */
using stream_endpoint = boost::asio::ip::tcp::endpoint;

/** An endpoint in words: an IPv6 address stands in brackets. */
inline std::string written(const stream_endpoint& e) {
  std::ostringstream out;
  out << e;
  return out.str();
}

/** The addresses of a host, in the order in which they are to be tried. An address in words is its own, with its scope.
    Errors: throws `system_error`; `boost::asio::error::timed_out` where nobody tells in time. */
inline std::vector<boost::asio::ip::address> resolve(const std::string& host,
                                                     std::chrono::milliseconds patience) {
  using boost::asio::ip::address;
  error_code none;
  if (const auto itself = boost::asio::ip::make_address(host, none); !none) return {itself};
  // It can't be interrupted, so it is left alone where it takes too long.
  struct question {
    std::string host;
    std::promise<std::vector<address>> answer;
  };
  const auto asked = std::make_shared<question>();
  asked->host = host;
  auto told = asked->answer.get_future();
  std::thread([asked] {
    try {
      boost::asio::io_context context;
      boost::asio::ip::tcp::resolver resolver(context);
      std::vector<address> all;
      for (const auto& each : resolver.resolve(asked->host, ""))
        all.push_back(each.endpoint().address());
      asked->answer.set_value(std::move(all));
    } catch (...) {
      asked->answer.set_exception(std::current_exception());
    }
  }).detach();
  if (told.wait_for(patience) != std::future_status::ready)
    throw system_error(boost::asio::error::timed_out, "look up the host " + host);
  return told.get();
}

/** Connects. Errors: throws `system_error`; `boost::asio::error::timed_out` where nobody answers in time. Source: connect(2). */
inline descriptor connect_stream(const stream_endpoint& to, std::chrono::milliseconds patience) {
  const auto fail = [&to](int why) {
    throw system_error({why, boost::system::system_category()}, "connect to " + written(to));
  };
  descriptor fd(::socket(to.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) fail(errno);
  if (::connect(fd.get(), to.data(), static_cast<socklen_t>(to.size())) == 0) return fd;
  if (errno != EINPROGRESS) fail(errno);
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) fail(ETIMEDOUT);
    pollfd wanted{fd.get(), POLLOUT, 0};
    if (::poll(&wanted, 1, static_cast<int>(left.count())) > 0) break;
  }
  int problem = 0;
  socklen_t length = sizeof problem;
  ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &problem, &length);
  if (problem != 0) fail(problem);
  return fd;
}

/** Has the kernel look after a connection: small messages go out at once, and one whose other host is gone ends within some 10 s, also
    where nothing is sent. Source: tcp(7). */
inline void look_after(int fd) noexcept {
  const auto set = [fd](int level, int name, int value) {
    ::setsockopt(fd, level, name, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 3);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 2);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 9'000);
}

namespace detail {

template <class Name>
stream_endpoint stream_end(int fd, Name name) {
  stream_endpoint e;
  auto length = static_cast<socklen_t>(e.capacity());
  if (name(fd, e.data(), &length) != 0)
    throw system_error({errno, boost::system::system_category()}, "the ends of a connection");
  e.resize(length);
  // One of IPv4 looks so where a socket of IPv6 listens for both.
  if (e.address().is_v6() && e.address().to_v6().is_v4_mapped())
    e.address(boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, e.address().to_v6()));
  return e;
}

} // namespace detail

/** The other end of a connection, an IPv6 address with its scope. Errors: throws `system_error`. */
inline stream_endpoint remote_end(int fd) { return detail::stream_end(fd, ::getpeername); }
/** This end of a connection. Errors: throws `system_error`. */
inline stream_endpoint local_end(int fd) { return detail::stream_end(fd, ::getsockname); }

} // namespace udpbench::net
