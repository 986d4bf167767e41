/** @file
    What asynchronous servers ask of their handler memory, and what becomes of a memory that throws.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "exhausted.hpp"
#include "subject.hpp"

#include <new>

using namespace servers;
using udpbench::error;
namespace memory = udpbench::memory;

namespace {

/** Handlers that Asio asks, or doesn't ask, for `memory::heap`. */
struct hooked_handler {
  using allocator_type = memory::bound_allocator<void, memory::heap>;
  allocator_type get_allocator() const noexcept { return allocator_type(*heap); }
  void operator()(const udpbench::error_code&) const {}
  memory::heap* heap;
};
struct other_handler {
  using allocator_type = std::allocator<void>;
  allocator_type get_allocator() const noexcept { return {}; }
  void operator()(const udpbench::error_code&) const {}
};
static_assert(memory::is_hooked<hooked_handler, memory::heap>);
static_assert(!memory::is_hooked<hooked_handler, memory::recycling>);
static_assert(!memory::is_hooked<other_handler, memory::heap>);
static_assert(!memory::is_hooked<void (*)(), memory::heap>);

/** Tells what it is asked for. One server at a time has one. */
class watched {
 public:
  watched() noexcept { out = most = asked = 0; }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    ++asked;
    void* block = heap_.allocate(bytes, alignment);
    most = std::max(most, ++out);
    return block;
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    heap_.deallocate(block, bytes, alignment);
    --out;
  }

  static inline int out = 0;  ///< Blocks that are out now.
  static inline int most = 0; ///< and the most at a time.
  static inline int asked = 0;

 private:
  memory::heap heap_;
};

/** Has none at the `fuse`th time it is asked. One server at a time has one. */
class fused {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    burn(fuse);
    return watched_.allocate(bytes, alignment);
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    watched_.deallocate(block, bytes, alignment);
  }
  void carry_over() { burn(carry_fuse); }

  static inline std::atomic<int> fuse{0};
  static inline std::atomic<int> carry_fuse{0};

 private:
  static void burn(std::atomic<int>& f) {
    if (f > 0 && --f == 0) throw std::bad_alloc();
  }

  watched watched_;
};
static_assert(memory::leaves_with_context<fused>);

const std::vector<kind>& watching() {
  static const auto kinds = kinds_of(support::all_hooked_servers<probe, watched>{});
  return kinds;
}
const std::vector<kind>& exhaustible() {
  static const auto kinds = kinds_of(support::all_hooked_servers<probe, fused>{});
  return kinds;
}

/** Whether `call` runs out of memory. */
template <class Call>
bool exhausts(Call call) {
  try {
    call();
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

} // namespace

TEST_CASE("every wake-up asks the handler memory, and nobody else does", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    if (!s->memory_use()) return;
    sender send(s->open());
    // Nobody asks before a receive: the tick's memory is not the handler's.
    CHECK(s->memory_use()->requests == 0);
    for (int i = 0; i < 20; ++i) {
      send();
      CHECK(s->receive(1) == 1);
    }
    const auto requests = s->memory_use()->requests;
    CHECK(requests >= 20);
    s->receive(1, past());
    CHECK(s->memory_use()->requests > requests);
    s->stop();
    CHECK(s->memory_use()->requests >= requests);
  });
}

TEST_CASE("with one datagram per receive call each asks the handler memory", "[servers]") {
  for_each(kinds_of(support::types<udpbench::async_server<probe, udpbench::take::one,
                                                          memory::counting<memory::recycling>>>{}),
           [](const kind& k) {
             const auto s = k.make();
             sender(s->open())(50);
             CHECK(s->receive(50) == 50);
             CHECK(s->memory_use()->requests == 50);
           });
}

TEST_CASE("a batch asks the handler memory once for all that is queued", "[servers]") {
  for_each(kinds_of(support::types<udpbench::async_server<probe, udpbench::take::batch<>,
                                                          memory::counting<memory::recycling>>>{}),
           [](const kind& k) {
             const auto s = k.make();
             sender(s->open())(50);
             CHECK(s->receive(50) == 50);
             CHECK(s->memory_use()->requests < 50);
           });
}

TEST_CASE("a fixed block is enough, and a heap is asked each time", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    for (int i = 0; i < 100; ++i) {
      send(2);
      REQUIRE(s->receive(2) == 2);
      if (i % 10 == 0) s->receive(1, past());
    }
    const auto use = s->memory_use();
    if (!use) return;
    if (k.name.find("fixed_block") != std::string::npos)
      CHECK(use->upstream == 0u);
    else if (k.name.find("heap") != std::string::npos)
      CHECK(use->upstream == use->requests);
    else
      CHECK(!use->upstream);
  });
}

TEST_CASE("a handler memory serves one operation at a time, and none outside receive",
          "[servers]") {
  for_each(watching(), [](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    CHECK(watched::asked == 0);
    for (int i = 0; i < 20; ++i) {
      send(3);
      CHECK(s->receive(2) == 2);
      CHECK(watched::out == 0);
      CHECK(s->receive(5, past()) == 1);
      CHECK(watched::out == 0);
    }
    CHECK(watched::asked > 0);
    CHECK(watched::most == 1);
    s->stop();
    s->open();
    s->start();
    s->stop();
    CHECK(watched::out == 0);
    CHECK(watched::most == 1);
  });
}

TEST_CASE("what a handler memory throws comes out of receive, and no datagram is lost",
          "[servers]") {
  for_each(exhaustible(), [](const kind& k) {
    for (int fuse = 1; fuse <= 4; ++fuse) {
      const auto s = k.make();
      sender send(s->open());
      fused::fuse = fuse;
      int thrown = 0;
      for (int i = 0; i < 6; ++i) {
        send();
        if (!exhausts([&] { s->receive(1); })) continue;
        ++thrown;
        CHECK(watched::out == 0);
        // The server is as usable as before, without being opened again.
        CHECK(s->receive(1) == 1);
      }
      CHECK(thrown == 1);
      CHECK(s->sink.seen == 6);
      CHECK(s->receive(1, past()) == 0);
      CHECK(watched::most == 1);
    }
  });
}

TEST_CASE("what a handler memory throws between two datagrams leaves the rest in the queue",
          "[servers]") {
  using single = udpbench::async_server<probe, udpbench::take::one, fused>;
  for_each(kinds_of(support::types<single>{}), [](const kind& k) {
    const auto s = k.make();
    sender(s->open())(10);
    fused::fuse = 4;
    CHECK(exhausts([&] { s->receive(10); }));
    CHECK(s->sink.seen == 3);
    CHECK(watched::out == 0);
    CHECK(s->receive(7) == 7);
    CHECK(s->receive(1, past()) == 0);
  });
}

TEST_CASE("a server whose receive threw stops, and opens again", "[servers]") {
  for_each(exhaustible(), [](const kind& k) {
    const auto descriptors = open_descriptors();
    const auto s = k.make();
    for (int i = 0; i < 5; ++i) {
      sender(s->open())();
      fused::fuse = 1;
      CHECK(exhausts([&] { s->receive(1); }));
      s->stop();
      CHECK(watched::out == 0);
      sender(s->open())();
      CHECK(s->receive(1) == 1);
      s->stop();
    }
    CHECK(open_descriptors() == descriptors);
    // Nor does its end need a stop.
    s->open();
    fused::fuse = 1;
    CHECK(exhausts([&] { s->receive(1); }));
  });
}

TEST_CASE("a handler memory may throw when it leaves the context", "[servers]") {
  for_each(exhaustible(), [](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    for (int i = 0; i < 5; ++i) {
      send(2);
      fused::carry_fuse = 1;
      CHECK(exhausts([&] { s->receive(1); }));
      CHECK(watched::out == 0);
      CHECK(s->receive(1) == 1);
    }
    CHECK(s->sink.seen == 10);
  });
}

TEST_CASE("what a handler memory throws in the server's own thread is its failure", "[servers]") {
  for_each(exhaustible(), [](const kind& k) {
    const auto s = k.make();
    const auto before = threads();
    for (int i = 0; i < 3; ++i) {
      fused::fuse = 3;
      sender send(s->open());
      CHECK(!s->failure());
      s->start();
      CHECK(eventually([&] {
        send();
        return s->failure() != nullptr;
      }));
      CHECK(is_bad_alloc(s->failure()));
      CHECK(eventually([&] { return threads() == before; }));
      // The thread has ended, but only stop puts it away.
      CHECK(error_of([&] { s->receive(1); }) == error::busy);
      CHECK(error_of([&] { s->start(); }) == error::busy);
      s->stop();
      CHECK(is_bad_alloc(s->failure()));
      CHECK(s->native_handle() == -1);
    }
    s->sink.seen = 0;
    sender send(s->open());
    CHECK(!s->failure());
    send();
    CHECK(s->receive(1) == 1);
    s->start();
    send();
    CHECK(eventually([&] { return s->sink.seen == 2; }));
    s->stop();
    CHECK(!s->failure());
    CHECK(watched::out == 0);
  });
}
