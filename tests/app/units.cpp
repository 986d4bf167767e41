#include "catch.hpp"

#include <udpbench/app/units.hpp>

#include <vector>

using namespace udpbench::app;

TEST_CASE("bytes are read with decimal and binary units", "[app]") {
  const range any{0, ~std::uint64_t{0}};
  CHECK(parse_bytes("x", "64", any) == 64);
  CHECK(parse_bytes("x", "1KiB", any) == 1024);
  CHECK(parse_bytes("x", "1kB", any) == 1000);
  CHECK(parse_bytes("x", "4MiB", any) == 4u << 20);
  CHECK(parse_bytes("x", "4MB", any) == 4'000'000);
  CHECK(parse_bytes("x", "1Gi", any) == 1u << 30);
  CHECK(parse_bytes("x", "0", any) == 0);
  CHECK(parse_count("x", "50k", any) == 50'000);
  CHECK(parse_count("x", "18446744073709551615", any) == ~std::uint64_t{0});
}

TEST_CASE("a number that isn't one is refused with its name, its value and what is allowed",
          "[app]") {
  for (const std::string text :
       {"", "-5", "+5", "1e99", "1.5", "x", "5x", "5 ", " 5", "0x10", "1KB", "1kiB",
        "18446744073709551616", "99999999999G", "5-", "--5", "٣"}) {
    INFO("'" << text << "'");
    CHECK_THROWS_WITH(parse_count("--count", text, {1, 1000}),
                      Catch::Contains("--count '" + text + "'") &&
                          Catch::Contains("from 1 to 1000"));
    CHECK_THROWS_AS(parse_bytes("--size", text, {1, 1000}), usage_error);
  }
}

TEST_CASE("numbers outside their range are refused, at both ends", "[app]") {
  CHECK(parse_count("n", "1", {1, 10}) == 1);
  CHECK(parse_count("n", "10", {1, 10}) == 10);
  CHECK_THROWS_AS(parse_count("n", "0", {1, 10}), usage_error);
  CHECK_THROWS_AS(parse_count("n", "11", {1, 10}), usage_error);
}

TEST_CASE("a percentage needs its sign and lies above 0", "[app]") {
  CHECK(parse_percent("m", "2%", 1) == Approx(0.02));
  CHECK(parse_percent("m", "0.5%", 1) == Approx(0.005));
  CHECK(parse_percent("m", "100%", 1) == Approx(1));
  for (const std::string text :
       {"", "2", "%", "0%", "-1%", "101%", "nan%", "inf%", "1e99%", "2%%", "2 %"})
    CHECK_THROWS_AS(parse_percent("m", text, 1), usage_error);
}

TEST_CASE("a list is divided by commas, and no part is empty", "[app]") {
  std::vector<std::string> parts;
  for_each_part("l", "a,b:c,d", [&](const std::string& p) { parts.push_back(p); });
  CHECK(parts == std::vector<std::string>{"a", "b:c", "d"});
  for (const std::string text : {"", ",", "a,", ",a", "a,,b"})
    CHECK_THROWS_AS(for_each_part("l", text, [](const std::string&) {}), usage_error);
}
