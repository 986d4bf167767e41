// What a client may have a server send, and where to.
#include "catch.hpp"
#include "ends.hpp"

#include <udpbench/control/hangup_watch.hpp>
#include <udpbench/control/sending.hpp>
#include <udpbench/net/queue.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

using namespace udpbench;
using control::limit_error;
using control::sending_desk;
using control::sending_plan;
using experiment::load_kind;

namespace {

const auto client = boost::asio::ip::make_address("127.0.0.1");

/** A socket of the client's, and whatever it got. */
struct client_socket {
  net::descriptor fd = net::open_receiver({client, 0});
  net::endpoint at = net::local_endpoint(fd.get());

  std::uint64_t got() const {
    return net::drain_queue(fd.get(), 1'000, [](auto&, std::size_t) {});
  }
};

sending_plan to(const client_socket& socket) {
  sending_plan p;
  p.load.what = load_kind::flood;
  p.ports = {socket.at.port()};
  return p;
}

} // namespace

TEST_CASE("a port that has asked gets what is sent, and one that hasn't gets nothing",
          "[control]") {
  control::ends connection;
  const client_socket wanting;
  const client_socket third;
  sending_desk desk(client, {});
  const int fd = connection.here.native_handle();
  CHECK_THROWS_WITH(desk.send(to(wanting), {.size = 64}, 10, fd), Catch::Contains("has not asked"));
  CHECK(wanting.got() == 0);
  desk.asked_by(wanting.at);
  const auto report = desk.send(to(wanting), {.size = 64}, 10, fd);
  CHECK(report.counts.sent == 10);
  CHECK(report.use.elapsed.count() > 0);
  CHECK(wanting.got() == 10);

  CHECK_THROWS_AS(desk.send(to(third), {.size = 64}, 10, fd), limit_error);
  auto both = to(wanting);
  both.ports.push_back(third.at.port());
  CHECK_THROWS_AS(desk.send(both, {.size = 64}, 10, fd), limit_error);
  CHECK(wanting.got() == 0);
  CHECK(third.got() == 0);
}

TEST_CASE("who asks from another address than the client's is not heard", "[control]") {
  control::ends connection;
  const client_socket socket;
  sending_desk desk(boost::asio::ip::make_address("127.0.0.2"), {});
  desk.asked_by(socket.at);
  CHECK_THROWS_WITH(desk.send(to(socket), {.size = 64}, 10, connection.here.native_handle()),
                    Catch::Contains("has not asked"));
  CHECK(socket.got() == 0);
}

TEST_CASE("what a client may not have sent is refused by its name", "[control]") {
  using change = std::function<void(sending_plan&, schedule&, std::uint64_t&)>;
  const auto [name, more] = GENERATE(table<std::string, change>({
      {"ports", [](auto& p, auto&, auto&) { p.ports.clear(); }},
      {"sockets 1025", [](auto& p, auto&, auto&) { p.ports.resize(1'025); }},
      {"flows 1001", [](auto& p, auto&, auto&) { p.flows = 1'001; }},
      {"size 65508", [](auto&, auto& s, auto&) { s.size = 65'508; }},
      {"count 2000000000", [](auto&, auto&, auto& count) { count = 2'000'000'000; }},
      {"rest", [](auto& p, auto&, auto&) { p.load.rest = std::chrono::hours(1); }},
      {"rate", [](auto& p, auto&, auto&) { p.load.per_second = 2'000'000'000; }},
      {"load backlog", [](auto& p, auto&, auto&) { p.load.what = load_kind::backlog; }},
      {"load window", [](auto& p, auto&, auto&) { p.load.what = load_kind::window; }},
      {"send mode", [](auto& p, auto&, auto&) { p.mode = experiment::send_mode::automatic; }},
  }));
  CAPTURE(name);
  control::ends connection;
  const client_socket socket;
  sending_desk desk(client, {});
  desk.asked_by(socket.at);
  sending_plan plan = to(socket);
  schedule s{.size = 64};
  std::uint64_t count = 1;
  more(plan, s, count);
  CHECK_THROWS_WITH(desk.send(plan, s, count, connection.here.native_handle()),
                    Catch::StartsWith(name));
  CHECK(socket.got() == 0);
}

TEST_CASE("where a rate is set nothing is sent without a schedule, or by a faster one",
          "[control]") {
  control::ends connection;
  const client_socket socket;
  sending_desk desk(client, {.rate = 1'000});
  desk.asked_by(socket.at);
  const int fd = connection.here.native_handle();
  sending_plan plan = to(socket);
  CHECK_THROWS_WITH(desk.send(plan, {.size = 64}, 1, fd), Catch::Contains("only rate:R"));
  plan.load.what = load_kind::rate;
  plan.load.per_second = 1'001;
  CHECK_THROWS_WITH(desk.send(plan, {.size = 64}, 1, fd), Catch::StartsWith("rate 1001"));
  plan.load.per_second = 1'000;
  CHECK(desk.send(plan, {.size = 64}, 2, fd).counts.sent == 2);
}

TEST_CASE("sending ends when the client is gone", "[control]") {
  std::optional<control::ends> connection(std::in_place);
  const client_socket socket;
  sending_desk desk(client, {});
  desk.asked_by(socket.at);
  connection->there.shut_down();
  // It would take an hour.
  sending_plan plan = to(socket);
  plan.load.what = load_kind::rate;
  plan.load.per_second = 1'000;
  const auto report = desk.send(plan, {.size = 64}, 3'600'000, connection->here.native_handle());
  CHECK(report.counts.intended < 3'600'000);
}

TEST_CASE("an end that is gone is noticed, and one that only talks is not", "[control]") {
  using namespace std::chrono_literals;
  control::ends connection;
  const control::hangup_watch watch(connection.here.native_handle());
  connection.there.send("something", 10s);
  CHECK(connection.here.receive(10s) == "something");
  CHECK_FALSE(watch.gone());
  connection.there.shut_down();
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (!watch.gone() && std::chrono::steady_clock::now() < deadline) {
  }
  CHECK(watch.gone());
}
