/** @file
    The loops written by hand take all that comes, count it right and hang on nothing: else they were no measure.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "../../bench/by_hand.hpp"

#include "catch.hpp"
#include "loopback.hpp"
#include "program.hpp"

#include <udpbench/net/descriptor.hpp>
#include <udpbench/record/json.hpp>
#include <udpbench/wire/header.hpp>

#include <cstdint>

#include <sys/socket.h>

using udpbench::measure::ledger;
using udpbench::measure::monotonic_clock;

namespace {

constexpr std::uint64_t run_id = 7;

monotonic_clock::time_point soon() { return monotonic_clock::now() + support::deadline; }

/** Shows where the buffer lies. */
template <class Loop>
struct shown : Loop {
  using Loop::Loop;
  const void* bytes() { return this->buffer().data(); }
};

void send(int fd, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = first; i < first + count; ++i) {
    const auto datagram = support::numbered({.round = 1, .run = run_id, .sequence = i}, 100);
    support::need(::send(fd, datagram.data(), datagram.size(), 0) >= 0, "sending a datagram");
  }
}

} // namespace

TEMPLATE_TEST_CASE("a loop written by hand gives exactly n, and its ledger counts them", "[bench]",
                   by_hand::recv_loop, by_hand::async_loop, by_hand::coroutine_loop) {
  ledger books;
  books.begin(run_id, 1);
  TestType loop(books);
  const auto sender = udpbench::net::open_sender(loop.open(support::v4(), {}));
  send(sender.get(), 0, 50);
  CHECK(loop.receive(37, soon()) == 37);
  CHECK(books.counts().unique == 37);
  CHECK(loop.receive(13, soon()) == 13);
  CHECK(books.counts().unique == 50);
  CHECK(books.counts().bytes == 5'000);
}

TEMPLATE_TEST_CASE("a loop written by hand returns at a deadline, with what there was", "[bench]",
                   by_hand::recv_loop, by_hand::async_loop, by_hand::coroutine_loop) {
  ledger books;
  books.begin(run_id, 1);
  TestType loop(books);
  const auto sender = udpbench::net::open_sender(loop.open(support::v4(), {}));
  CHECK(loop.receive(1, monotonic_clock::now()) == 0);
  send(sender.get(), 0, 3);
  // The tick that sees the deadline may come after any of them, but one receive call is made however late it is.
  const std::size_t got = loop.receive(4, monotonic_clock::now());
  CHECK(got >= 1);
  CHECK(got <= 3);
  CHECK(loop.receive(3 - got, soon()) == 3 - got);
  CHECK(loop.receive(1, monotonic_clock::now()) == 0);
}

TEMPLATE_TEST_CASE("a loop written by hand opens once, and again after a stop", "[bench]",
                   by_hand::recv_loop, by_hand::async_loop, by_hand::coroutine_loop) {
  ledger books;
  books.begin(run_id, 1);
  TestType loop(books);
  loop.open(support::v4(), {});
  CHECK_THROWS_AS(loop.open(support::v4(), {}), udpbench::system_error);
  loop.stop();
  CHECK(loop.native_handle() == -1);
  CHECK(loop.receive(1, soon()) == 0);
  const auto sender = udpbench::net::open_sender(loop.open(support::v4(), {}));
  send(sender.get(), 0, 2);
  CHECK(loop.receive(2, soon()) == 2);
}

TEMPLATE_TEST_CASE("the buffer of a loop written by hand starts on a page boundary", "[bench]",
                   by_hand::recv_loop, by_hand::async_loop, by_hand::coroutine_loop) {
  ledger books;
  shown<TestType> loop(books);
  loop.open(support::v4(), {});
  CHECK(reinterpret_cast<std::uintptr_t>(loop.bytes()) % udpbench::take::page_buffer::page == 0);
}

#ifdef UDPBENCH_BY_HAND
TEST_CASE("every round of the loops written by hand balances, starved or not", "[bench]") {
  const auto end = udpbench::test::run(
      "exec '" UDPBENCH_BY_HAND "' compare raw by_hand.recv by_hand.async "
      "by_hand.coroutine --load backlog,flood --count 2000 --rounds 2 --json -");
  // 5: too busy a machine for a round to be valid; the books must balance all the same.
  CHECK((end.code == 0 || end.code == 5));
  const auto record = udpbench::record::read(end.out);
  CHECK(record.results.size() == 10);
  for (const auto& result : record.results) {
    INFO(result.receiver << " under " << result.load);
    CHECK(result.failure.empty());
    CHECK(result.rounds.size() >= 2);
    for (const auto& round : result.rounds) {
      CHECK(round.unexplained == 0);
      CHECK(round.unique > 0);
      CHECK(round.unique <= round.sent);
      CHECK(round.truncated == 0);
      CHECK(round.duplicate == 0);
    }
  }
}
#endif
