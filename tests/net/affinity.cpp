/** @file
    A thread's cpus, and what it has again afterwards.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include <udpbench/net/affinity.hpp>

#include "catch.hpp"
#include "skip.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace net = udpbench::net;
using cpus = std::vector<unsigned>;

static_assert(!std::is_copy_constructible_v<net::scoped_affinity>);
static_assert(!std::is_copy_assignable_v<net::scoped_affinity>);

namespace {

/** What the kernel itself says of the calling thread. */
bool kernel_allows(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 && CPU_ISSET(cpu, &set);
}

/** A cpu that this host doesn't have. */
std::optional<unsigned> absent_cpu() {
  const auto configured = ::sysconf(_SC_NPROCESSORS_CONF);
  if (configured < 1 || configured >= CPU_SETSIZE) return {};
  return static_cast<unsigned>(configured);
}

} // namespace

TEST_CASE("the allowed cpus are those of the kernel, ascending", "[net]") {
  const auto allowed = net::allowed_cpus();
  REQUIRE_FALSE(allowed.empty());
  CHECK(std::ranges::adjacent_find(allowed, std::greater_equal<>()) == allowed.end());
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    REQUIRE(kernel_allows(cpu) == std::ranges::binary_search(allowed, cpu));
}

TEST_CASE("a thread runs on one cpu within the scope and on all that it had after it", "[net]") {
  const auto before = net::allowed_cpus();
  for (const unsigned cpu : before) {
    {
      const net::scoped_affinity scope(cpu);
      CHECK(scope.bound());
      CHECK(net::allowed_cpus() == cpus{cpu});
      CHECK(::sched_getcpu() == static_cast<int>(cpu));
    }
    CHECK(net::allowed_cpus() == before);
  }
}

TEST_CASE("a thread may be bound to several cpus, of which those that are none don't count",
          "[net]") {
  const auto before = net::allowed_cpus();
  {
    const net::scoped_affinity scope(before);
    CHECK(scope.bound());
    CHECK(net::allowed_cpus() == before);
    auto some = cpus{before.front(), CPU_SETSIZE};
    if (const auto absent = absent_cpu()) some.push_back(*absent);
    const net::scoped_affinity inner(some);
    CHECK(inner.bound());
    CHECK(net::allowed_cpus() == cpus{before.front()});
  }
  CHECK(net::allowed_cpus() == before);
  CHECK_FALSE(net::scoped_affinity(cpus{}).bound());
  CHECK_FALSE(net::scoped_affinity(cpus{CPU_SETSIZE}).bound());
}

TEST_CASE("scopes of affinity nest", "[net]") {
  const auto before = net::allowed_cpus();
  if (before.size() < 2) SKIP("this test needs two cpus");
  {
    const net::scoped_affinity outer(before[0]);
    {
      const net::scoped_affinity inner(before[1]);
      CHECK(inner.bound());
      CHECK(net::allowed_cpus() == cpus{before[1]});
    }
    CHECK(net::allowed_cpus() == cpus{before[0]});
  }
  CHECK(net::allowed_cpus() == before);
}

TEST_CASE("cpus that can't be had are refused by number, with those that can", "[net]") {
  const auto before = net::allowed_cpus();
  CHECK_NOTHROW(net::require_cpus(before));
  CHECK_NOTHROW(net::require_cpus({}));
  CHECK_THROWS_WITH(net::require_cpus(cpus{before.front(), 99'999}),
                    Catch::StartsWith("cpu 99999: no thread can be bound to it; this one may use " +
                                      std::to_string(before.front())));
  CHECK(net::allowed_cpus() == before);
}

TEST_CASE("without a cpu nothing changes", "[net]") {
  const auto before = net::allowed_cpus();
  const net::scoped_affinity scope(std::nullopt);
  CHECK_FALSE(scope.bound());
  CHECK(net::allowed_cpus() == before);
}

TEST_CASE("a cpu that this host doesn't have changes nothing", "[net]") {
  const auto absent = absent_cpu();
  if (!absent) SKIP("this host has every cpu that can be named");
  const auto before = net::allowed_cpus();
  const net::scoped_affinity scope(*absent);
  CHECK_FALSE(scope.bound());
  CHECK(net::allowed_cpus() == before);
}

TEST_CASE("a cpu beyond every set of cpus changes nothing", "[net]") {
  const auto before = net::allowed_cpus();
  for (const unsigned cpu : {unsigned{CPU_SETSIZE}, std::numeric_limits<unsigned>::max()}) {
    const net::scoped_affinity scope(cpu);
    CHECK_FALSE(scope.bound());
    CHECK(net::allowed_cpus() == before);
  }
}

TEST_CASE("a refused scope inside another doesn't end it", "[net]") {
  const auto before = net::allowed_cpus();
  const net::scoped_affinity outer(before[0]);
  {
    const net::scoped_affinity refused(unsigned{CPU_SETSIZE});
  }
  CHECK(net::allowed_cpus() == cpus{before[0]});
}

TEST_CASE("a scope binds its own thread alone", "[net]") {
  const auto before = net::allowed_cpus();
  cpus within;
  std::thread([&] {
    const net::scoped_affinity scope(before.back());
    within = net::allowed_cpus();
  }).join();
  CHECK(within == cpus{before.back()});
  CHECK(net::allowed_cpus() == before);
}
