// The other of two units that include every header.
#include "everything.hpp"

#include <cstddef>

std::size_t receive_there();

std::size_t receive_there() {
  udpbench::measure::ledger ledger;
  udpbench::coroutine_server<udpbench::measure::ledger> server(ledger);
  udpbench::sync_client<> client;
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));
  ledger.begin(1, 1);
  client.send({.run = 1, .round = 1, .size = 64}, 3);
  return server.receive(3, udpbench::measure::monotonic_clock::now() + std::chrono::seconds(20));
}
