/** @file
    The receivers, compiled once for all tests.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "passage.hpp"

#include "../support/train.hpp"

#include <udpbench/async_server.hpp>
#include <udpbench/coroutine_server.hpp>
#include <udpbench/sync_server.hpp>
#include <udpbench/take/batch.hpp>
#include <udpbench/take/drain.hpp>
#include <udpbench/take/gro.hpp>
#include <udpbench/take/one.hpp>

namespace passage {

namespace {

using udpbench::any_receiver;
using udpbench::measure::ledger;
namespace take = udpbench::take;

template <template <class, class> class Server>
void add(std::vector<kind>& to, const std::string& name) {
  const auto one = []<class Take>(Take*) {
    return [](ledger& l) { return any_receiver::make<Server<ledger, Take>>(l); };
  };
  to.push_back({name + "+one", one(static_cast<take::one*>(nullptr))});
  to.push_back({name + "+drain", one(static_cast<take::drain<>*>(nullptr))});
  if (support::joins()) to.push_back({name + "+gro", one(static_cast<take::gro<>*>(nullptr))});
  to.push_back({name + "+batch", one(static_cast<take::batch<>*>(nullptr))});
}

template <class Sink, class Take>
using sync_of = udpbench::sync_server<Sink, Take>;
template <class Sink, class Take>
using async_of = udpbench::async_server<Sink, Take>;
template <class Sink, class Take>
using coroutine_of = udpbench::coroutine_server<Sink, Take>;

} // namespace

const std::vector<kind>& all() {
  static const std::vector<kind> kinds = [] {
    std::vector<kind> out;
    add<sync_of>(out, "sync");
    add<async_of>(out, "async");
    add<coroutine_of>(out, "coroutine");
    return out;
  }();
  return kinds;
}

} // namespace passage
