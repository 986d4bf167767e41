/** @file
    The variants of drivers that udpbench brings along.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/async_server.hpp>
#include <udpbench/awaiting.hpp>
#include <udpbench/chain.hpp>
#include <udpbench/coroutine_server.hpp>
#include <udpbench/event_loop.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/idle/busy_poll.hpp>
#include <udpbench/idle/hybrid.hpp>
#include <udpbench/idle/spin.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/net/features.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/one.hpp>

#include <boost/version.hpp>

#include <string>

namespace udpbench::app {

namespace detail {

template <take_policy Take, idle_policy Idle>
using idle_raw = raw_server<measure::ledger, Take, Idle>;
template <take_policy Take, idle_policy Idle>
using idle_sync = sync_server<measure::ledger, Take, Idle>;
template <event_loop_policy Loop, take_policy Take = take::one>
using looped_async =
    async_server<measure::ledger, Take, memory::counting<memory::recycling>, chain::single, Loop>;
template <chain_policy Chain, handler_memory Memory = memory::recycling>
using chained_async = async_server<measure::ledger, take::one, memory::counting<Memory>, Chain>;
template <awaiting_policy Awaiting>
using awaiting_coroutine =
    coroutine_server<measure::ledger, take::one, memory::counting<memory::recycling>, Awaiting>;

/** Receive calls that don't block, until something comes or for a while. */
template <class Catalogue>
void add_idle(Catalogue& to) {
  using take::one;
  using many = take::batch<>;
  using idle::hybrid;
  using idle::spin;
  const std::string spins = "receive calls that never sleep";
  const std::string tries = "200 receive calls that don't sleep, then one that does";
  const std::string batch = ", up to 64 datagrams per recvmmsg";
  to.template add<idle_raw<one, spin<>>>("raw.spin", "no Asio, " + spins);
  to.template add<idle_raw<many, spin<>>>("raw.spin+batch", "no Asio, " + spins + batch);
  to.template add<idle_raw<one, hybrid<>>>("raw.hybrid", "no Asio, " + tries);
  to.template add<idle_raw<many, hybrid<>>>("raw.hybrid+batch", "no Asio, " + tries + batch);
  to.template add<idle_sync<one, spin<>>>("sync.spin", "synchronous, " + spins);
  to.template add<idle_sync<many, spin<>>>("sync.spin+batch", "synchronous, " + spins + batch);
  to.template add<idle_sync<one, hybrid<>>>("sync.hybrid", "synchronous, " + tries);
  to.template add<idle_sync<many, hybrid<>>>("sync.hybrid+batch", "synchronous, " + tries + batch);
  to.template add<idle_sync<one, idle::busy_poll<>>>(
      "sync.busypoll",
      "synchronous, the kernel polls the device for 50 us before it sleeps (SO_BUSY_POLL)");
}

/** Another way to make or run the context. */
template <class Catalogue>
void add_looped(Catalogue& to) {
  to.template add<looped_async<event_loop::spin>>("async.spin",
                                                  "asynchronous, poll() instead of run()");
  to.template add<looped_async<event_loop::spin, take::batch<>>>(
      "async.spin+batch", "asynchronous, poll() instead of run(), up to 64 datagrams per recvmmsg");
  const std::string tries = "asynchronous, poll() until 200 in a row find nothing, then run_one()";
  to.template add<looped_async<event_loop::hybrid<>>>("async.hybrid", tries);
  to.template add<looped_async<event_loop::hybrid<>, take::batch<>>>(
      "async.hybrid+batch", tries + ", up to 64 datagrams per recvmmsg");
  to.template add<looped_async<event_loop::safe>>(
      "async.safe", "asynchronous, without the concurrency hint 1 that async has");
  const std::string together = "asynchronous, one context that all of --threads run";
  to.template add<looped_async<event_loop::shared>>("async.shared", together);
  to.template add<looped_async<event_loop::shared, take::batch<>>>(
      "async.shared+batch", together + ", up to 64 datagrams per recvmmsg");
  to.template add<looped_async<event_loop::unsafe>>(
      "async.unsafe", "asynchronous, a context without locks (BOOST_ASIO_CONCURRENCY_HINT_UNSAFE)");
}

/** Immediate completions, where this build has them. */
template <chain_policy Immediate = chain::immediate<>>
void add_immediate(experiment::catalogue& to) {
  if constexpr (net::features::immediate_completion)
    to.add<chained_async<Immediate>>(
        "async.immediate",
        "asynchronous, handlers called within the call that starts them, at most 64 deep");
  else
    to.leave_out("async.immediate",
                 "this build lacks it: handlers are called at once from Boost 1.82 on; this is 1." +
                     std::to_string(BOOST_VERSION / 100 % 1'000));
}

/** Another way for one operation to follow another. */
template <class Catalogue>
void add_chained(Catalogue& to) {
  using eight = chain::several<8>;
  const std::string in_flight = "asynchronous, 8 operations in flight";
  to.template add<chained_async<eight>>("async.x8", in_flight);
  to.template add<chained_async<eight, memory::fixed_block<>>>(
      "async.x8/fixed_block", in_flight + "; handler memory: one block each inside the server");
  add_immediate(to);
}

/** Another completion token. */
template <class Catalogue>
void add_awaiting(Catalogue& to) {
  to.template add<awaiting_coroutine<awaiting::as_tuple>>(
      "coroutine.as_tuple", "a coroutine, awaits as_tuple(use_awaitable)");
  to.template add<awaiting_coroutine<awaiting::deferred>>("coroutine.deferred",
                                                          "a coroutine, awaits as_tuple(deferred)");
}

} // namespace detail

/** Adds every variant, with few takes and memories: a variant says something about its driver, not about them. A new one needs its
    line above.
    Errors: throws `std::invalid_argument` where a name is taken. Threads: one at a time. */
template <class Catalogue>
void add_variants(Catalogue& to) {
  detail::add_idle(to);
  detail::add_looped(to);
  detail::add_chained(to);
  detail::add_awaiting(to);
}

} // namespace udpbench::app
