// What the synchronous server needs for each of 64 datagrams if it takes 16 by a call.
#include <udpbench/udpbench.hpp>

#include <iostream>

int main() {
  udpbench::measure::ledger ledger;
  udpbench::sync_server<udpbench::measure::ledger, udpbench::take::batch<16>> server(ledger);
  udpbench::sync_client<> client;
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));
  ledger.begin(/*run*/ 7, /*round*/ 1);
  client.send({.run = 7, .round = 1, .size = 64}, 64);

  udpbench::measure::monotonic_clock clock;
  std::chrono::nanoseconds time{};
  {
    udpbench::timed_scope scope(clock, time);
    server.receive(64, clock.now() + std::chrono::seconds(10));
  }
  std::cout << ledger.counts().unique << " unique, " << time.count() / 64 << " ns per datagram\n";
  return ledger.counts().unique == 64 ? 0 : 1;
}
