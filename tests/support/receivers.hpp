/** @file
    The servers that tests/servers holds to the same promises. A new server is one line in one of these lists.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/async_server.hpp>
#include <udpbench/awaiting.hpp>
#include <udpbench/chain.hpp>
#include <udpbench/coroutine_server.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/idle/block.hpp>
#include <udpbench/idle/busy_poll.hpp>
#include <udpbench/idle/hybrid.hpp>
#include <udpbench/idle/spin.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/from_allocator.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/pool.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/drain.hpp>
#include <udpbench/take/gro.hpp>
#include <udpbench/take/one.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

#ifdef UDPBENCH_TEST_URING
#include <udpbench/uring_server.hpp>
#endif

#include "sanitized.hpp"

namespace support {

template <class... T>
struct types {};

template <class... A, class... B, class... C>
constexpr auto joined(types<A...>, types<B...>, C... c) {
  if constexpr (sizeof...(C) == 0)
    return types<A..., B...>{};
  else
    return joined(types<A..., B...>{}, c...);
}

/** Servers that ask nobody for memory. */
template <class Sink>
using plain_servers = types< //
    udpbench::raw_server<Sink, udpbench::take::one>,
    udpbench::raw_server<Sink, udpbench::take::batch<>>,
    udpbench::raw_server<Sink, udpbench::take::batch<8>>,
    udpbench::raw_server<Sink, udpbench::take::drain<>>,
    udpbench::raw_server<Sink, udpbench::take::gro<>>,
    udpbench::sync_server<Sink, udpbench::take::one>,
    udpbench::sync_server<Sink, udpbench::take::batch<>>,
    udpbench::sync_server<Sink, udpbench::take::batch<8>>,
    udpbench::sync_server<Sink, udpbench::take::drain<>>,
    udpbench::sync_server<Sink, udpbench::take::gro<>>>;

/** Servers that ask a handler memory. */
template <class Sink, class Memory>
using hooked_servers = types< //
    udpbench::async_server<Sink, udpbench::take::one, Memory>,
    udpbench::async_server<Sink, udpbench::take::batch<>, Memory>>;

/** Those of them that differ in what is taken or awaited, not in what is asked of the memory: two memories are enough for them. */
template <class Sink, class Memory>
using further_hooked_servers = types< //
    udpbench::async_server<Sink, udpbench::take::drain<>, Memory>,
    udpbench::async_server<Sink, udpbench::take::gro<>, Memory>,
    udpbench::coroutine_server<Sink, udpbench::take::one, Memory>,
    udpbench::coroutine_server<Sink, udpbench::take::batch<>, Memory>,
    udpbench::coroutine_server<Sink, udpbench::take::drain<>, Memory>,
    udpbench::coroutine_server<Sink, udpbench::take::gro<>, Memory>>;

/** Servers that need liburing, and a kernel that allows io_uring: none in a build without it. */
#ifdef UDPBENCH_TEST_URING
template <class Sink>
using uring_servers = types< //
    udpbench::uring_server<Sink, udpbench::uring::singles<>>,
    udpbench::uring_server<Sink, udpbench::uring::singles<1>>,
    udpbench::uring_server<Sink, udpbench::uring::multishot<>>,
    udpbench::uring_server<Sink, udpbench::uring::multishot<4, 1>>>;
#else
template <class Sink>
using uring_servers = types<>;
#endif

/** Variants of those that ask nobody for memory. */
template <class Sink>
using plain_variants = types< //
    udpbench::raw_server<Sink, udpbench::take::one, udpbench::idle::spin<>>,
    udpbench::raw_server<Sink, udpbench::take::one, udpbench::idle::hybrid<>>,
    udpbench::raw_server<Sink, udpbench::take::batch<>, udpbench::idle::spin<>>,
    udpbench::raw_server<Sink, udpbench::take::batch<>, udpbench::idle::hybrid<>>,
    udpbench::sync_server<Sink, udpbench::take::one, udpbench::idle::spin<>>,
    udpbench::sync_server<Sink, udpbench::take::batch<>, udpbench::idle::spin<>>,
    udpbench::sync_server<Sink, udpbench::take::one, udpbench::idle::hybrid<>>,
    udpbench::sync_server<Sink, udpbench::take::batch<>, udpbench::idle::hybrid<>>,
    udpbench::sync_server<Sink, udpbench::take::one, udpbench::idle::busy_poll<>>>;

template <class Sink, class Memory, class Chain, class Loop>
using async_variant = udpbench::async_server<Sink, udpbench::take::one, Memory, Chain, Loop>;

/** Variants of those that ask a handler memory, with one operation outstanding on a socket. */
template <class Sink, class Memory>
using hooked_variants = decltype(joined(
    types<
        async_variant<Sink, Memory, udpbench::chain::single, udpbench::event_loop::safe>,
        async_variant<Sink, Memory, udpbench::chain::single, udpbench::event_loop::shared>,
        async_variant<Sink, Memory, udpbench::chain::single, udpbench::event_loop::unsafe>,
        async_variant<Sink, Memory, udpbench::chain::single, udpbench::event_loop::spin>,
        async_variant<Sink, Memory, udpbench::chain::single, udpbench::event_loop::hybrid<>>,
        udpbench::async_server<Sink, udpbench::take::batch<>, Memory, udpbench::chain::single,
                               udpbench::event_loop::spin>,
        udpbench::async_server<Sink, udpbench::take::batch<>, Memory, udpbench::chain::single,
                               udpbench::event_loop::hybrid<>>,
        udpbench::coroutine_server<Sink, udpbench::take::one, Memory, udpbench::awaiting::deferred>,
        udpbench::coroutine_server<Sink, udpbench::take::one, Memory,
                                   udpbench::awaiting::as_tuple>>{},
    std::conditional_t<udpbench::net::features::immediate_completion,
                       types<async_variant<Sink, Memory, udpbench::chain::immediate<>,
                                           udpbench::event_loop::one_thread>>,
                       types<>>{}));

/** One with several. */
template <class Sink, class Memory>
using several_in_flight =
    async_variant<Sink, Memory, udpbench::chain::several<8>, udpbench::event_loop::one_thread>;

// On another backend of Asio's the drivers whose operations it carries out are tested, in an executable that compiles in a minute.
#ifdef UDPBENCH_TEST_OTHER_BACKEND
static_assert(udpbench::net::features::backend == "io_uring");

template <class Sink, class Memory>
using all_hooked_servers = types< //
    udpbench::async_server<Sink, udpbench::take::one, Memory>,
    udpbench::coroutine_server<Sink, udpbench::take::one, Memory>>;

template <class Sink>
using servers = decltype(joined(all_hooked_servers<Sink, udpbench::memory::recycling>{},
                                types<several_in_flight<Sink, udpbench::memory::recycling>>{}));
#else
/** Every driver that asks a handler memory for one operation at a time, with one. */
template <class Sink, class Memory>
using all_hooked_servers =
    decltype(joined(hooked_servers<Sink, Memory>{}, further_hooked_servers<Sink, Memory>{},
                    hooked_variants<Sink, Memory>{}));

/** Further memories for drivers that are tested with one or two already. A sanitizer, under which each takes several times as long to
    compile, finds in them what it finds there. */
#ifdef UDPBENCH_TEST_SANITIZED
template <class Sink>
using further_memories = types<>;
#else
template <class Sink>
using further_memories = decltype(joined(
    further_hooked_servers<Sink, udpbench::memory::recycling>{},
    hooked_servers<Sink, udpbench::memory::heap>{},
    hooked_servers<Sink, udpbench::memory::fixed_block<>>{},
    hooked_servers<Sink, udpbench::memory::pool>{},
    hooked_servers<Sink, udpbench::memory::from_allocator<std::allocator<std::byte>>>{},
    types<several_in_flight<Sink, udpbench::memory::counting<udpbench::memory::recycling>>>{},
    hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::recycling>>{}));
#endif

/** All of them, those that ask a memory with each of ours. */
template <class Sink>
using servers = decltype(joined(
    plain_servers<Sink>{}, uring_servers<Sink>{},
    hooked_servers<Sink, udpbench::memory::recycling>{},
    further_hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::fixed_block<>>>{},
    further_memories<Sink>{},
    hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::heap>>{},
    hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::fixed_block<>>>{},
    plain_variants<Sink>{},
    hooked_variants<Sink, udpbench::memory::counting<udpbench::memory::recycling>>{},
    types<several_in_flight<Sink, udpbench::memory::counting<udpbench::memory::fixed_block<>>>>{}));
#endif

} // namespace support
