/** @file
    What `open` promises, above all where it fails, and who may call what when.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/descriptor_limit.hpp"
#include "../support/skip.hpp"

#include <exception>
#include <new>
#include <utility>

using namespace servers;
using udpbench::error;

namespace {

/** A server that keeps its socket and then fails to open. */
class unwilling : public udpbench::basic_server<unwilling> {
  friend class udpbench::basic_server<unwilling>;

 public:
  explicit unwilling(std::exception_ptr reason) : reason_(std::move(reason)) {}
  ~unwilling() { stop(); }

 private:
  std::size_t sockets() const { return 1; }
  std::size_t threads() const { return 1; }
  void open_socket(std::size_t, udpbench::net::descriptor fd, const boost::asio::ip::udp&,
                   const udpbench::server_options&) {
    socket_ = std::move(fd);
    std::rethrow_exception(reason_);
  }
  std::size_t receive_some(std::size_t, time_point) { return 0; }
  void serve(std::size_t) {}
  void close_sockets() noexcept { socket_.reset(); }

  std::exception_ptr reason_;
  udpbench::net::descriptor socket_;
};

/** A server with somebody inside its sink, who leaves when this ends. */
class occupied {
 public:
  explicit occupied(subject& s) : server_(s) {
    s.sink.then = [this](const udpbench::datagram&) { leave_.pass(); };
    sender(s.open())();
    other_.emplace(s, 1);
    support::need(eventually([&] { return s.sink.seen == 1; }), "a datagram in the sink");
  }
  ~occupied() {
    leave_.open();
    other_->join();
    server_.sink.then = {};
  }

 private:
  subject& server_;
  gate leave_;
  std::optional<receiving> other_;
};

} // namespace

TEST_CASE("open tells where the server is bound, and does so once", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    CHECK(s->native_handle() == -1);
    const auto local = s->open();
    CHECK(local.address() == v4().address());
    CHECK(local.port() != 0);
    CHECK(udpbench::net::local_endpoint(s->native_handle()) == local);
    CHECK(error_of([&] { s->open(); }) == error::already_open);
    sender send(local);
    send();
    CHECK(s->receive(1) == 1);
  });
}

TEST_CASE("open asks for the receive buffer that it is told", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    s->open();
    const auto usual = udpbench::net::granted_receive_buffer(s->native_handle());
    s->stop();
    s->open(v4(), {.socket = {.receive_buffer_bytes = 10'000}});
    CHECK(udpbench::net::granted_receive_buffer(s->native_handle()) == 20'000);
    CHECK(usual != 20'000);
  });
}

TEST_CASE("an address that is not ours is named, and the server stays usable", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    const auto descriptors = open_descriptors();
    // Set aside for documentation (RFC 5737); nothing is sent to it.
    const udpbench::net::endpoint elsewhere(boost::asio::ip::make_address("192.0.2.1"), 0);
    CHECK(mentions(text_of([&] { s->open(elsewhere); }), "192.0.2.1:0"));
    CHECK(error_of([&] { s->open(elsewhere); }) == boost::system::errc::address_not_available);
    CHECK(s->native_handle() == -1);
    CHECK(s->receive(1) == 0);
    CHECK(error_of([&] { s->start(); }) == error::not_open);
    s->stop();
    CHECK(open_descriptors() == descriptors);
    sender(s->open())();
    CHECK(s->receive(1) == 1);
  });
}

TEST_CASE("a port that is taken is named, and is free once its server has stopped", "[servers]") {
  for_all([](const kind& k) {
    const auto holder = k.make();
    const auto s = k.make();
    const auto taken = holder->open();
    CHECK(mentions(text_of([&] { s->open(taken); }), text(taken)));
    holder->stop();
    CHECK(s->open(taken) == taken);
  });
}

TEST_CASE("open without enough descriptors names the endpoint and leaves none behind",
          "[servers]") {
#ifdef UDPBENCH_TEST_SANITIZED
  SKIP("UndefinedBehaviorSanitizer needs descriptors to look at an exception");
#else
  for_all([](const kind& k) {
    const auto s = k.make();
    const auto descriptors = open_descriptors();
    const auto highest = 64 + descriptors;
    int failed = 0;
    for (std::size_t most = 1; most < highest; ++most) {
      std::string what;
      {
        const support::descriptor_limit limit(most);
        what = text_of([&] { s->open(); });
      }
      if (what.empty()) break;
      ++failed;
      CHECK(mentions(what, "127.0.0.1"));
      CHECK(s->native_handle() == -1);
      CHECK(open_descriptors() == descriptors);
    }
    CHECK(failed > 0);
    CHECK(s->native_handle() >= 0);
    sender(udpbench::net::local_endpoint(s->native_handle()))();
    CHECK(s->receive(1) == 1);
  });
#endif
}

TEST_CASE("an open that fails half-way is taken back", "[servers]") {
  const auto descriptors = open_descriptors();
  const auto no_room = make_error_code(boost::system::errc::no_space_on_device);
  unwilling a(std::make_exception_ptr(udpbench::system_error(no_room)));
  CHECK(error_of([&] { a.open(v4()); }) == no_room);
  CHECK(mentions(text_of([&] { a.open(v4()); }), "127.0.0.1:"));
  CHECK(open_descriptors() == descriptors);
  unwilling b(std::make_exception_ptr(std::bad_alloc()));
  CHECK_THROWS_AS(b.open(v4()), std::bad_alloc);
  CHECK(open_descriptors() == descriptors);
}

TEST_CASE("one receive at a time", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    {
      const occupied inside(*s);
      CHECK(error_of([&] { s->receive(1); }) == error::busy);
      CHECK(error_of([&] { s->receive(0, past()); }) == error::busy);
      CHECK(error_of([&] { s->start(); }) == error::busy);
      CHECK(error_of([&] { s->open(); }) == error::already_open);
    }
    CHECK(s->sink.seen == 1);
    CHECK(s->receive(1, past()) == 0);
    s->start();
  });
}

TEST_CASE("no receive while the server's own thread runs", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    sender send(s->open());
    s->start();
    CHECK(error_of([&] { s->receive(1); }) == error::busy);
    CHECK(error_of([&] { s->start(); }) == error::busy);
    CHECK(error_of([&] { s->open(); }) == error::already_open);
    send();
    CHECK(eventually([&] { return s->sink.seen == 1; }));
    s->stop();
    CHECK(s->receive(1) == 0);
  });
}

TEST_CASE("a server that isn't open receives nothing and doesn't start", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    CHECK(s->receive(1) == 0);
    CHECK(error_of([&] { s->start(); }) == error::not_open);
  });
}

TEST_CASE("inside the sink a server is busy and open", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    std::vector<udpbench::error_code> seen;
    s->sink.then = [&](const udpbench::datagram&) {
      seen.push_back(error_of([&] { s->receive(1); }));
      seen.push_back(error_of([&] { s->start(); }));
      seen.push_back(error_of([&] { s->open(); }));
    };
    sender(s->open())();
    REQUIRE(s->receive(1) == 1);
    CHECK(seen == std::vector<udpbench::error_code>{error::busy, error::busy, error::already_open});
  });
}

TEST_CASE("one server may be received from and stopped inside the sink of another", "[servers]") {
  for_all([](const kind& k) {
    const auto outer = k.make();
    const auto inner = k.make();
    sender to_inner(inner->open());
    std::size_t got = 0;
    outer->sink.then = [&](const udpbench::datagram&) {
      to_inner();
      got = inner->receive(1);
      inner->stop();
    };
    sender(outer->open())();
    CHECK(outer->receive(1) == 1);
    CHECK(got == 1);
    CHECK(inner->native_handle() == -1);
    CHECK(outer->native_handle() >= 0);
  });
}
