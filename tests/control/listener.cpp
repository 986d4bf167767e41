// A server that other hosts connect to, on loopback: who may come in, and what becomes of all others.
#include "catch.hpp"

#include <udpbench/control/host_place.hpp>
#include <udpbench/control/listener.hpp>
#include <udpbench/control/session.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/experiment/in_process.hpp>

#include <boost/thread/scoped_thread.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

using namespace udpbench;
using namespace std::chrono_literals;
using control::admission;

namespace {

const control::key the_key("0123456789abcdef0123456789abcdef");
const auto served_at = boost::asio::ip::make_address("127.0.0.1");

/** A listener on a thread of its own, with no receivers but the bare ones. */
class serving {
 public:
  explicit serving(admission how = {}, control::limits most = {})
      : offer_{.limits = most},
        listener_(with_defaults(std::move(how)),
                  [this](control::admitted& client) {
                    const control::connection_watch watch(client.connection.native_handle(),
                                                          offer_.limits.session);
                    experiment::in_process place(none_, nullptr, &watch.over());
                    control::session session(place, offer_, watch, client.address.address(),
                                             client.client.address());
                    session.serve(client.connection);
                  }),
        thread_([this] { listener_.run(); }) {}
  ~serving() { listener_.stop(); }

  net::stream_endpoint endpoint() const { return listener_.endpoint(); }
  void stop() { listener_.stop(); }

 private:
  static admission with_defaults(admission how) {
    how.listen = {served_at, 0};
    how.version = "1";
    return how;
  }

  experiment::catalogue none_;
  control::offer offer_;
  control::listener listener_;
  boost::scoped_thread<> thread_;
};

control::stream connection_to(const serving& server) {
  return control::stream(net::connect_stream(server.endpoint(), 10s));
}

/** Comes in as a client does. */
control::host_place client_of(const serving& server, std::optional<control::key> key = {}) {
  auto to = connection_to(server);
  const bool keyed = key.has_value();
  control::client_handshake handshake({.version = "1", .key = std::move(key)});
  to.send(handshake.begin(), 10s);
  const auto proof = handshake.receive(to.receive(10s));
  if (!proof.empty()) to.send(proof, 10s);
  if (keyed) to.seal_by(handshake.session_key(), control::end::client);
  return {std::move(to), served_at, {.name = "the server", .how_it_ended = {}, .patience = 10s}};
}

/** The same, as soon as nobody else is served. */
control::host_place next_client_of(const serving& server) {
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  for (;;) try {
      return client_of(server);
    } catch (const control::refused_error&) {
      if (std::chrono::steady_clock::now() > deadline) throw;
    }
}

experiment::seat_plan bare() {
  experiment::seat_plan p;
  p.receiver = experiment::bare_receiver(false);
  p.address = served_at;
  return p;
}

/** Everything that comes until the other end closes. */
std::string all_that_comes(int fd) {
  std::string all;
  std::array<char, 4096> part;
  ssize_t n = 0;
  while ((n = ::read(fd, part.data(), part.size())) > 0)
    all.append(part.data(), static_cast<std::size_t>(n));
  return all;
}

net::descriptor blocking_connection_to(const serving& server) {
  net::descriptor fd = net::connect_stream(server.endpoint(), 10s);
  ::fcntl(fd.get(), F_SETFL, 0);
  return fd;
}

} // namespace

TEST_CASE("a client with the key is let in, finds the path open and gets its receivers",
          "[control]") {
  serving server({.key = the_key});
  auto place = client_of(server, the_key);
  place.check_path();
  CHECK(place.round_trip() > 0ns);
  const auto o = place.open(bare());
  CHECK(o.endpoint.address() == served_at);
  CHECK(o.endpoint.port() != 0);
  place.close(o.number);
}

TEST_CASE("a client without the key, or with another, is not let in, and the next one is",
          "[control]") {
  serving server({.key = the_key});
  CHECK_THROWS_AS(client_of(server), control::handshake_error);
  CHECK_THROWS_AS(client_of(server, control::key("fedcba9876543210")), control::handshake_error);
  client_of(server, the_key).open(bare());
}

TEST_CASE("while one client is served others are told so, and since when", "[control]") {
  serving server;
  {
    auto first = client_of(server);
    first.open(bare());
    CHECK_THROWS_WITH(client_of(server), Catch::Contains("busy with another client, since 20"));
    first.open(bare());
  }
  next_client_of(server).open(bare());
}

TEST_CASE("what is no client is turned away without a word", "[control]") {
  serving server;
  const std::string sent = GENERATE(
      std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), std::string("\x16\x03\x01\x02\x00\x01", 6),
      std::string(64, '\0'), control::framed("{\"call\":\"open\"}"), control::framed("[[[[[[[["),
      control::framed(std::string(control::longest_of_handshake, '[')), std::string(100'000, 'x'));
  const auto fd = blocking_connection_to(server);
  ::send(fd.get(), sent.data(), sent.size(), MSG_NOSIGNAL);
  CHECK(all_that_comes(fd.get()).empty());
  client_of(server).open(bare());
}

TEST_CASE("who says nothing is turned away after a while", "[control]") {
  serving server({.patience = 1ms});
  const auto fd = blocking_connection_to(server);
  SECTION("nothing at all") {}
  SECTION("half a length") { ::send(fd.get(), "\0\0", 2, MSG_NOSIGNAL); }
  SECTION("half a message") { ::send(fd.get(), "\0\0\0\x10{", 5, MSG_NOSIGNAL); }
  CHECK(all_that_comes(fd.get()).empty());
}

TEST_CASE("more callers than there is room for push out the oldest, and not a client",
          "[control]") {
  serving server({.callers = 4, .patience = 60s});
  auto first = client_of(server);
  std::vector<net::descriptor> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(blocking_connection_to(server));
  // The oldest has gone; who was let in before is served on.
  CHECK(all_that_comes(silent.front().get()).empty());
  CHECK_THROWS_WITH(client_of(server), Catch::Contains("busy"));
  CHECK(first.open(bare()).endpoint.port() != 0);
}

TEST_CASE("a client that is gone makes room for the next, however it went", "[control]") {
  serving server;
  SECTION("in the middle of the handshake") {
    auto to = connection_to(server);
    to.send(control::client_handshake({.version = "1"}).begin(), 10s);
  }
  SECTION("with receivers open") { client_of(server).open(bare()); }
  SECTION("in the middle of a round") {
    auto place = client_of(server);
    const auto o = place.open(bare());
    place.begin(o.number, {.limit = 1s});
  }
  SECTION("without a word of farewell: the connection is reset") {
    auto to = connection_to(server);
    const linger at_once{1, 0};
    ::setsockopt(to.native_handle(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    control::client_handshake handshake({.version = "1"});
    to.send(handshake.begin(), 10s);
    handshake.receive(to.receive(10s));
  }
  CHECK(next_client_of(server).open(bare()).endpoint.port() != 0);
}

TEST_CASE("what a client may not ask for ends nothing", "[control]") {
  serving server;
  auto place = client_of(server);
  auto many = bare();
  many.sockets = 100'000;
  CHECK_THROWS_WITH(place.open(many), Catch::StartsWith("sockets 100000"));
  CHECK_THROWS_WITH(place.turn(4, {}), Catch::StartsWith("receiver 4"));
  CHECK(place.open(bare()).endpoint.port() != 0);
}

TEST_CASE("a client whose time is over is told so, whatever it asks for, and is no client any more",
          "[control]") {
  serving server({}, {.session = 0s});
  const auto ask_for_long = [&server] {
    auto place = next_client_of(server);
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (std::chrono::steady_clock::now() < deadline) place.echo();
  };
  for (int i = 0; i < 2; ++i)
    CHECK_THROWS_WITH(ask_for_long(), Catch::Contains("session: this server allows 0 s"));
}

TEST_CASE("a sender hears at once that the server which receives is gone", "[control]") {
  std::optional<serving> server(std::in_place);
  auto place = client_of(*server);
  const auto o = place.open(bare());
  schedule round = place.begin(o.number, {.size = 64});
  REQUIRE(round.receiver_gone != nullptr);
  CHECK_FALSE(round.stopped());
  server.reset();
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (!round.stopped() && std::chrono::steady_clock::now() < deadline) {
  }
  CHECK(round.stopped());
}

TEST_CASE("a server that is stopped ends its session and its callers", "[control]") {
  std::optional<serving> server(std::in_place);
  auto place = client_of(*server);
  place.open(bare());
  const auto fd = blocking_connection_to(*server);
  server.reset();
  CHECK_THROWS_AS(place.open(bare()), control::closed_error);
  CHECK(all_that_comes(fd.get()).empty());
}

TEST_CASE("a server for one client ends with it", "[control]") {
  std::atomic<int> gone = 0;
  experiment::catalogue none;
  control::listener server({.listen = {served_at, 0}, .version = "1", .once = true},
                           [&](control::admitted&) { ++gone; });
  const auto where = server.endpoint();
  boost::scoped_thread<> client([&] {
    control::stream to(net::connect_stream(where, 10s));
    to.send(control::client_handshake({.version = "1"}).begin(), 10s);
    to.receive(10s);
  });
  server.run();
  CHECK(gone == 1);
}

TEST_CASE("what serving throws is noted, and ends nothing but the session", "[control]") {
  std::vector<std::string> notes;
  control::listener server({.listen = {served_at, 0},
                            .version = "1",
                            .once = true,
                            .note = [&](const std::string& line) { notes.push_back(line); }},
                           [](control::admitted&) { throw 7; });
  const auto where = server.endpoint();
  boost::scoped_thread<> client([&] {
    control::stream to(net::connect_stream(where, 10s));
    to.send(control::client_handshake({.version = "1"}).begin(), 10s);
    to.receive(10s);
  });
  server.run();
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Catch::Contains("is served"));
  CHECK_THAT(notes[1], Catch::Contains("is given up"));
}
