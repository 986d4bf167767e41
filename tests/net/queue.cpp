/** @file
    What a socket's queue dropped, and what is left in it.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/queue.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "skip.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace net = udpbench::net;
using net::drop_meter;
using reading = std::optional<std::uint32_t>;
using total = std::optional<std::uint64_t>;

TEST_CASE("a meter counts the differences of its readings", "[net]") {
  drop_meter meter(reading(100));
  CHECK(meter.update(100) == total(0));
  CHECK(meter.update(103) == total(3));
  CHECK(meter.update(103) == total(3));
  CHECK(meter.update(150) == total(50));
}

TEST_CASE("a meter counts on where the kernel's counter wraps at 2^32", "[net]") {
  drop_meter meter(reading(0xfffffffe));
  CHECK(meter.update(0xffffffff) == total(1));
  CHECK(meter.update(0) == total(2));
  CHECK(meter.update(5) == total(7));
}

TEST_CASE("a meter's total goes beyond 2^32", "[net]") {
  drop_meter meter(reading(0));
  std::uint64_t expected = 0;
  std::uint32_t counter = 0;
  for (int i = 0; i < 10; ++i) {
    counter += 0xf0000000u;
    expected += 0xf0000000u;
    CHECK(meter.update(counter) == total(expected));
  }
}

TEST_CASE("a meter without a first reading knows nothing ever", "[net]") {
  drop_meter meter(std::nullopt);
  CHECK(meter.update(5) == std::nullopt);
  CHECK(meter.update(6) == std::nullopt);
}

TEST_CASE("a meter that missed a reading knows nothing any more", "[net]") {
  drop_meter meter(reading(1));
  CHECK(meter.update(2) == total(1));
  CHECK(meter.update(std::nullopt) == std::nullopt);
  CHECK(meter.update(3) == std::nullopt);
}

TEST_CASE("what is no socket has no drop counter", "[net]") {
  CHECK_FALSE(net::drop_counter(-1).has_value());
  CHECK_FALSE(net::queued_memory(-1).has_value());
}

TEST_CASE("what is sent is kept in the queue or counted as dropped", "[net]") {
  constexpr std::uint64_t sent = 300;
  support::link link(support::v4(), 1);
  const auto before = net::drop_counter(link.receiver());
  if (!before) SKIP("this kernel doesn't tell what a socket dropped");
  CHECK(*before == 0);
  drop_meter meter(before);
  for (std::uint64_t i = 0; i < sent; ++i) link.queue(support::pattern(1000));
  const auto dropped = meter.update(net::drop_counter(link.receiver()));
  const auto kept = net::drain_queue(link.receiver(), sent, [](auto&, std::size_t) {});
  REQUIRE(dropped.has_value());
  CHECK(*dropped > 0);
  CHECK(kept > 0);
  CHECK(*dropped + kept == sent);
}

TEST_CASE("what is queued takes memory until it is taken out", "[net]") {
  support::link link;
  if (!net::queued_memory(link.receiver())) SKIP("this kernel doesn't tell what a queue takes");
  CHECK(net::queued_memory(link.receiver()) == 0u);
  link.queue(support::pattern(1000));
  CHECK(*net::queued_memory(link.receiver()) >= 1000);
  net::drain_queue(link.receiver(), 1, [](auto&, std::size_t) {});
  CHECK(net::queued_memory(link.receiver()) == 0u);
}

TEST_CASE("draining gives each datagram in order with its true length", "[net]") {
  support::link link;
  const std::vector<std::size_t> sizes{100, 0, 2048, 1, 5000};
  for (unsigned i = 0; i < sizes.size(); ++i) link.queue(support::pattern(sizes[i], i));
  std::vector<std::size_t> lengths;
  const auto count =
      net::drain_queue(link.receiver(), 100, [&](const auto& bytes, std::size_t length) {
        const auto expected = support::pattern(length, static_cast<unsigned>(lengths.size()));
        const auto whole = static_cast<std::ptrdiff_t>(std::min(length, bytes.size()));
        CHECK(std::equal(expected.begin(), expected.begin() + whole, bytes.begin()));
        lengths.push_back(length);
      });
  CHECK(count == 5);
  CHECK(lengths == sizes);
  CHECK(support::drained(link.receiver()));
}

TEST_CASE("draining takes no more than it is told to", "[net]") {
  support::link link;
  for (unsigned i = 0; i < 5; ++i) link.queue(support::pattern(10, i));
  std::uint64_t seen = 0;
  const auto see = [&](auto&, std::size_t) { ++seen; };
  CHECK(net::drain_queue(link.receiver(), 0, see) == 0);
  CHECK(net::drain_queue(link.receiver(), 2, see) == 2);
  CHECK(seen == 2);
  CHECK(support::receive(link.receiver()) == support::pattern(10, 2));
  CHECK(net::drain_queue(link.receiver(), 100, see) == 2);
}

TEST_CASE("draining an empty queue returns at once with nothing", "[net]") {
  const auto receiver = net::open_receiver(support::v4());
  CHECK(net::drain_queue(receiver.get(), 100, [](auto&, std::size_t) {}) == 0);
}
