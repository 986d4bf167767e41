// expected: a receiver is constructed from its sink, a measure::ledger& that outlives it
#include <udpbench/experiment/catalogue.hpp>

struct deaf {
  udpbench::net::endpoint open(const udpbench::net::endpoint&, const udpbench::server_options&);
  std::size_t receive(std::size_t, udpbench::measure::monotonic_clock::time_point);
  void stop() noexcept;
  int native_handle();
};

void use(udpbench::experiment::catalogue& to) {
  to.add<deaf>("deaf", "not constructed from a sink");
}
