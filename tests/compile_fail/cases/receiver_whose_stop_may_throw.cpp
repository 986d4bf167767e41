// expected: { r.stop() } noexcept
#include <udpbench/experiment/catalogue.hpp>

struct throwing {
  explicit throwing(udpbench::measure::ledger&);
  udpbench::net::endpoint open(const udpbench::net::endpoint&, const udpbench::server_options&);
  std::size_t receive(std::size_t, udpbench::measure::monotonic_clock::time_point);
  void stop();
  int native_handle();
};

void use(udpbench::experiment::catalogue& to) {
  to.add<throwing>("throwing", "its stop may throw");
}
