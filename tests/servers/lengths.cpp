/** @file
    Short, long and overlong datagrams, and where they lie.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/payload.hpp"
#include "../support/skip.hpp"

#include <udpbench/measure/ledger.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

using namespace servers;

namespace {

/** Lets `s` remember all that it receives. */
support::recorder& record(subject& s, support::recorder& into) {
  s.sink.then = [&into](const udpbench::datagram& d) { into(d); };
  return into;
}

bool truncated(const support::received& d) { return d.length > d.content.size(); }

} // namespace

TEST_CASE("a datagram of length 0 is data", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    support::recorder got;
    record(*s, got);
    sender send(s->open());
    send(support::pattern(3));
    send(support::bytes{});
    send(support::bytes{});
    send(support::pattern(5));
    REQUIRE(s->receive(4) == 4);
    CHECK(got.all[0].length == 3);
    CHECK(got.all[1].length == 0);
    CHECK(got.all[1].content.empty());
    CHECK(got.all[2].length == 0);
    CHECK(got.all[3].content == support::pattern(5));
    CHECK(s->receive_errors() == 0);
  });
}

TEST_CASE("datagrams of length 0 don't end a server's own thread", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    s->start();
    for (std::uint64_t i = 1; i <= 3; ++i) {
      send(1, 0);
      CHECK(eventually([&] { return s->sink.seen == i; }));
    }
  });
}

TEST_CASE("a truncated datagram is counted as truncated, with its true length", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    support::recorder got;
    udpbench::measure::ledger books;
    books.begin(1, 1);
    s->sink.then = [&](const udpbench::datagram& d) {
      got(d);
      books(d);
    };
    sender send(s->open(v4(), {.socket = {}, .largest_datagram = 100}));
    const std::array<std::size_t, 5> sizes{99, 100, 101, 2000, 40};
    const auto sent = [&](std::size_t i) {
      return support::numbered({.round = 1, .run = 1, .sequence = i}, sizes.at(i));
    };
    for (std::size_t i = 0; i < sizes.size(); ++i) send(sent(i));
    REQUIRE(s->receive(5) == 5);
    CHECK(books.counts().unique == 5);
    CHECK(books.counts().truncated == 2);
    CHECK(books.counts().bytes == 99 + 3 * 100 + 40);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto size = sizes[i];
      CHECK(got.all[i].length == size);
      CHECK(truncated(got.all[i]) == (size > 100));
      auto expected = sent(i);
      expected.resize(std::min<std::size_t>(size, 100));
      CHECK(got.all[i].content == expected);
    }
  });
}

TEST_CASE("without a buffer there is still the length", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    support::recorder got;
    record(*s, got);
    sender send(s->open(v4(), {.socket = {}, .largest_datagram = 0}));
    send(1, 10);
    send(1, 0);
    REQUIRE(s->receive(2) == 2);
    CHECK(got.all[0].length == 10);
    CHECK(got.all[0].content.empty());
    CHECK(!truncated(got.all[1]));
  });
}

TEST_CASE("the default buffer holds 2048 bytes", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    support::recorder got;
    record(*s, got);
    sender send(s->open());
    send(1, 2048);
    send(1, 2049);
    REQUIRE(s->receive(2) == 2);
    CHECK(!truncated(got.all[0]));
    CHECK(truncated(got.all[1]));
  });
}

TEST_CASE("the longest datagram arrives whole", "[servers]") {
  for_all([](const kind& k) {
    for (const auto& local : {v4(), support::v6()}) {
      if (!support::usable(local)) continue;
      const auto s = k.make();
      support::recorder got;
      record(*s, got);
      sender send(s->open(local, {.socket = {}, .largest_datagram = 65'507}));
      send(support::pattern(65'507, 1));
      send(support::pattern(65'506, 2));
      REQUIRE(s->receive(2) == 2);
      const bool first = got.all[0].content == support::pattern(65'507, 1);
      const bool second = got.all[1].content == support::pattern(65'506, 2);
      CHECK(first);
      CHECK(second);
    }
  });
}

TEST_CASE("a buffer for what no datagram can be is refused", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    for (const std::size_t size : {std::size_t{65'536}, SIZE_MAX - 10, SIZE_MAX})
      CHECK(error_of([&] { s->open(v4(), {.socket = {}, .largest_datagram = size}); }) ==
            udpbench::error::too_large);
    CHECK(s->native_handle() == -1);
    sender send(s->open(v4(), {.socket = {}, .largest_datagram = 65'535}));
    send();
    CHECK(s->receive(1) == 1);
  });
}

namespace {

/** Into how many buffers `k` receives 64 datagrams by turns. */
std::size_t buffers(const kind& k) {
  constexpr std::array<std::pair<const char*, std::size_t>, 6> several{{{"take::batch<64", 64},
                                                                        {"take::batch<8", 8},
                                                                        {"chain::several<8", 8},
                                                                        {"uring::singles<64", 64},
                                                                        {"uring::multishot<64", 64},
                                                                        {"uring::multishot<4", 4}}};
  for (const auto& [part, count] : several)
    if (mentions(k.name, part)) return count;
  return 1;
}

/** Whether these lie in one block, one behind the other. */
bool in_one_block(const kind& k) { return mentions(k.name, "batch<") || mentions(k.name, "uring"); }

} // namespace

TEST_CASE("each receive buffer begins on a page, or right behind another of its batch",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    for (const std::size_t largest : {64u, 1000u, 2048u}) {
      INFO(largest << " bytes");
      support::recorder got;
      record(*s, got);
      sender send(s->open(v4(), {.socket = {}, .largest_datagram = largest}));
      send(64);
      REQUIRE(s->receive(64) == 64);
      std::set<std::uintptr_t> begins;
      for (const auto& d : got.all) begins.insert(reinterpret_cast<std::uintptr_t>(d.address));
      CHECK(begins.size() == buffers(k));
      // Whole cache lines.
      const std::size_t stride = (largest + 63) / 64 * 64;
      for (const std::uintptr_t at : begins) {
        const bool behind_another = in_one_block(k) && begins.contains(at - stride);
        CHECK((at % 4096 == 0 || behind_another));
      }
      s->stop();
    }
  });
}
