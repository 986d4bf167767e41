// Messages that can't be changed, left out, repeated or made on their way.
#include "catch.hpp"
#include "ends.hpp"

#include <udpbench/control/digest.hpp>
#include <udpbench/control/seal.hpp>

#include <chrono>
#include <string>

using namespace udpbench;
using control::end;
using control::protocol_error;
using control::seal;

namespace {
const std::string session = "the key of this session";
}

TEST_CASE("a digest is that of RFC 4231", "[control]") {
  CHECK(control::hex(control::digest("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(control::hex(control::digest(std::string(131, '\xaa'),
                                     "Test Using Larger Than Block-Size Key - Hash Key First")) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  CHECK(control::random_bytes(32) != control::random_bytes(32));
  CHECK(control::hex(std::string("\x00\xff\x1a", 3)) == "00ff1a");
}

TEST_CASE("sealed messages come off as they were put on, in their order", "[control]") {
  seal out(session, end::client);
  seal in(session, end::client);
  for (const std::string message : {"one", "", "three"})
    CHECK(in.take_off(out.put_on(message)) == message);
}

TEST_CASE("a sealed message that isn't the next of its end is refused", "[control]") {
  seal out(session, end::client);
  const std::string first = out.put_on("first");
  const std::string second = out.put_on("second");
  seal in(session, end::client);
  SECTION("changed") {
    std::string changed = first;
    changed.back() ^= 1;
    CHECK_THROWS_AS(in.take_off(changed), protocol_error);
  }
  SECTION("left out") { CHECK_THROWS_AS(in.take_off(second), protocol_error); }
  SECTION("repeated") {
    in.take_off(first);
    CHECK_THROWS_AS(in.take_off(first), protocol_error);
  }
  SECTION("sent back to who sent it") {
    seal of_server(session, end::server);
    CHECK_THROWS_AS(of_server.take_off(first), protocol_error);
  }
  SECTION("of another session") {
    seal other("another session", end::client);
    CHECK_THROWS_AS(other.take_off(first), protocol_error);
  }
  SECTION("too short for a digest") { CHECK_THROWS_AS(in.take_off("short"), protocol_error); }
}

TEST_CASE("a sealed stream carries messages both ways, and what is unsealed is refused",
          "[control]") {
  using namespace std::chrono_literals;
  control::ends both;
  both.here.seal_by(session, end::client);
  both.here.send("a question", 10s);
  SECTION("both sealed") {
    both.there.seal_by(session, end::server);
    CHECK(both.there.receive(10s) == "a question");
    both.there.send("an answer", 10s);
    CHECK(both.here.receive(10s) == "an answer");
  }
  SECTION("one of them not") {
    both.there.send(std::string(100, 'x'), 10s);
    CHECK_THROWS_AS(both.here.receive(10s), protocol_error);
  }
}
