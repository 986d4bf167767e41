/** @file
    What receivers on plain calls do while nothing has come, by receive calls that follow a script.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/idle/block.hpp>
#include <udpbench/idle/busy_poll.hpp>
#include <udpbench/idle/hybrid.hpp>
#include <udpbench/idle/spin.hpp>

#include "catch.hpp"
#include "loopback.hpp"
#include "skip.hpp"

#include <udpbench/net/busy_poll.hpp>
#include <udpbench/net/open.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <vector>

using udpbench::error_code;
using udpbench::take::wait;
namespace idle = udpbench::idle;
namespace errc = boost::system::errc;

namespace {

/** A socket where datagrams come after `empty` calls that don't wait, or at the first that may block; or where calls fail. */
struct script {
  std::size_t empty = SIZE_MAX;
  error_code failure;
  std::vector<wait> calls;

  std::size_t operator()(std::size_t most, wait w, error_code& ec) {
    CHECK(most == 7);
    calls.push_back(w);
    if (failure) {
      ec = failure;
      return 0;
    }
    if (w == wait::first || calls.size() > empty) return 3;
    ec = boost::asio::error::would_block;
    return 0;
  }
};

template <class Idle>
std::size_t patient(Idle idle, script& s, error_code& ec) {
  return idle(7, ec, [&s](std::size_t most, wait w, error_code& e) { return s(most, w, e); });
}

const error_code refused(errc::connection_refused, boost::system::system_category());

} // namespace

TEST_CASE("who blocks makes one receive call, which may wait", "[servers]") {
  script s;
  error_code ec;
  CHECK(patient(idle::block(), s, ec) == 3);
  CHECK(s.calls == std::vector{wait::first});
  CHECK(!ec);
}

TEST_CASE("who spins never waits, and gives up after its tries", "[servers]") {
  script s;
  error_code ec;
  CHECK(patient(idle::spin<5>(), s, ec) == 0);
  CHECK(s.calls == std::vector(5, wait::no));
  CHECK(ec == errc::resource_unavailable_try_again);
}

TEST_CASE("who spins returns with the first that comes", "[servers]") {
  script s{.empty = 4, .failure = {}, .calls = {}};
  error_code ec;
  CHECK(patient(idle::spin<5>(), s, ec) == 3);
  CHECK(s.calls == std::vector(5, wait::no));
  script at_once{.empty = 0, .failure = {}, .calls = {}};
  CHECK(patient(idle::spin<5>(), at_once, ec) == 3);
  CHECK(at_once.calls.size() == 1);
}

TEST_CASE("a hybrid blocks after its tries, not before, and then once", "[servers]") {
  for (const std::size_t empty : {0u, 1u, 4u}) {
    script s{.empty = empty, .failure = {}, .calls = {}};
    error_code ec;
    CHECK(patient(idle::hybrid<5>(), s, ec) == 3);
    CHECK(s.calls == std::vector(empty + 1, wait::no));
  }
  script s;
  error_code ec;
  CHECK(patient(idle::hybrid<5>(), s, ec) == 3);
  std::vector<wait> expected(5, wait::no);
  expected.push_back(wait::first);
  CHECK(s.calls == expected);
  CHECK(!ec);
  // It tries again for the next.
  CHECK(patient(idle::hybrid<5>(), s, ec) == 3);
  CHECK(s.calls.size() == 12);
}

TEST_CASE("a call that fails is the last, whoever waits", "[servers]") {
  const auto check = [](auto idle) {
    script s{.empty = SIZE_MAX, .failure = refused, .calls = {}};
    error_code ec;
    CHECK(patient(idle, s, ec) == 0);
    CHECK(s.calls.size() == 1);
    CHECK(ec == refused);
  };
  check(idle::block());
  check(idle::spin<5>());
  check(idle::hybrid<5>());
}

TEST_CASE("busy polling is asked for, and what was granted can be read", "[servers]") {
  const auto fd = udpbench::net::open_receiver(support::v4());
  const auto before = udpbench::net::granted_busy_poll(fd.get());
  if (!before) SKIP("this kernel has no SO_BUSY_POLL");
  idle::busy_poll<33>::prepare(fd.get());
  const auto after = udpbench::net::granted_busy_poll(fd.get());
  REQUIRE(after);
  if (*after == *before) SKIP("more busy polling than net.core.busy_read takes CAP_NET_ADMIN");
  CHECK(*after == idle::busy_poll<33>::requested);
  CHECK(!udpbench::net::granted_busy_poll(-1));
}
