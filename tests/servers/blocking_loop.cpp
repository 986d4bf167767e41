/** @file
    When the loop around blocking receive calls looks at the clock.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/blocking_loop.hpp>

#include <udpbench/basic_server.hpp>

#include "../support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

using udpbench::blocking_loop;
using udpbench::error_code;
namespace errc = boost::system::errc;

namespace {

constexpr auto long_ago = blocking_loop::clock::time_point{};
constexpr auto never = blocking_loop::clock::time_point::max();
constexpr auto goes_on = [] { return false; };

// Each of these datagrams may have been waited for, for almost a tick: the 100 ms that `basic_server::receive` promises.
static_assert(blocking_loop::stride * udpbench::server_tick < std::chrono::milliseconds(100));

error_code code(errc::errc_t e) { return {static_cast<int>(e), boost::system::system_category()}; }

} // namespace

TEST_CASE("a blocking loop asks for what is left, no more", "[servers]") {
  blocking_loop loop;
  std::size_t left = 10;
  const auto got = loop.run(
      10, never,
      [&](std::size_t most, error_code&) {
        CHECK(most == left);
        left -= 3 < left ? 3 : left;
        return most - left;
      },
      goes_on);
  CHECK(got == 10);
  CHECK(left == 0);
}

TEST_CASE("a trickle overruns its deadline by few datagrams, also after a flood", "[servers]") {
  blocking_loop loop;
  const auto one = [](std::size_t, error_code&) -> std::size_t { return 1; };
  CHECK(loop.run(100'000, never, one, goes_on) == 100'000);
  for (int i = 0; i < 10; ++i)
    CHECK(loop.run(1000, long_ago, one, goes_on) <= blocking_loop::stride);
}

TEST_CASE("calls for single datagrams add up to a look at the clock", "[servers]") {
  blocking_loop loop;
  const auto one = [](std::size_t, error_code&) -> std::size_t { return 1; };
  for (std::size_t i = 0; i < 10 * blocking_loop::stride; ++i)
    CHECK(loop.run(1, long_ago, one, goes_on) == 1);
  CHECK(loop.run(2, long_ago, one, goes_on) == 1);
}

TEST_CASE("a call that brings nothing ends a loop whose deadline is over", "[servers]") {
  for (const auto e :
       {errc::success, errc::resource_unavailable_try_again, errc::connection_refused}) {
    blocking_loop loop;
    int calls = 0;
    const auto nothing = [&](std::size_t, error_code& ec) -> std::size_t {
      ++calls;
      if (e != errc::success) ec = code(e);
      return 0;
    };
    CHECK(loop.run(10, long_ago, nothing, goes_on) == 0);
    CHECK(calls == 1);
  }
}

TEST_CASE("errors are counted unless nothing came or a signal did", "[servers]") {
  blocking_loop loop;
  const errc::errc_t script[] = {errc::resource_unavailable_try_again, errc::connection_refused,
                                 errc::interrupted, errc::no_buffer_space, errc::success};
  std::size_t at = 0;
  const auto step = [&](std::size_t, error_code& ec) -> std::size_t {
    const auto e = script[at++];
    if (e == errc::success) return 1;
    ec = code(e);
    return 0;
  };
  CHECK(loop.run(1, never, step, goes_on) == 1);
  CHECK(loop.errors() == 2);
}

TEST_CASE("a blocking loop looks at the stop flag before each call", "[servers]") {
  blocking_loop loop;
  int calls = 0;
  const auto one = [&](std::size_t, error_code&) -> std::size_t {
    ++calls;
    return 1;
  };
  CHECK(loop.run(10, never, one, [&] { return calls == 3; }) == 3);
  CHECK(loop.run(10, never, one, [] { return true; }) == 0);
  CHECK(calls == 3);
}
