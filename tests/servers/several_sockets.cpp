/** @file
    Servers of several sockets: where each is bound, and which sink gets what.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "several.hpp"

#include "../support/descriptor_limit.hpp"
#include "../support/skip.hpp"

using namespace servers;
using udpbench::error;

TEST_CASE("of several sockets each is bound to the endpoint of its number", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    auto locals = anywhere();
    // Sockets of one server need not be of one protocol.
    if (support::usable(support::v6())) locals.back() = support::v6();
    auto bound = s->open_each(locals);
    REQUIRE(bound.size() == sockets);
    for (std::size_t i = 0; i < sockets; ++i) {
      CHECK(bound[i].address() == locals[i].address());
      CHECK(bound[i].port() != 0);
      CHECK(udpbench::net::local_endpoint(s->native_handle(i)) == bound[i]);
    }
    s->stop();
    std::reverse(bound.begin(), bound.end());
    CHECK(s->open_each(bound) == bound);
    CHECK(udpbench::net::local_endpoint(s->native_handle(0)) == bound[0]);
  });
}

TEST_CASE("what is sent to each of several sockets reaches the sink of its number and no other",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    std::atomic<int> astray{0};
    for (std::size_t i = 0; i < sockets; ++i)
      s->sinks[i].then = [&astray, i](const udpbench::datagram& d) {
        astray += d.length == 10 + i && d.bytes.size() == d.length ? 0 : 1;
      };
    const auto to = senders_to(s->open_each(anywhere()));
    to[2](5, 12); // before the start
    s->start();
    for (int turn = 0; turn < 10; ++turn)
      for (std::size_t i = 0; i < sockets; ++i) to[i](i + 1, 10 + i);
    CHECK(eventually([&] {
      return s->sinks[0].seen >= 10 && s->sinks[1].seen >= 20 && s->sinks[2].seen >= 35;
    }));
    s->stop();
    CHECK(s->sinks[0].seen == 10);
    CHECK(s->sinks[1].seen == 20);
    CHECK(s->sinks[2].seen == 35);
    CHECK(astray == 0);
    CHECK(!s->failure());
    CHECK(s->receive_errors() == 0);
  });
}

TEST_CASE("a socket on which nothing comes keeps none of the others waiting", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto to = senders_to(s->open_each(anywhere()));
    s->start();
    for (std::size_t i = 0; i < sockets; ++i) {
      to[i](100);
      CHECK(eventually([&] { return s->sinks[i].seen == 100; }));
    }
    CHECK(all_seen(*s, 100));
  });
}

TEST_CASE("several sockets have one thread on an event loop, and else one each", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    s->open_each(anywhere());
    const auto before = threads();
    s->start();
    CHECK(threads() == before + own_threads(k));
    CHECK(error_of([&] { s->start(); }) == error::busy);
    s->stop();
    CHECK(eventually([&] { return threads() == before; }));
  });
}

TEST_CASE("of a server of several sockets one can't be opened alone, nor received from",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto descriptors = open_descriptors();
    CHECK(error_of([&] { s->open(); }) == error::socket_count);
    for (const std::size_t n : {0u, 1u, 2u, 4u}) {
      CHECK(error_of([&] { s->open_each(anywhere(n)); }) == error::socket_count);
      CHECK(open_descriptors() == descriptors);
    }
    check_all_closed(*s);
    const auto to = senders_to(s->open_each(anywhere()));
    CHECK(error_of([&] { s->receive(1); }) == error::socket_count);
    CHECK(error_of([&] { s->receive(0, past()); }) == error::socket_count);
    // Nobody is left inside.
    s->start();
    for (const auto& send : to) send();
    CHECK(eventually([&] { return all_seen(*s, 1); }));
  });
}

TEST_CASE("a server of one socket takes one endpoint", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    CHECK(error_of([&] { s->open_each(anywhere(2)); }) == error::socket_count);
    CHECK(error_of([&] { s->open_each(anywhere(0)); }) == error::socket_count);
    CHECK(s->native_handle() == -1);
    sender(s->open_each(anywhere(1)).front())();
    CHECK(s->receive(1) == 1);
  });
}

TEST_CASE("where one of several addresses is in use it is named, and none is left open",
          "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto holder = udpbench::net::open_receiver(v4());
    const auto descriptors = open_descriptors();
    for (std::size_t which = 0; which < sockets; ++which) {
      auto locals = anywhere();
      locals[which] = udpbench::net::local_endpoint(holder.get());
      CHECK(mentions(text_of([&] { s->open_each(locals); }), text(locals[which])));
      CHECK(error_of([&] { s->open_each(locals); }) == boost::system::errc::address_in_use);
      check_all_closed(*s);
      CHECK(open_descriptors() == descriptors);
    }
    const auto to = senders_to(s->open_each(anywhere()));
    s->start();
    for (const auto& send : to) send();
    CHECK(eventually([&] { return all_seen(*s, 1); }));
  });
}

TEST_CASE("several sockets without enough descriptors leave none behind", "[servers]") {
#ifdef UDPBENCH_TEST_SANITIZED
  SKIP("UndefinedBehaviorSanitizer needs descriptors to look at an exception");
#else
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    const auto descriptors = open_descriptors();
    std::size_t failed = 0;
    const auto highest = 64 + descriptors;
    for (std::size_t most = 1; most < highest; ++most) {
      std::string what;
      {
        const support::descriptor_limit limit(most);
        what = text_of([&] { s->open_each(anywhere()); });
      }
      if (what.empty()) break;
      ++failed;
      CHECK(mentions(what, "127.0.0.1"));
      check_all_closed(*s);
      CHECK(open_descriptors() == descriptors);
    }
    // From room for none to room for all: each of the sockets has been the one that failed.
    CHECK(failed >= sockets);
    const auto handle = s->native_handle(sockets - 1);
    REQUIRE(handle >= 0);
    s->start();
    sender(udpbench::net::local_endpoint(handle))();
    CHECK(eventually([&] { return s->sinks.back().seen == 1; }));
  });
#endif
}

TEST_CASE("the memory use of several sockets is that of all of them", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make_several(sockets);
    if (!s->memory_use()) return;
    std::uint64_t requests = 0;
    for (std::size_t busy = 0; busy < sockets; ++busy) {
      const auto before = s->sinks[busy].seen.load();
      const auto to = senders_to(s->open_each(anywhere()));
      s->start();
      for (std::uint64_t i = 1; i <= 20; ++i) {
        to[busy]();
        REQUIRE(eventually([&] { return s->sinks[busy].seen == before + i; }));
      }
      s->stop();
      const auto use = *s->memory_use();
      // One operation for each datagram, unless a wake-up may find several.
      const std::uint64_t fewest = k.name.find("take::one") != std::string::npos ? 20 : 1;
      CHECK(use.requests >= requests + fewest);
      requests = use.requests;
      if (k.name.find("heap") != std::string::npos) CHECK(use.upstream == requests);
      if (k.name.find("fixed_block") != std::string::npos) CHECK(use.upstream == 0u);
    }
  });
}
