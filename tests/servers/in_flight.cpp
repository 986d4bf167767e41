/** @file
    Several operations outstanding on one socket.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/skip.hpp"

#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/recycling.hpp>

#include <algorithm>
#include <new>

using namespace servers;

namespace {

constexpr int in_flight = 8;

/** Counts itself and what it is asked for. One server at a time has some. */
class counted {
 public:
  counted() noexcept { ++memories; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --memories; }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (fuse > 0 && --fuse == 0) throw std::bad_alloc();
    if (++mine_ > 1) shared = true;
    most = std::max(most, ++out);
    ++asked;
    return heap_.allocate(bytes, alignment);
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    heap_.deallocate(block, bytes, alignment);
    --mine_;
    --out;
  }

  static void forget() { most = asked = 0; }

  static inline int memories = 0;
  static inline int out = 0;  ///< Blocks of all of them that are out,
  static inline int most = 0; ///< and the most at a time since `forget`.
  static inline int asked = 0;
  static inline bool shared = false; ///< One of them had two out.
  static inline int fuse = 0;        ///< Has none at the `fuse`th time.

 private:
  int mine_ = 0;
  udpbench::memory::heap heap_;
};

using server = support::several_in_flight<probe, counted>;

/** Ends a test that this machine can't run. */
#define NEEDS_THE_SERVER()                                                                         \
  if (const auto what = lacking(kind_of<server>()); !what.empty()) SKIP(what)

/** An open server of eight in flight, and who sends to it. */
struct fixture {
  watchdog guard;
  probe sink;
  server s{sink};
  sender send{s.open(v4())};

  fixture() { counted::forget(); }
  auto receive(std::size_t n, clock::time_point deadline = soon()) {
    return s.receive(n, deadline);
  }
};

} // namespace

TEST_CASE("eight in flight have exactly eight memories, of one block each", "[servers]") {
  NEEDS_THE_SERVER();
  {
    fixture f;
    CHECK(counted::memories == in_flight);
    f.send(50);
    CHECK(f.receive(50) == 50);
    CHECK(counted::most == in_flight);
  }
  CHECK(counted::memories == 0);
  CHECK(counted::out == 0);
  CHECK(!counted::shared);
}

TEST_CASE("each socket has eight memories of its own", "[servers]") {
  NEEDS_THE_SERVER();
  const watchdog guard;
  std::vector<probe> sinks(3);
  const server s{std::span<probe>(sinks)};
  CHECK(counted::memories == 3 * in_flight);
}

TEST_CASE("never more operations are started than datagrams are asked for", "[servers]") {
  NEEDS_THE_SERVER();
  fixture f;
  for (const int n : {1, 2, 7, 8, 9, 20}) {
    counted::forget();
    f.send(40);
    CHECK(f.receive(static_cast<std::size_t>(n)) == static_cast<std::size_t>(n));
    // Each datagram is one operation: a further one would have been asked for, or be outstanding.
    CHECK(counted::asked == n);
    CHECK(counted::most == std::min(n, in_flight));
    CHECK(counted::out == 0);
    CHECK(f.receive(40, past()) == static_cast<std::size_t>(40 - n));
  }
}

TEST_CASE("eight in flight give datagrams in their order", "[servers]") {
  NEEDS_THE_SERVER();
  fixture f;
  std::vector<std::size_t> lengths;
  f.sink.then = [&](const udpbench::datagram& d) { lengths.push_back(d.length); };
  for (std::size_t i = 0; i < 50; ++i) f.send(1, i);
  CHECK(f.receive(20) == 20);
  CHECK(f.receive(30) == 30);
  REQUIRE(lengths.size() == 50);
  for (std::size_t i = 0; i < 50; ++i) CHECK(lengths[i] == i);
}

TEST_CASE("a memory that throws ends all operations in flight, and no datagram is lost",
          "[servers]") {
  NEEDS_THE_SERVER();
  for (int fuse = 1; fuse <= 3 * in_flight; ++fuse) {
    INFO("fuse " << fuse);
    fixture f;
    f.send(40);
    counted::fuse = fuse;
    CHECK_THROWS_AS(f.receive(40), std::bad_alloc);
    CHECK(counted::out == 0);
    const auto before = f.sink.seen.load();
    // Nothing is left that would take one behind the server's back, and what is queued still comes.
    f.send();
    CHECK(f.receive(41 - before) == 41 - before);
    CHECK(f.sink.seen == 41);
    f.s.stop();
  }
}

TEST_CASE("a memory that throws while nothing comes ends all operations in flight", "[servers]") {
  NEEDS_THE_SERVER();
  for (int fuse = 1; fuse <= in_flight; ++fuse) {
    fixture f;
    counted::fuse = fuse;
    CHECK_THROWS_AS(f.receive(40), std::bad_alloc);
    CHECK(counted::out == 0);
    f.send();
    CHECK(f.receive(40, past()) == 1);
  }
}
