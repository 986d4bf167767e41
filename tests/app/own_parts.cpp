/** @file
    A take policy and a handler memory of one's own in the catalogue.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/app/builtin.hpp>
#include <udpbench/app/listing.hpp>

#include "catch.hpp"
#include "loopback.hpp"

#include <udpbench/memory/heap.hpp>
#include <udpbench/sync_client.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>

using namespace udpbench;
using experiment::catalogue;

namespace {

/** Counts how often any of them was asked. */
class own_take {
 public:
  void prepare(std::size_t largest) { one_.prepare(largest); }

  template <datagram_sink Sink>
  std::size_t operator()(int fd, std::size_t n, take::wait w, Sink& sink, error_code& ec) noexcept {
    ++asked;
    return one_(fd, n, w, sink, ec);
  }

  static inline int asked = 0;

 private:
  take::one one_;
};

/** The same of a memory. */
class own_memory {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    ++asked;
    return heap_.allocate(bytes, alignment);
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    heap_.deallocate(block, bytes, alignment);
  }

  static inline int asked = 0;

 private:
  memory::heap heap_;
};

/** Of all that it has. */
std::set<std::string> names(const catalogue& known) {
  std::set<std::string> all;
  for (const auto& e : known.entries()) all.insert(e.name);
  return all;
}

const std::set<std::string> with_own_take{"raw+mine",
                                          "sync+mine",
                                          "async+mine",
                                          "async+mine/fixed_block",
                                          "async+mine/pool",
                                          "async+mine/heap",
                                          "coroutine+mine",
                                          "coroutine+mine/fixed_block",
                                          "coroutine+mine/pool",
                                          "coroutine+mine/heap"};

const std::set<std::string> with_own_memory{"async/own",
                                            "async+drain/own",
                                            "async+batch8/own",
                                            "async+batch32/own",
                                            "async+batch/own",
                                            "async+gro/own",
                                            "coroutine/own",
                                            "coroutine+drain/own",
                                            "coroutine+batch8/own",
                                            "coroutine+batch32/own",
                                            "coroutine+batch/own",
                                            "coroutine+gro/own"};

std::set<std::string> with_own_take_and_memory() {
  std::set<std::string> all{"async+mine/own", "coroutine+mine/own"};
  all.insert(with_own_take.begin(), with_own_take.end());
  all.insert(with_own_memory.begin(), with_own_memory.end());
  return all;
}

void add_own_take(catalogue& to) { app::add_take<own_take>(to, "mine", "my way"); }
void add_own_memory(catalogue& to) { app::add_memory<own_memory>(to, "own", "my blocks"); }

/** Lets a receiver have three datagrams. */
void receive_three(const catalogue& known, const std::string& name) {
  const auto* entry = known.find(name);
  REQUIRE(entry != nullptr);
  measure::ledger books;
  any_receiver receiver = entry->make(books);
  sync_client<> client;
  client.open(receiver.open(support::v4()));
  books.begin(7, 1);
  client.send({.run = 7, .round = 1, .size = 64}, 3);
  CHECK(receiver.receive(3, measure::monotonic_clock::now() + support::deadline) == 3);
  CHECK(books.counts().unique == 3);
}

} // namespace

TEST_CASE("a take of one's own is added by a line, for every driver and every memory", "[app]") {
  catalogue known;
  add_own_take(known);
  CHECK(names(known) == with_own_take);
  CHECK(app::listing(known).find("  +mine ") != std::string::npos);
  for (const std::string& name : with_own_take) {
    INFO(name);
    own_take::asked = 0;
    receive_three(known, name);
    CHECK(own_take::asked >= 3);
  }
  CHECK_THROWS_AS(add_own_take(known), std::invalid_argument);
}

TEST_CASE("a memory of one's own is added by a line, for every driver that has one and every take",
          "[app]") {
  catalogue known;
  add_own_memory(known);
  CHECK(names(known) == with_own_memory);
  CHECK(app::listing(known).find("  /own ") != std::string::npos);
}

TEST_CASE("a take and a memory of one's own come together, whichever is added first", "[app]") {
  catalogue known;
  SECTION("the take") {
    add_own_take(known);
    app::add_memory<own_memory, own_take>(known, "own", "my blocks");
  }
  SECTION("the memory") {
    add_own_memory(known);
    app::add_take<own_take, own_memory>(known, "mine", "my way");
  }
  REQUIRE(names(known) == with_own_take_and_memory());
  for (const char* name : {"async+mine/own", "coroutine+mine/own"}) {
    INFO(name);
    CHECK(known.find(name)->description.find("my way; handler memory: my blocks") !=
          std::string::npos);
    own_take::asked = own_memory::asked = 0;
    receive_three(known, name);
    CHECK(own_take::asked >= 3);
    CHECK(own_memory::asked > 0);
  }
}

TEST_CASE(
    "a take or a memory that is named as a type and was never added is refused, with nothing added",
    "[app]") {
  catalogue known;
  CHECK_THROWS_AS((app::add_memory<own_memory, own_take>(known, "own", "my blocks")),
                  std::invalid_argument);
  CHECK_THROWS_AS((app::add_take<own_take, own_memory>(known, "mine", "my way")),
                  std::invalid_argument);
  CHECK(known.entries().empty());
  CHECK(known.parts().empty());
}
