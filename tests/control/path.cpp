// Whether datagrams of the other end arrive.
#include "catch.hpp"

#include <udpbench/control/path.hpp>

#include <chrono>
#include <string>

#include <sys/socket.h>

using namespace udpbench;
using namespace std::chrono_literals;

namespace {

const auto called_address = boost::asio::ip::make_address("127.0.0.1");

void say(const net::descriptor& from, const std::string& text) {
  CHECK(::send(from.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
}

} // namespace

TEST_CASE("the secret counts from the address that it is wanted of", "[control]") {
  control::path_check check(called_address, {}, called_address);
  const auto asked = check.question();
  const auto from = net::open_sender({called_address, asked.port});
  say(from, "udpbench path 0123");
  say(from, "");
  say(from, asked.token + "0");
  say(from, std::string(1'000, 'x'));
  CHECK_FALSE(check.arrived(0ms));
  say(from, asked.token);
  CHECK(check.arrived(10s) == net::local_endpoint(from.get()));
  CHECK_FALSE(check.arrived(0ms));
}

TEST_CASE("the secret doesn't count from another address", "[control]") {
  control::path_check check(called_address, {}, boost::asio::ip::make_address("127.0.0.2"));
  const auto asked = check.question();
  say(net::open_sender({called_address, asked.port}), asked.token);
  CHECK_FALSE(check.arrived(0ms));
}

TEST_CASE("each path has a secret of its own", "[control]") {
  control::path_check one(called_address, {}, called_address);
  control::path_check two(called_address, {}, called_address);
  CHECK(one.question().token != two.question().token);
}
