// The servers on io_uring; a kernel that forbids it says so.
#include <udpbench/udpbench.hpp>
#include <udpbench/uring_server.hpp>

#include <iostream>

int main() {
  using udpbench::measure::ledger;
  ledger books;
  udpbench::uring_server<ledger, udpbench::uring::multishot<>> server(books);
  udpbench::sync_client<> client;
  try {
    client.open(server.open({boost::asio::ip::address_v4::loopback(), 0}));
  } catch (const udpbench::system_error& e) {
    std::cout << e.what() << '\n';
    return 0;
  }
  books.begin(/*run*/ 7, /*round*/ 1);
  client.send({.run = 7, .round = 1, .size = 64}, 64);
  server.receive(64, udpbench::measure::monotonic_clock::now() + std::chrono::seconds(10));
  return books.counts().unique == 64 ? 0 : 1;
}
