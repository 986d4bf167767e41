/** @file
    Every receiver that udpbench brings along, and how one's own join them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/app/variants.hpp>
#include <udpbench/app/with_sink.hpp>
#include <udpbench/async_server.hpp>
#include <udpbench/coroutine_server.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/pool.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/drain.hpp>
#include <udpbench/take/gro.hpp>
#include <udpbench/take/one.hpp>
#include <udpbench/take/take_policy.hpp>

#include <concepts>
#include <stdexcept>
#include <string>
#include <vector>

namespace udpbench::app {

namespace detail {

/** Calls `each.template operator()<Take>(suffix, description)` for every take policy. A new one needs its line here. */
template <class Each>
void for_each_take(Each each) {
  each.template operator()<take::one>("", "one datagram per receive call");
  each.template operator()<take::drain<>>("+drain",
                                          "receive calls until the socket is empty, at most 64");
  each.template operator()<take::batch<8>>("+batch8", "up to 8 datagrams per recvmmsg");
  each.template operator()<take::batch<32>>("+batch32", "up to 32 datagrams per recvmmsg");
  each.template operator()<take::batch<>>("+batch", "up to 64 datagrams per recvmmsg");
  each.template operator()<take::gro<>>("+gro",
                                        "trains of datagrams that the kernel has joined (UDP_GRO)");
}

/** Adds the drivers that have no handler memory. */
template <take_policy Take>
void add_plain(experiment::catalogue& to, const std::string& take, const std::string& how) {
  to.describe({.kind = "take",
               .name = take.empty() ? "(none named)" : take,
               .description = how,
               .type = &experiment::type_mark<Take>});
  to.add<raw_server<measure::ledger, Take>>("raw" + take, "no Asio, " + how);
  to.add<sync_server<measure::ledger, Take>>("sync" + take, "synchronous, " + how);
}

/** Adds the drivers that ask a handler memory, with one. */
template <take_policy Take, handler_memory Memory>
void add_hooked(experiment::catalogue& to, const std::string& take, const std::string& how,
                const std::string& memory, const std::string& where) {
  to.describe({.kind = "handler memory",
               .name = memory.empty() ? "(none named)" : memory,
               .description = where,
               .type = &experiment::type_mark<Memory>});
  using counted = memory::counting<Memory>;
  const std::string what = how + "; handler memory: " + where;
  to.add<async_server<measure::ledger, Take, counted>>("async" + take + memory,
                                                       "asynchronous, " + what);
  to.add<coroutine_server<measure::ledger, Take, counted>>("coroutine" + take + memory,
                                                           "a coroutine, " + what);
}

/** Calls `each.template operator()<Memory>(suffix, description)` for every handler memory. A new one needs its line here. */
template <class Each>
void for_each_memory(Each each) {
  each.template operator()<memory::recycling>("", "Asio's own recycling");
  each.template operator()<memory::fixed_block<>>("/fixed_block", "one block inside the server");
  each.template operator()<memory::pool>("/pool", "a pool of the standard library");
  each.template operator()<memory::heap>("/heap", "a new allocation each time");
}

/** What the catalogue calls a part. Errors: throws `std::invalid_argument` where it doesn't know it. */
template <class Part>
experiment::catalogue::part known_part(const experiment::catalogue& in) {
  const auto* part = in.part_of<Part>();
  if (part == nullptr)
    throw std::invalid_argument("a take or a memory that is named as a type is to be added first");
  return *part;
}

/** Adds the drivers that have both, where the catalogue knows both. Errors: as `known_part`. */
template <take_policy Take, handler_memory Memory>
void add_both(experiment::catalogue& to) {
  const auto take = known_part<Take>(to);
  const auto memory = known_part<Memory>(to);
  add_hooked<Take, Memory>(to, take.name, take.description, memory.name, memory.description);
}

} // namespace detail

/** Adds a handler memory of one's own: `async/NAME`, `coroutine+batch/NAME` and so on, known to every command.
    @tparam Takes  take policies of one's own that were added before, for `async+TAKE/NAME` and `coroutine+TAKE/NAME` as well.
    @param to  the catalogue that gets them.
    @param name  what stands behind the `/`; no space and no comma.
    @param what  one line that describes it.
    Errors: throws `std::invalid_argument` where a name is taken or has a space or a comma, and, with nothing added, where one of `Takes`
    wasn't.   Threads: one at a time. */
template <handler_memory Memory, take_policy... Takes>
void add_memory(experiment::catalogue& to, const std::string& name, const std::string& what) {
  (static_cast<void>(detail::known_part<Takes>(to)), ...);
  detail::for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
    detail::add_hooked<Take, Memory>(to, take, how, "/" + name, what);
  });
  (detail::add_both<Takes, Memory>(to), ...);
}

/** Adds a take policy of one's own: `sync+NAME`, `async+NAME`, `async+NAME/pool` and so on, known to every command.
    @tparam Memories  handler memories of one's own that were added before, for `async+NAME/MEMORY` and `coroutine+NAME/MEMORY` as well.
    @param to  the catalogue that gets them.
    @param name  what stands behind the `+`; no space and no comma.
    @param how  one line that describes it.
    Errors: throws `std::invalid_argument` where a name is taken or has a space or a comma, and, with nothing added, where one of `Memories`
    wasn't.   Threads: one at a time. */
template <take_policy Take, handler_memory... Memories>
void add_take(experiment::catalogue& to, const std::string& name, const std::string& how) {
  (static_cast<void>(detail::known_part<Memories>(to)), ...);
  detail::add_plain<Take>(to, "+" + name, how);
  detail::for_each_memory([&]<class Memory>(const std::string& memory, const std::string& where) {
    detail::add_hooked<Take, Memory>(to, "+" + name, how, memory, where);
  });
  (detail::add_both<Take, Memories>(to), ...);
}

/** Adds a sink of one's own, which does with each datagram what an application would, before it is counted: `sync.NAME`,
    `async.NAME+batch` and so on, known to every command. Each receiver has a `Sink` of its own, default constructed.
    @param to  that list.
    @param name  behind the dot.
    @param what  one line that describes it. */
template <datagram_sink Sink>
  requires std::default_initializable<Sink>
void add_sink(experiment::catalogue& to, const std::string& name, const std::string& what) {
  to.describe({.kind = "sink", .name = "." + name, .description = what});
  using both = before_ledger<Sink>;
  using counted = memory::counting<memory::recycling>;
  detail::for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
    const std::string rest = "." + name + take;
    const std::string then = how + "; then " + what;
    to.add<with_sink<Sink, raw_server<both, Take>>>("raw" + rest, "no Asio, " + then);
    to.add<with_sink<Sink, sync_server<both, Take>>>("sync" + rest, "synchronous, " + then);
    to.add<with_sink<Sink, async_server<both, Take, counted>>>("async" + rest,
                                                               "asynchronous, " + then);
    to.add<with_sink<Sink, coroutine_server<both, Take, counted>>>("coroutine" + rest,
                                                                   "a coroutine, " + then);
  });
}

/** The receivers that udpbench brings along: every driver with every take policy and every handler memory, and variants of drivers. A
    template, so that only who calls it compiles them all, which takes the better part of a minute. A program that links the
    CMake target `udpbench::compiled`, which defines `UDPBENCH_SEPARATE_COMPILATION`, finds them compiled there. */
template <std::same_as<experiment::catalogue> Catalogue = experiment::catalogue>
Catalogue builtin() {
  Catalogue all;
  detail::for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
    detail::add_plain<Take>(all, take, how);
  });
  detail::for_each_memory([&]<class Memory>(const std::string& memory, const std::string& where) {
    detail::for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
      detail::add_hooked<Take, Memory>(all, take, how, memory, where);
    });
  });
  add_variants(all);
  return all;
}

#ifdef UDPBENCH_SEPARATE_COMPILATION
extern template experiment::catalogue builtin<experiment::catalogue>();
#endif

/** What `compare` compares unless it is told otherwise. */
inline std::vector<std::string> default_receivers() {
  return {"sync", "async", "coroutine", "async+drain", "async+batch"};
}

} // namespace udpbench::app
