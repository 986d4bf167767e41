#include "catch.hpp"

#include <udpbench/experiment/orders.hpp>

#include <algorithm>
#include <map>

using udpbench::experiment::orders;

TEST_CASE("every second order is the reverse of the one before", "[experiment]") {
  orders o(5, 1);
  for (int i = 0; i < 20; ++i) {
    auto forth = o.next();
    std::reverse(forth.begin(), forth.end());
    REQUIRE(o.next() == forth);
  }
}

TEST_CASE("an order names each contestant once", "[experiment]") {
  orders o(7, 3);
  for (int i = 0; i < 50; ++i) {
    auto order = o.next();
    std::sort(order.begin(), order.end());
    REQUIRE(order == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6});
  }
}

TEST_CASE("one seed gives one series of orders, another seed another", "[experiment]") {
  orders a(6, 9);
  orders b(6, 9);
  orders c(6, 10);
  bool differs = false;
  for (int i = 0; i < 20; ++i) {
    const auto from_a = a.next();
    REQUIRE(from_a == b.next());
    differs |= from_a != c.next();
  }
  CHECK(differs);
}

TEST_CASE("orders are random: each contestant comes first about as often", "[experiment]") {
  orders o(4, 5);
  std::map<std::size_t, int> first;
  for (int i = 0; i < 4000; ++i) ++first[o.next().front()];
  for (const auto& [who, times] : first) {
    INFO(who);
    CHECK(times > 800);
    CHECK(times < 1200);
  }
}
