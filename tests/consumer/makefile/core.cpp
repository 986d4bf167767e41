// What 64 datagrams cost if a callable of one's own takes them from the raw receive loop.
#include <udpbench/udpbench.hpp>

#include <iostream>

int main() {
  int bytes = 0;
  auto sink = [&bytes](const udpbench::datagram& d) noexcept {
    bytes += static_cast<int>(d.length);
  };
  udpbench::raw_server<decltype(sink)> server(sink);
  udpbench::sync_client<> client;
  client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));
  client.send({.size = 64}, 64);

  udpbench::measure::monotonic_clock clock;
  std::chrono::nanoseconds time{};
  {
    udpbench::timed_scope scope(clock, time);
    server.receive(64, clock.now() + std::chrono::seconds(10));
  }
  std::cout << bytes << " bytes, " << time.count() / 64 << " ns per datagram\n";
  return bytes == 64 * 64 ? 0 : 1;
}
