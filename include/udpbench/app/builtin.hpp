/** @file
    Every receiver that udpbench brings along, and how one's own join them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

#include <udpbench/async_server.hpp>
#include <udpbench/experiment/catalogue.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/memory/counting.hpp>
#include <udpbench/memory/fixed_block.hpp>
#include <udpbench/memory/heap.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/raw_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/one.hpp>

#include <string>
#include <vector>

namespace udpbench::app {

namespace detail {

/** Calls `each.template operator()<Take>(suffix, description)` for every take policy. A new one needs its line here. */
template <class Each>
void for_each_take(Each each) {
  each.template operator()<take::one>("", "one datagram per receive call");
  each.template operator()<take::batch<8>>("+batch8", "up to 8 datagrams per recvmmsg");
  each.template operator()<take::batch<32>>("+batch32", "up to 32 datagrams per recvmmsg");
  each.template operator()<take::batch<>>("+batch", "up to 64 datagrams per recvmmsg");
}

template <handler_memory Memory>
void add_with_memory(experiment::catalogue& to, const std::string& suffix,
                     const std::string& what) {
  for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
    to.add<async_server<measure::ledger, Take, memory::counting<Memory>>>(
        "async" + take + suffix, "asynchronous, " + how + "; handler memory: " + what);
  });
}

} // namespace detail

/** Adds a handler memory of one's own: `async/NAME`, `async+batch/NAME` and so on, known to every command.
    @param what  one line that describes it. */
template <handler_memory Memory>
void add_memory(experiment::catalogue& to, const std::string& name, const std::string& what) {
  detail::add_with_memory<Memory>(to, "/" + name, what);
}

/** The receivers that udpbench brings along. */
inline experiment::catalogue builtin() {
  experiment::catalogue all;
  detail::for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
    all.add<raw_server<measure::ledger, Take>>("raw" + take, "no Asio, " + how);
  });
  detail::for_each_take([&]<class Take>(const std::string& take, const std::string& how) {
    all.add<sync_server<measure::ledger, Take>>("sync" + take, "synchronous, " + how);
  });
  detail::add_with_memory<memory::recycling>(all, "", "Asio's own recycling");
  add_memory<memory::fixed_block<>>(all, "fixed_block", "one block inside the server");
  add_memory<memory::heap>(all, "heap", "a new allocation each time");
  return all;
}

/** What `compare` compares unless it is told otherwise. */
inline std::vector<std::string> default_receivers() { return {"sync", "async", "async+batch"}; }

} // namespace udpbench::app
