// What the coroutine's server needs for each of 64 datagrams that wait in its socket.
#include <udpbench/coroutine_server.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/timed_scope.hpp>
#include <udpbench/sync_client.hpp>

#include <iostream>

int main() {
  udpbench::measure::ledger ledger;
  udpbench::coroutine_server<udpbench::measure::ledger> server(ledger);
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
