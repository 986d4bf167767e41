/** @file
    Every server with a ledger for a sink, as the experiments have them.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#include "subject.hpp"

#include "../support/sanitized.hpp"

#include <udpbench/measure/ledger.hpp>
#include <udpbench/memory/recycling.hpp>
#include <udpbench/net/queue.hpp>
#include <udpbench/sync_client.hpp>

#include <cstdint>

using namespace servers;

namespace {

template <class Server>
void check_books() {
  const std::string name = name_of<Server>();
  if (const auto what = lacking({name, {}}); !what.empty()) {
    WARN("skipped: " << name << ": " << what);
    return;
  }
  INFO(name);
  const watchdog guard;
  constexpr std::uint64_t count = 150; // of 64 bytes; the default receive buffer holds 256
  udpbench::measure::ledger ledger;
  Server server(ledger);
  udpbench::sync_client<> client;
  client.open(server.open(v4()));
  for (std::uint16_t round = 0; round < 10; ++round) {
    ledger.begin(42, round);
    const auto sent = client.send({.run = 42, .round = round, .size = 64}, count);
    CHECK(sent.sent == count);
    CHECK(server.receive(count, soon()) == count);
    CHECK(ledger.counts().unique == sent.sent);
    CHECK(ledger.counts().total() == sent.sent);
    CHECK(udpbench::net::drop_counter(server.native_handle()).value_or(0) == 0);
  }
}

template <class... Server>
void check_books(support::types<Server...>) {
  (check_books<Server>(), ...);
}

using udpbench::measure::ledger;
using udpbench::memory::recycling;

} // namespace

TEST_CASE("with a ledger for a sink the books close", "[servers]") {
  check_books(support::plain_servers<ledger>{});
  check_books(support::uring_servers<ledger>{});
  check_books(support::hooked_servers<ledger, recycling>{});
}

// A sanitizer finds in these, which take it long to compile, what it finds in them with another sink.
#ifndef UDPBENCH_TEST_SANITIZED
TEST_CASE("with a ledger for a sink the books of every take close", "[servers]") {
  check_books(support::further_hooked_servers<ledger, recycling>{});
}

TEST_CASE("with a ledger for a sink the books of every variant close", "[servers]") {
  check_books(support::plain_variants<ledger>{});
  check_books(support::hooked_variants<ledger, recycling>{});
  check_books(support::types<support::several_in_flight<ledger, recycling>>{});
}
#endif
