// Messages over a socket.
#include "catch.hpp"
#include "ends.hpp"

#include <boost/thread/scoped_thread.hpp>

#include <chrono>
#include <string>

#include <sys/socket.h>

using namespace std::chrono_literals;
namespace control = udpbench::control;

TEST_CASE("a message of any length crosses a stream", "[control]") {
  control::ends both;
  // Longer than any socket's buffer, so that each end has to wait for the other.
  const std::string longest(control::longest_message, 'x');
  std::string received;
  {
    const boost::scoped_thread<> reader([&] { received = both.there.receive(10s); });
    both.here.send(longest, 10s);
  }
  CHECK(received == longest);
}

TEST_CASE("a stream that the other end has closed says so", "[control]") {
  control::ends both;
  both.here.send("last words", 1s);
  {
    const control::stream closed = std::move(both.here);
  }
  CHECK(both.there.receive(1s) == "last words");
  CHECK_THROWS_AS(both.there.receive(1s), control::closed_error);
  CHECK_THROWS_AS(both.there.send("anybody?", 1s), control::closed_error);
}

TEST_CASE("a silent other end is no reason to wait for ever", "[control]") {
  control::ends both;
  CHECK_THROWS_AS(both.here.receive(1ms), control::timeout_error);
  const std::string longest(control::longest_message, 'x');
  CHECK_THROWS_AS(both.here.send(longest, 1ms), control::timeout_error);
}

TEST_CASE("a stream that doesn't keep to the protocol is left", "[control]") {
  int fds[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
  const udpbench::net::descriptor browser(fds[0]);
  control::stream here{udpbench::net::descriptor(fds[1])};
  const std::string words = "GET / HTTP/1.1\r\n";
  REQUIRE(::send(browser.get(), words.data(), words.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(words.size()));
  CHECK_THROWS_AS(here.receive(1s), control::protocol_error);
}
