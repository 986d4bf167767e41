// How two ends come to know each other: messages in, messages out, without a socket.
#include "catch.hpp"

#include <udpbench/control/handshake.hpp>

#include <optional>
#include <string>
#include <utility>

using namespace udpbench;
using control::client_handshake;
using control::handshake_error;
using control::identity;
using control::server_handshake;

namespace {

const control::key common("0123456789abcdef0123456789abcdef");
const control::key another("another key of as many bytes    ");

identity as(std::string version, std::optional<control::key> key = {}) {
  return {.version = std::move(version), .key = std::move(key)};
}

/** Both ends, until one of them is satisfied or throws. */
struct meeting {
  meeting(identity c, identity s) : client(std::move(c)), server(std::move(s)) {}

  void run() {
    const std::string proof = client.receive(server.receive(client.begin()));
    if (!proof.empty()) server.receive(proof);
  }

  client_handshake client;
  server_handshake server;
};

} // namespace

TEST_CASE("two ends with the same key have a session key in common, another each time",
          "[control]") {
  meeting first(as("1", common), as("1", common));
  first.run();
  CHECK(first.server.done());
  CHECK(first.client.session_key().size() == control::digest_bytes);
  CHECK(first.client.session_key() == first.server.session_key());
  meeting second(as("1", common), as("1", common));
  second.run();
  CHECK(second.client.session_key() != first.client.session_key());
}

TEST_CASE("without a key on either side nothing is proved, and nothing sealed", "[control]") {
  meeting both(as("1"), as("1"));
  both.run();
  CHECK(both.server.done());
  CHECK(both.client.session_key().empty());
  CHECK(both.server.session_key().empty());
}

TEST_CASE("a client finds out that the server has another key before it shows anything of its own",
          "[control]") {
  meeting both(as("1", common), as("1", another));
  CHECK_THROWS_WITH(both.run(), "it has another key");
  CHECK_FALSE(both.server.done());
}

TEST_CASE("a client without the key doesn't get past the server, whatever it sends", "[control]") {
  server_handshake server(as("1", common));
  client_handshake stranger(as("1"));
  const std::string answer = server.receive(stranger.begin());
  SECTION("it says itself that it needs one") {
    CHECK_THROWS_WITH(stranger.receive(answer), Catch::Contains("--key-file"));
  }
  SECTION("the server's own proof sent back") {
    const auto proof = record::of_value<control::introduction>(record::parse(answer)).proof;
    REQUIRE(proof.size() == 2 * control::digest_bytes);
    CHECK_THROWS_WITH(server.receive(proof), "the client hasn't the key");
  }
  SECTION("nothing") { CHECK_THROWS_AS(server.receive(""), handshake_error); }
  SECTION("another introduction") {
    CHECK_THROWS_AS(server.receive(stranger.begin()), handshake_error);
  }
  CHECK_FALSE(server.done());
}

TEST_CASE("the proof of one connection is of no use for another", "[control]") {
  server_handshake first(as("1", common));
  client_handshake client(as("1", common));
  const std::string hello = client.begin();
  const std::string proof = client.receive(first.receive(hello));
  server_handshake second(as("1", common));
  second.receive(hello); // All that was heard is said again.
  CHECK_THROWS_WITH(second.receive(proof), "the client hasn't the key");
  first.receive(proof);
  CHECK(first.done());
}

TEST_CASE("a server without a key can't pass for one that has it", "[control]") {
  meeting both(as("1", common), as("1"));
  CHECK_THROWS_WITH(both.run(), "it has no key, and this client has one");
}

TEST_CASE("another version is refused by both ends, and named", "[control]") {
  client_handshake client(as("0.2.0", common));
  server_handshake server(as("0.1.0", common));
  CHECK_THROWS_WITH(server.receive(client.begin()),
                    Catch::Contains("0.2.0") && Catch::Contains("this server is 0.1.0"));
  // It says so, and proves nothing.
  const std::string farewell = server.farewell();
  CHECK(record::of_value<control::introduction>(record::parse(farewell)).proof.empty());
  CHECK_THROWS_WITH(client.receive(farewell), Catch::Contains("it is udpbench 0.1.0") &&
                                                  Catch::Contains("this client is 0.2.0"));
}

TEST_CASE("what is no introduction ends a handshake", "[control]") {
  const std::string message = GENERATE("", "{}", "[]", "null", "GET / HTTP/1.1\r\n\r\n",
                                       "\x16\x03\x01", R"({"protocol":1})");
  CAPTURE(message);
  server_handshake server(as("1"));
  CHECK_THROWS_AS(server.receive(message), handshake_error);
  CHECK(server.farewell().empty());
  CHECK_FALSE(server.done());
  client_handshake client(as("1"));
  CHECK_THROWS_AS(client.receive(message), handshake_error);
}

TEST_CASE("a nonce that isn't as long as it should be is no nonce", "[control]") {
  identity me = as("1", common);
  me.nonce = "1";
  server_handshake server(as("1", common));
  CHECK_THROWS_AS(server.receive(client_handshake(me).begin()), handshake_error);
}
