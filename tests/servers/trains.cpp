/** @file
    Servers whose sockets join datagrams.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/skip.hpp"
#include "../support/train.hpp"

#include <udpbench/measure/waits.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/net/train.hpp>

#include <cstdint>
#include <vector>

using namespace servers;
using udpbench::error;
using sizes = udpbench::measure::buckets;
namespace take = udpbench::take;

namespace {

/** Every driver, with a take. */
template <class Take>
using drivers = support::types< //
    udpbench::raw_server<probe, Take>, udpbench::sync_server<probe, Take>,
    udpbench::async_server<probe, Take>, udpbench::coroutine_server<probe, Take>>;

/** Its socket can't be set up. */
struct unable : take::one {
  void configure(int) { throw udpbench::system_error(make_error_code(error::no_gro), "planted"); }
};
static_assert(udpbench::configuring_take<unable>);

/** Whether a train goes from end to end whole here. */
bool possible() {
  support::link link;
  if (!udpbench::net::accepts_gro(link.receiver())) return false;
  if (!support::send_train(link.sender(), support::pattern(20), 10)) return false;
  link.settle();
  return support::receive(link.receiver()).size() == 20;
}

void train(const sender& to, std::size_t bytes, std::size_t segment) {
  support::need(support::send_train(to.native_handle(), support::pattern(bytes), segment),
                "sending a train");
}

} // namespace

#define NEEDS_TRAINS()                                                                             \
  if (!possible()) SKIP("this kernel has no segmented sends, or doesn't join datagrams")

TEST_CASE("receive may exceed n within a train only", "[servers]") {
  NEEDS_TRAINS();
  for_each(kinds_of(drivers<take::gro<>>{}), [](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    for (int i = 0; i < 4; ++i) train(send, 300, 100);
    CHECK(s->receive(1) == 3);
    CHECK(s->sink.seen == 3);
    CHECK(s->receive(4) == 6);
    CHECK(s->sink.seen == 9);
    CHECK(s->receive(3) == 3);
    CHECK(s->receive(1, past()) == 0);
    CHECK(s->receive_errors() == 0);
  });
}

TEST_CASE("each train begins on a page, and its datagrams lie one behind the other", "[servers]") {
  NEEDS_TRAINS();
  for_each(kinds_of(drivers<take::gro<>>{}), [](const kind& k) {
    const auto s = k.make();
    std::vector<std::uintptr_t> at;
    s->sink.then = [&](const udpbench::datagram& d) {
      at.push_back(reinterpret_cast<std::uintptr_t>(d.bytes.data()));
    };
    const sender send(s->open());
    for (int i = 0; i < 3; ++i) train(send, 250, 100);
    REQUIRE(s->receive(9) == 9);
    for (std::size_t i = 0; i < at.size(); ++i)
      if (i % 3 == 0)
        CHECK(at[i] % 4096 == 0);
      else
        CHECK(at[i] == at[i - 1] + 100);
  });
}

TEST_CASE("trains come one after the other and among single datagrams", "[servers]") {
  NEEDS_TRAINS();
  for_each(kinds_of(drivers<take::gro<>>{}), [](const kind& k) {
    for (const auto& local : {v4(), support::v6()}) {
      if (!support::usable(local)) continue;
      const auto s = k.make();
      std::vector<std::size_t> lengths;
      s->sink.then = [&](const udpbench::datagram& d) { lengths.push_back(d.length); };
      const sender send(s->open(local));
      CHECK(udpbench::net::joins_datagrams(s->native_handle()));
      train(send, 250, 100);
      send(1, 7);
      send(1, 0);
      train(send, 4000, 2000);
      CHECK(s->receive(7) == 7);
      CHECK(lengths == std::vector<std::size_t>{100, 100, 50, 7, 0, 2000, 2000});
    }
  });
}

TEST_CASE("a server's own thread receives trains", "[servers]") {
  NEEDS_TRAINS();
  for_each(kinds_of(drivers<take::gro<>>{}), [](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    s->start();
    for (std::uint64_t i = 1; i <= 10; ++i) {
      train(send, 6400, 100);
      CHECK(eventually([&] { return s->sink.seen == 64 * i; }));
    }
    s->stop();
    CHECK(s->receive_errors() == 0);
  });
}

TEST_CASE("a train longer than the buffer is a receive error, and its whole datagrams are received",
          "[servers]") {
  NEEDS_TRAINS();
  for_each(kinds_of(drivers<take::gro<1000>>{}), [](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    train(send, 1500, 300);
    train(send, 900, 300);
    CHECK(s->receive(6) == 6);
    CHECK(s->receive_errors() == 1);
    CHECK(s->last_receive_error() == error::cut_train);
    // None of it is whole.
    train(send, 2400, 1200);
    send();
    CHECK(s->receive(1) == 1);
    CHECK(s->receive_errors() == 2);
  });
}

TEST_CASE("each receive call that gives something is counted", "[servers]") {
  NEEDS_TRAINS();
  for_each(kinds_of(drivers<take::gro<>>{}), [](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    CHECK(s->receive_calls() == 0u);
    train(send, 300, 100);
    send(2);
    CHECK(s->receive(5) == 5);
    CHECK(s->receive(1, past()) == 0);
    CHECK(s->receive_calls() == 3u);
    CHECK(s->datagrams_per_call() == sizes{{1, 2}, {3, 1}});
  });
  for_each(kinds_of(drivers<take::batch<4>>{}), [](const kind& k) {
    const auto s = k.make();
    sender(s->open())(9);
    CHECK(s->receive(9) == 9);
    CHECK(s->receive_calls() == 3u);
    CHECK(s->datagrams_per_call() == sizes{{1, 1}, {4, 2}});
  });
  for_each(kinds_of(drivers<take::one>{}), [](const kind& k) {
    CHECK_FALSE(k.make()->receive_calls());
    CHECK_FALSE(k.make()->datagrams_per_call());
  });
}

TEST_CASE("a server that waits for its socket counts what each wake-up gives", "[servers]") {
  for_all([](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    send(9);
    CHECK(s->receive(9) == 9);
    CHECK(s->receive(1, past()) == 0);
    const auto told = s->datagrams_per_wakeup();
    const auto has = [&](const char* part) { return k.name.find(part) != std::string::npos; };
    const bool waits = k.name.starts_with("async") || k.name.starts_with("coroutine");
    const bool asio_tells = udpbench::measure::thread_waits() != nullptr &&
                            udpbench::net::features::backend == "epoll" &&
                            !has("event_loop::spin") && !has("event_loop::shared");
    CHECK(told.has_value() ==
          (k.name.starts_with("uring") || (waits && (asio_tells || !has("take::one")))));
    if (!told) return;
    std::uint64_t datagrams = 0;
    for (const auto& [each, times] : *told) datagrams += each * times;
    CHECK(datagrams == 9);
    if (has("take::drain<64")) CHECK(*told == sizes{{9, 1}});
  });
}

TEST_CASE("a socket that can't be set up as its take needs it ends open, and nothing is left",
          "[servers]") {
  for_each(kinds_of(drivers<unable>{}), [](const kind& k) {
    const auto s = k.make();
    const auto descriptors = open_descriptors();
    CHECK(error_of([&] { s->open(); }) == error::no_gro);
    const auto what = text_of([&] { s->open(); });
    CHECK(mentions(what, "receive on 127.0.0.1:"));
    CHECK(mentions(what, "UDP_GRO"));
    CHECK(s->native_handle() == -1);
    CHECK(s->receive(1) == 0);
    CHECK(open_descriptors() == descriptors);
  });
}
