/** @file
    Handlers that are called within the call that starts their operation.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/skip.hpp"

#include <udpbench/chain.hpp>
#include <udpbench/net/features.hpp>

#include <type_traits>

using namespace servers;
namespace chain = udpbench::chain;

namespace {

constexpr unsigned depth = 5;

/** None where this build has no such server. */
std::vector<kind> immediate() {
  using server = support::async_variant<probe, udpbench::memory::recycling, chain::immediate<depth>,
                                        udpbench::event_loop::one_thread>;
  return kinds_of(std::conditional_t<udpbench::net::features::immediate_completion,
                                     support::types<server>, support::types<>>{});
}

/** How many datagrams each chain of calls within calls gave. */
std::vector<std::size_t> chains_of(subject& s, std::size_t datagrams) {
  std::vector<std::size_t> chains;
  std::uintptr_t last = 0;
  s.sink.then = [&](const udpbench::datagram&) {
    // The stack grows downwards.
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (chains.empty() || here >= last) chains.push_back(0);
    ++chains.back();
    last = here;
  };
  CHECK(s.receive(datagrams) == datagrams);
  s.sink.then = {};
  return chains;
}

} // namespace

TEST_CASE("immediate handlers are called within each other to a depth, then by the scheduler",
          "[servers]") {
  const auto kinds = immediate();
  if (kinds.empty()) SKIP("handlers are called at once from Boost 1.82 on");
  for_each(kinds, [](const kind& k) {
    const auto s = k.make();
    const sender send(s->open());
    send(40);
    // The scheduler's own, and those within it.
    const std::vector<std::size_t> expected(3, depth + 1);
    CHECK(chains_of(*s, 3 * (depth + 1)) == expected);
    CHECK(chains_of(*s, depth) == std::vector<std::size_t>{depth});
    CHECK(chains_of(*s, 1) == std::vector<std::size_t>{1});
  });
}

TEST_CASE("without immediate completions each handler is called by the scheduler", "[servers]") {
  for_each(kinds_of(support::types<udpbench::async_server<probe>>{}), [](const kind& k) {
    const auto s = k.make();
    sender(s->open())(20);
    CHECK(chains_of(*s, 20) == std::vector<std::size_t>(20, 1));
  });
}
