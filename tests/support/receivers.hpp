/** @file
    The servers that tests/servers holds to the same promises. A new server is one line in one of these lists.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/async_server.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/one.hpp>

namespace support {

template <class... T>
struct types {};

/** Servers that ask nobody for memory. */
template <class Sink>
using plain_servers = types< //
    udpbench::raw_server<Sink, udpbench::take::one>,
    udpbench::raw_server<Sink, udpbench::take::batch<>>,
    udpbench::raw_server<Sink, udpbench::take::batch<8>>,
    udpbench::sync_server<Sink, udpbench::take::one>,
    udpbench::sync_server<Sink, udpbench::take::batch<>>,
    udpbench::sync_server<Sink, udpbench::take::batch<8>>>;

/** Servers that ask a handler memory. */
template <class Sink, class Memory>
using hooked_servers = types< //
    udpbench::async_server<Sink, udpbench::take::one, Memory>,
    udpbench::async_server<Sink, udpbench::take::batch<>, Memory>>;

template <class... A, class... B, class... C>
constexpr auto joined(types<A...>, types<B...>, C... c) {
  if constexpr (sizeof...(C) == 0)
    return types<A..., B...>{};
  else
    return joined(types<A..., B...>{}, c...);
}

/** All of them, those that ask a memory with each of ours. */
template <class Sink>
using servers = decltype(joined(
    plain_servers<Sink>{}, hooked_servers<Sink, udpbench::memory::recycling>{},
    hooked_servers<Sink, udpbench::memory::heap>{},
    hooked_servers<Sink, udpbench::memory::fixed_block<>>{},
    hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::recycling>>{},
    hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::heap>>{},
    hooked_servers<Sink, udpbench::memory::counting<udpbench::memory::fixed_block<>>>{}));

} // namespace support
