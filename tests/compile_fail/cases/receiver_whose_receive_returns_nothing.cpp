// expected: { r.receive(n, deadline) } -> std::same_as<std::size_t>
#include <udpbench/experiment/catalogue.hpp>

struct mute {
  explicit mute(udpbench::measure::ledger&);
  udpbench::net::endpoint open(const udpbench::net::endpoint&, const udpbench::server_options&);
  void receive(std::size_t, udpbench::measure::monotonic_clock::time_point);
  void stop() noexcept;
  int native_handle();
};

void use(udpbench::experiment::catalogue& to) { to.add<mute>("mute", "it doesn't say how many"); }
