// Messages on a stream of bytes.
#include "catch.hpp"

#include <udpbench/control/framing.hpp>

#include <string>

using udpbench::control::framed;
using udpbench::control::longest_message;
using udpbench::control::protocol_error;
using udpbench::control::unframer;

TEST_CASE("a message has its length before it, high byte first", "[control]") {
  CHECK(framed("abc") == std::string("\0\0\0\3abc", 7));
  CHECK(framed(std::string(258, 'x')).substr(0, 4) == std::string("\0\0\1\2", 4));
}

TEST_CASE("messages come out whole, however their bytes come in", "[control]") {
  const std::string all = framed("first") + framed("") + framed("third");
  for (std::size_t part = 1; part <= all.size(); ++part) {
    unframer in;
    std::string seen;
    for (std::size_t i = 0; i < all.size(); i += part) {
      in.add(std::string_view(all).substr(i, part));
      while (const auto message = in.next()) seen += *message + "|";
    }
    CHECK(seen == "first||third|");
  }
}

TEST_CASE("a message that is too long is refused before it is there", "[control]") {
  CHECK_THROWS_AS(framed(std::string(longest_message + 1, 'x')), protocol_error);
  unframer in;
  CHECK_THROWS_WITH(in.add("\x7f\xff\xff\xff"),
                    Catch::Contains("2147483647") && Catch::Contains("16777216"));
}

TEST_CASE("what follows a message is looked at when the message is gone", "[control]") {
  unframer in;
  in.add(framed("good"));
  CHECK_NOTHROW(in.add("\x7f\xff\xff\xff"));
  CHECK_THROWS_AS(in.next(), protocol_error);
}
