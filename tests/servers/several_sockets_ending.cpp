/** @file
    Servers of several sockets: stop ends all of them, from every state, and nothing is left behind.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "exhausted.hpp"
#include "several.hpp"

#include "../support/skip.hpp"

#include <udpbench/lifecycle.hpp>

#include <boost/thread/exceptions.hpp>

#include <fstream>

#include <sys/resource.h>

using namespace servers;
using udpbench::error;

namespace {

std::vector<udpbench::net::endpoint> flooded() { return std::vector(sockets, flood::address()); }

/** Leaves this process room for some more stacks of threads, and not for many, for as long as it exists. */
class memory_limit {
 public:
  memory_limit() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit now = before_;
    now.rlim_cur = pages * static_cast<std::size_t>(::getpagesize()) + (std::size_t{64} << 20);
    ::setrlimit(RLIMIT_AS, &now);
  }
  memory_limit(const memory_limit&) = delete;
  memory_limit& operator=(const memory_limit&) = delete;
  ~memory_limit() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

} // namespace

TEST_CASE("a server of several sockets stops from every state", "[servers]") {
  for_all([](const kind& k) {
    const auto descriptors = open_descriptors();
    const auto before = threads();
    const auto s = k.make_several(sockets);
    s->stop(); // never opened
    check_all_closed(*s);
    s->open_each(anywhere());
    s->stop(); // open
    check_all_closed(*s);
    s->open_each(anywhere());
    s->start();
    s->stop(); // just started
    s->stop();
    check_all_closed(*s);
    {
      const auto to = senders_to(s->open_each(anywhere()));
      s->start();
      for (const auto& send : to) send();
      CHECK(eventually([&] { return all_seen(*s, 1); }));
      s->stop(); // all wait for the next datagram
    }
    check_all_closed(*s);
    CHECK(!s->failure());
    CHECK(open_descriptors() == descriptors);
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("a server of several sockets stops while one of them, or all, are flooded", "[servers]") {
  for_all([](const kind& k) {
    for (const std::size_t floods : {std::size_t{1}, sockets}) {
      const auto s = k.make_several(sockets);
      const auto locals = s->open_each(flooded());
      std::vector<std::unique_ptr<flood>> traffic;
      for (std::size_t i = 0; i < floods; ++i)
        traffic.push_back(std::make_unique<flood>(locals[sockets - 1 - i]));
      s->start();
      CHECK(eventually([&] { return s->sinks.back().seen > 0; }));
      s->stop();
      check_all_closed(*s);
      std::vector<std::uint64_t> seen;
      for (const probe& p : s->sinks) seen.push_back(p.seen);
      traffic.clear();
      for (std::size_t i = 0; i < sockets; ++i) CHECK(s->sinks[i].seen == seen[i]);
    }
  });
}

TEST_CASE("a stop inside the sink of one socket ends the threads of all", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto before = threads();
    for (std::size_t which = 0; which < sockets; ++which) {
      const auto to = senders_to(s->open_each(anywhere()));
      s->sinks[which].then = [&](const udpbench::datagram&) { s->stop(); };
      s->start();
      to[which]();
      CHECK(eventually([&] { return threads() == before; }));
      // Asked to stop, but not closed.
      for (std::size_t i = 0; i < sockets; ++i) CHECK(s->native_handle(i) >= 0);
      s->stop();
      check_all_closed(*s);
      CHECK(!s->failure());
      s->sinks[which].then = {};
    }
    CHECK(all_seen(*s, 1));
  });
}

TEST_CASE("two threads stop a server of several sockets at once", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    for (int i = 0; i < 3; ++i) {
      s->open_each(anywhere());
      s->start();
      std::jthread other([&] { s->stop(); });
      s->stop();
      check_all_closed(*s);
    }
  });
}

TEST_CASE("the destructor stops the threads of several sockets", "[servers]") {
  for_all([](const kind& k) {
    const auto descriptors = open_descriptors();
    const auto before = threads();
    auto s = k.make_several(sockets);
    s->open_each(anywhere());
    s->start();
    s.reset();
    CHECK(open_descriptors() == descriptors);
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("30 restarts of several sockets leave no descriptor and no thread", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto descriptors = open_descriptors();
    const auto before = threads();
    std::uint64_t came = 0;
    for (int i = 0; i < 30; ++i) {
      const auto to = senders_to(s->open_each(anywhere()));
      if (i % 3 == 1) s->stop(); // never started
      if (i % 3 != 1) s->start();
      if (i % 3 == 2) {
        for (const auto& send : to) send();
        ++came;
        REQUIRE(eventually([&] { return all_seen(*s, came); }));
      }
      s->stop();
    }
    CHECK(came == 10);
    CHECK(!s->failure());
    CHECK(open_descriptors() == descriptors);
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("what the handler memory of one of several sockets throws is the server's failure",
          "[servers]") {
  static const auto kinds = kinds_of(support::all_hooked_servers<probe, exhausted>{});
  for_each(kinds, [](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto before = threads();
    // From the first operation of the first socket to a later one of any.
    for (int fuse = 1; fuse <= 6; ++fuse) {
      const auto to = senders_to(s->open_each(anywhere()));
      CHECK(!s->failure());
      exhausted::fuse = fuse;
      s->start();
      CHECK(eventually([&] {
        for (const auto& send : to) send();
        return s->failure() != nullptr;
      }));
      CHECK(is_bad_alloc(s->failure()));
      CHECK(eventually([&] { return threads() == before; }));
      s->stop();
      check_all_closed(*s);
    }
    for (probe& p : s->sinks) p.seen = 0;
    const auto to = senders_to(s->open_each(anywhere()));
    s->start();
    for (const auto& send : to) send(2);
    CHECK(eventually([&] { return all_seen(*s, 2); }));
    CHECK(!s->failure());
  });
}

TEST_CASE(
    "what a handler memory throws at the first operation of one of several sockets ends those "
    "of the others, where no datagram comes",
    "[servers]") {
  static const auto kinds = kinds_of(support::all_hooked_servers<probe, exhausted>{});
  for_each(kinds, [](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto before = threads();
    for (int fuse = 1; fuse <= static_cast<int>(sockets); ++fuse) {
      s->open_each(anywhere());
      exhausted::fuse = fuse;
      s->start();
      CHECK(eventually([&] { return s->failure() != nullptr; }));
      CHECK(is_bad_alloc(s->failure()));
      CHECK(eventually([&] { return threads() == before; }));
      s->stop();
    }
  });
}

TEST_CASE("where the system gives only some of the threads none is left, and the rest is as before",
          "[servers]") {
#ifdef UDPBENCH_TEST_SANITIZED
  SKIP("sanitizers take more address space than any limit leaves them");
#else
  const watchdog guard;
  const auto before = threads();
  udpbench::lifecycle life;
  std::atomic<int> entered{0};
  life.open([] {});
  const auto body = [&](std::size_t) {
    const udpbench::lifecycle::stay inside(life, true);
    entered += inside ? 1 : 0;
  };
  {
    const memory_limit few;
    CHECK_THROWS_AS(life.start(100'000, body), boost::thread_resource_error);
  }
  CHECK(entered == 0);
  CHECK(eventually([&] { return threads() == before; }));
  life.start(2, body);
  CHECK(eventually([&] { return entered == 2; }));
  life.stop([]() noexcept {});
#endif
}
