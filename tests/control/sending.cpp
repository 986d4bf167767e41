// What a client may have a server send, and where to.
#include "catch.hpp"

#include <udpbench/control/sending.hpp>
#include <udpbench/net/queue.hpp>

#include <atomic>
#include <chrono>
#include <functional>
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
  const client_socket wanting;
  const client_socket third;
  sending_desk desk(client, {});
  CHECK_THROWS_WITH(desk.send(to(wanting), {.size = 64}, 10), Catch::Contains("has not asked"));
  CHECK(wanting.got() == 0);
  desk.asked_by(wanting.at);
  const auto report = desk.send(to(wanting), {.size = 64}, 10);
  CHECK(report.counts.sent == 10);
  CHECK(report.use.elapsed.count() > 0);
  CHECK(wanting.got() == 10);

  CHECK_THROWS_AS(desk.send(to(third), {.size = 64}, 10), limit_error);
  auto both = to(wanting);
  both.ports.push_back(third.at.port());
  CHECK_THROWS_AS(desk.send(both, {.size = 64}, 10), limit_error);
  CHECK(wanting.got() == 0);
  CHECK(third.got() == 0);
}

TEST_CASE("who asks from another address than the client's is not heard", "[control]") {
  const client_socket socket;
  sending_desk desk(boost::asio::ip::make_address("127.0.0.2"), {});
  desk.asked_by(socket.at);
  CHECK_THROWS_WITH(desk.send(to(socket), {.size = 64}, 10), Catch::Contains("has not asked"));
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
  const client_socket socket;
  sending_desk desk(client, {});
  desk.asked_by(socket.at);
  sending_plan plan = to(socket);
  schedule s{.size = 64};
  std::uint64_t count = 1;
  more(plan, s, count);
  CHECK_THROWS_WITH(desk.send(plan, s, count), Catch::StartsWith(name));
  CHECK(socket.got() == 0);
}

TEST_CASE("where a rate is set nothing is sent without a schedule, or by a faster one",
          "[control]") {
  const client_socket socket;
  sending_desk desk(client, {.rate = 1'000});
  desk.asked_by(socket.at);
  sending_plan plan = to(socket);
  CHECK_THROWS_WITH(desk.send(plan, {.size = 64}, 1), Catch::Contains("only rate:R"));
  plan.load.what = load_kind::rate;
  plan.load.per_second = 1'001;
  CHECK_THROWS_WITH(desk.send(plan, {.size = 64}, 1), Catch::StartsWith("rate 1001"));
  plan.load.per_second = 1'000;
  CHECK(desk.send(plan, {.size = 64}, 2).counts.sent == 2);
}

TEST_CASE("sending ends when it is stopped", "[control]") {
  const client_socket socket;
  sending_desk desk(client, {});
  desk.asked_by(socket.at);
  const std::atomic<bool> over = true;
  // It would take an hour.
  sending_plan plan = to(socket);
  plan.load.what = load_kind::rate;
  plan.load.per_second = 1'000;
  CHECK(desk.send(plan, {.size = 64, .stop = &over}, 3'600'000).counts.sent == 0);
}

TEST_CASE("where a rate is set many short rounds are no faster than a long one", "[control]") {
  using namespace std::chrono_literals;
  const client_socket socket;
  sending_desk desk(client, {.rate = 1'000});
  desk.asked_by(socket.at);
  sending_plan plan = to(socket);
  plan.load.what = load_kind::rate;
  plan.load.per_second = 1'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 21; ++i) CHECK(desk.send(plan, {.size = 64}, 1).counts.sent == 1);
  CHECK(std::chrono::steady_clock::now() - begin >= 20ms);
}
