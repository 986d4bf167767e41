// An end that is gone, or has had its time, is noticed.
#include "catch.hpp"
#include "ends.hpp"

#include <udpbench/control/connection_watch.hpp>

#include <chrono>
#include <functional>
#include <thread>

using namespace udpbench;
using namespace std::chrono_literals;
using control::connection_watch;

namespace {

bool comes_true(const std::function<bool()>& what) {
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (!what() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  return what();
}

} // namespace

TEST_CASE("an end that is gone is noticed, and one that only talks is not", "[control]") {
  control::ends connection;
  const connection_watch watch(connection.here.native_handle());
  connection.there.send("something", 10s);
  CHECK(connection.here.receive(10s) == "something");
  CHECK_FALSE(watch.over());
  connection.there.shut_down();
  CHECK(comes_true([&] { return watch.over().load(); }));
  CHECK_NOTHROW(watch.check_time());
}

TEST_CASE("this end notices, too, when it shuts the connection down itself", "[control]") {
  control::ends connection;
  const connection_watch watch(connection.here.native_handle());
  connection.here.shut_down();
  CHECK(comes_true([&] { return watch.over().load(); }));
}

TEST_CASE("an end whose time is over is told so, and then cut off", "[control]") {
  control::ends connection;
  const connection_watch watch(connection.here.native_handle(), 0s, 0ms);
  CHECK(comes_true([&] { return watch.over().load(); }));
  CHECK_THROWS_WITH(watch.check_time(), Catch::StartsWith("session: this server allows 0 s"));
  CHECK_THROWS_AS(connection.there.receive(30s), control::closed_error);
}

TEST_CASE("an end that has time left may stay", "[control]") {
  control::ends connection;
  const connection_watch watch(connection.here.native_handle(), 3600s);
  CHECK_NOTHROW(watch.check_time());
  CHECK_FALSE(watch.over());
}
