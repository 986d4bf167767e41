// One of two units that include every header: a function that isn't inline would be there twice.
#include "everything.hpp"

#include <cstdlib>

std::size_t receive_there();

namespace {

std::size_t receive_here() {
  udpbench::measure::ledger ledger;
  udpbench::async_server<udpbench::measure::ledger> server(ledger);
  udpbench::sync_client<> client;
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));
  ledger.begin(1, 1);
  client.send({.run = 1, .round = 1, .size = 64}, 3);
  return server.receive(3, udpbench::measure::monotonic_clock::now() + std::chrono::seconds(20));
}

} // namespace

int main() { return receive_here() == 3 && receive_there() == 3 ? EXIT_SUCCESS : EXIT_FAILURE; }
