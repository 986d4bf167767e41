// The smallest benchmark of one's own: what does it cost to take a queued datagram out of a socket?
#include <udpbench/async_server.hpp>
#include <udpbench/measure/ledger.hpp>
#include <udpbench/measure/timed_scope.hpp>
#include <udpbench/statistics/order.hpp>
#include <udpbench/sync_client.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace udpbench;

namespace {

void run() {
  constexpr std::size_t depth = 64; // Of 1 KiB each: two thirds of what the default buffer holds.
  measure::ledger ledger;           // The sink: it counts what arrives.
  async_server<measure::ledger> server(ledger);
  sync_client<> client;
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));

  measure::monotonic_clock clock;
  std::vector<double> ns;
  schedule to_send{.run = 7, .round = 1, .size = 1024};
  ledger.begin(to_send.run, to_send.round);
  for (int slice = 0; slice < 500; ++slice) {
    const std::size_t sent = client.send(to_send, depth).sent; // Nobody is inside `receive` yet.
    to_send.first_sequence += sent;
    std::chrono::nanoseconds drain{};
    std::size_t got = 0;
    {
      const timed_scope scope(clock, drain);
      got = server.receive(sent, clock.now() + std::chrono::seconds(1));
    }
    // A slice with a datagram missing holds a second of waiting for it, which is no cost of receiving.
    if (got < depth)
      throw std::runtime_error("a datagram of slice " + std::to_string(slice) + " was lost");
    ns.push_back(static_cast<double>(drain.count()) / depth);
  }
  std::cout << "async: " << statistics::median(ns) << " ns per datagram (median of " << ns.size()
            << " slices), " << ledger.counts().unique << " of " << to_send.first_sequence
            << " received\n";
}

} // namespace

int main() {
  try {
    run();
  } catch (const std::exception& e) {
    std::cerr << "first_benchmark: " << e.what() << '\n';
    return 1;
  }
}
